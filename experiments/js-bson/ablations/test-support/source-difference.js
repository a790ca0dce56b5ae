import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

const FAMILY = new URL('../../', import.meta.url);

const RELATIVE_IMPORT = /(?<=\bfrom ')\.[^']+(?=')/g;
const BLOCK_COMMENT = /^ *\/\*\*[\s\S]*?\*\/\n/gm;
const LINE_COMMENT = /^ *\/\/.*\n/gm;
const DESCRIPTION = /^export const variant = \{[\s\S]*?^\};\n/gm;

/**
 * Reads a module of the family and everything it imports from the family.
 * @param {string} path relative to the family's folder, such as `variants/indexed.js`
 * @returns {Promise<Map<string, string>>} texts by path
 */
export async function readSources(path) {
  /** @type {Map<string, string>} */
  const sources = new Map();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (sources.has(next)) continue;
    const text = await readFile(new URL(next, FAMILY), 'utf8');
    sources.set(next, text);
    waiting.push(...listImports(text, next));
  }
  return sources;
}

/**
 * The code lines of a module, without comments, blank lines and the description of a variant.
 * Imports are relative to the family's folder, with the replaced file instead of its replacement.
 * @param {string} text
 * @param {string} path of the module
 * @param {Record<string, string>} [replacements] replaced paths by the paths that replace them
 * @returns {string[]}
 */
export function listCode(text, path, replacements = {}) {
  return text
    .replace(BLOCK_COMMENT, '')
    .replace(LINE_COMMENT, '')
    .replace(DESCRIPTION, '')
    .replace(RELATIVE_IMPORT, (specifier) => {
      const imported = resolveImport(specifier, path);
      return replacements[imported] ?? imported;
    })
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/**
 * Number of removed and added lines between two texts.
 * @param {string[]} before
 * @param {string[]} after
 * @returns {number}
 */
export function countChangedLines(before, after) {
  // Longest common subsequence, one row of its table at a time.
  let row = new Array(after.length + 1).fill(0);
  for (const line of before) {
    const above = row;
    row = [0];
    after.forEach((other, at) => {
      row.push(line === other ? above[at] + 1 : Math.max(above[at + 1], row[at]));
    });
  }
  return before.length + after.length - 2 * row[after.length];
}

/**
 * @param {string} text
 * @param {string} path
 * @returns {string[]}
 */
function listImports(text, path) {
  const specifiers = text.replace(BLOCK_COMMENT, '').match(RELATIVE_IMPORT) ?? [];
  return specifiers.map((specifier) => resolveImport(specifier, path));
}

/**
 * @param {string} specifier
 * @param {string} path of the module that imports it
 * @returns {string}
 */
function resolveImport(specifier, path) {
  return posix.join(posix.dirname(path), specifier);
}
