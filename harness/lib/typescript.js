const FILE = /Unknown file extension "\.[cm]?tsx?" for (\S+)/;
const SYNTAX = /ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING/;
/** TypeScript names the files that a build makes. */
const IMPORT = /Cannot find module '([^']+\.[cm]?js)' imported from (\S+\.[cm]?tsx?)/;
const BUILD =
  "build it first and name the JavaScript file; --build 'COMMAND' builds a revision, whose package.json names it";

/**
 * Explains why Node did not load a file in TypeScript.
 *
 * @param {string} text message of an error, or the last lines of a process
 * @returns {{ problem: string, remedy: string } | null} null if that was not the reason
 */
export function explainTypeScript(text) {
  const [, file] = FILE.exec(text) ?? [];
  if (file !== undefined) {
    return {
      problem: `'${file}' is TypeScript, which this Node does not run`,
      remedy: `measure under Node 22.18 or newer, which removes types (--runtime node@24), or ${BUILD}`,
    };
  }
  const [, missing, importer] = IMPORT.exec(text) ?? [];
  if (missing !== undefined) {
    return { problem: `'${importer}' imports '${missing}', which a build makes`, remedy: BUILD };
  }
  if (!SYNTAX.test(text)) return null;
  return {
    problem:
      'Node runs TypeScript only outside of node_modules, and only where removing the types is enough',
    remedy: BUILD,
  };
}
