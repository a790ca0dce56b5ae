import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * @param {string} file
 * @returns {string} `sha256:…` of its content
 */
export function digestFile(file) {
  return `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
}

/**
 * Digest over the JavaScript sources below a directory, tests left out: names and contents, in the
 * order of the names.
 *
 * @param {string} path
 * @returns {string} `sha256:…`
 */
export function digestSources(path) {
  const hash = createHash('sha256');
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(path, file).includes('test-support'))
    .sort();
  for (const file of files) {
    hash.update(`${relative(path, file).split(sep).join('/')}\0`);
    hash.update(readFileSync(file)).update('\0');
  }
  return `sha256:${hash.digest('hex')}`;
}

/** @param {string} name */
function isSource(name) {
  return name.endsWith('.js') && !name.endsWith('.test.js');
}
