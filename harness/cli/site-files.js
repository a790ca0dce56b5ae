/** The files of a site in a directory that other files may share. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { makeDirectory, writeAtomic } from '../lib/files.js';

/** Names the files that were written, so that another build removes what it does not write again, and nothing else. */
const LIST_FILE = 'assay-site.txt';
const OWNER = Object.freeze({ name: 'the site', resume: 'build it again' });
/** Whatever the list of an earlier build or the records say, nothing outside of the directory is written or removed. */
const PATH = /^(?!.*\.\.)[\w@.-]+(?:\/[\w@.-]+)*$/;

/** @typedef {{ path: string, makeText: () => string }} SiteFile `path`: relative to the site */

/**
 * Writes the files whose text differs from what is there, and removes those of an earlier build that are no longer
 * among them. A build that was interrupted can be repeated.
 *
 * @param {string} directory absolute path, made where it does not exist
 * @param {SiteFile[]} files
 * @returns {{ written: number, removed: number }} counts of files
 * @throws {UsageError} where a file is in the place of one of these and no earlier build wrote it
 */
export function writeSite(directory, files) {
  const outside = files.find(({ path }) => !PATH.test(path));
  if (outside !== undefined) throw new Error(`'${outside.path}' is no path of a site`);
  makeDirectory(directory, 'name another directory with --out');
  const listPath = join(directory, LIST_FILE);
  const earlier = new Set(readList(listPath));
  const strange = files.find(({ path }) => !earlier.has(path) && existsSync(join(directory, path)));
  if (strange !== undefined) {
    throw new UsageError(`'${join(directory, strange.path)}' is there and is of no site`, {
      remedy: 'name another directory with --out, or remove the file',
    });
  }
  const paths = files.map(({ path }) => path);
  const stale = [...earlier].filter((path) => !paths.includes(path));
  writeList(listPath, [...paths, ...stale]);
  const folders = new Set(paths.map((path) => dirname(path)));
  for (const folder of folders) makeDirectory(join(directory, folder), 'name another directory');
  let written = 0;
  for (const { path, makeText } of files) {
    if (writeChanged(join(directory, path), makeText())) written++;
  }
  for (const path of stale) rmSync(join(directory, path), { force: true });
  writeList(listPath, paths);
  return { written, removed: stale.length };
}

/** @param {string} listPath @returns {string[]} paths, none where there is no list */
function readList(listPath) {
  if (!existsSync(listPath)) return [];
  const lines = readFileSync(listPath, 'utf8').split('\n');
  return lines.filter((line) => PATH.test(line));
}

/** @param {string} listPath @param {string[]} paths */
function writeList(listPath, paths) {
  writeChanged(listPath, `${paths.toSorted().join('\n')}\n`);
}

/** @type {(file: string, text: string) => boolean} whether it had another text, or none */
function writeChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeAtomic(file, text, OWNER);
  return true;
}
