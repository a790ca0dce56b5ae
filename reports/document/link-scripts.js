/** Modules of `page/` as one plain script: pages opened from a file cannot import. */

/** Named imports, none of them renamed. */
const IMPORT = /^import \{[\w\s,]*\} from '([^']+)';\n/gm;
const RENAMED = /^import \{[^}]*\bas\b[^}]*\}/m;
const DECLARATION = /^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm;

/**
 * Puts modules one after the other into one function scope. They may only use named imports from
 * each other, without renaming, and named exports of declarations.
 *
 * @param {{ path: string, text: string }[]} modules each after those that it imports
 * @param {string} start statement to run at the end
 * @returns {string}
 * @throws {Error} where two modules declare the same name, or one is missing or of another form
 */
export function linkScripts(modules, start) {
  const names = new Map();
  const linked = new Set();
  const texts = modules.map(({ path, text }) => {
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      if (linked.has(baseName(specifier))) continue;
      throw new Error(`${path} imports ${specifier}, which is not among the scripts before it`);
    }
    for (const [, name = ''] of text.matchAll(DECLARATION)) {
      if (names.has(name)) throw new Error(`${path} declares ${name}, as ${names.get(name)} does`);
      names.set(name, path);
    }
    linked.add(baseName(path));
    return stripModule(path, text);
  });
  return `(() => {\n'use strict';\n${texts.join('\n')}\n${start}\n})();\n`;
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string}
 */
function stripModule(path, text) {
  const stripped = text
    .replace(IMPORT, '')
    .replace(/^export (?=async |function |const |class )/gm, '');
  if (RENAMED.test(text) || /^(?:import|export)\b/m.test(stripped)) {
    throw new Error(`${path} has an import or export of a form that cannot be linked`);
  }
  return stripped;
}

/**
 * @param {string} path
 * @returns {string}
 */
function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
