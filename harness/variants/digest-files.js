import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * @param {string} file
 * @returns {string} `sha256:…` of its content
 */
export function digestFile(file) {
  return `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
}

/**
 * Digest over the JavaScript sources below a directory, tests left out, and over what else is built:
 * names and contents, in the order of the names.
 *
 * @param {string} path
 * @param {string[]} [others] files and folders below it that count whole, whatever their language
 * @returns {string} `sha256:…`
 */
export function digestSources(path, others = []) {
  const sources = listFiles(path).filter((file) => isSource(relative(path, file)));
  return digestFiles(path, [...sources, ...listNamed(path, others)]);
}

/**
 * Digest over some files and folders alone: names and contents, in the order of the names.
 *
 * @param {string} path
 * @param {string[]} names of files and folders below it
 * @returns {string} `sha256:…`
 */
export function digestNamed(path, names) {
  return digestFiles(path, listNamed(path, names));
}

/**
 * @param {string} path
 * @param {string[]} files absolute paths below it, each of which counts once
 * @returns {string} `sha256:…`
 */
function digestFiles(path, files) {
  const hash = createHash('sha256');
  for (const file of [...new Set(files)].sort()) {
    hash.update(`${relative(path, file).split(sep).join('/')}\0`);
    hash.update(readFileSync(file)).update('\0');
  }
  return `sha256:${hash.digest('hex')}`;
}

/**
 * @param {string} path
 * @param {string[]} names of files and folders below it
 * @returns {string[]} absolute paths of the files
 */
function listNamed(path, names) {
  return names.flatMap((name) => {
    const place = join(path, name);
    return statSync(place).isDirectory() ? listFiles(place) : [place];
  });
}

/**
 * @param {string} path
 * @returns {string[]} absolute paths of the files below it
 */
function listFiles(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string} file relative to the family */
function isSource(file) {
  return file.endsWith('.js') && !file.endsWith('.test.js') && !file.includes('test-support');
}
