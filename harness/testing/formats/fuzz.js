import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { AssayError } from '../../lib/errors.js';
import { anyDamages, damageBytes } from './damage.js';
import { DIRECTORIES } from './files.js';

/** @import { Directory } from './files.js' */

/** A reader that takes longer for a file of this size might as well hang. */
const MAX_MS = 20_000;

/**
 * A file that is damaged, in its directory.
 *
 * @typedef {object} FileFormat
 * @property {string} name `FILE of DIRECTORY`
 * @property {string} path relative to the directory
 * @property {Directory} directory
 *
 * @typedef {{ outcome: 'accepted' | 'refused', problem: null } | { outcome: 'failed', problem: string }}
 *   Attempt
 */

/** @type {FileFormat[]} every file that is damaged */
export const FILE_FORMATS = DIRECTORIES.flatMap((directory) =>
  Object.keys(directory.files)
    .filter((path) => directory.untouched?.includes(path) !== true)
    .map((path) => {
      const name = `${basename(path).replace(/[0-9a-f]{24}/, 'KEY')} of ${directory.name}`;
      return { name, path, directory };
    }),
);

/**
 * The property that a damaged sample is read or refused with a remedy, and that nothing else happens to it.
 *
 * @param {FileFormat} format
 */
export function withstandsDamage(format) {
  const samples = format.directory.files[format.path] ?? [];
  const anySample = fc.nat(samples.length - 1);
  return fc.asyncProperty(anySample, anyDamages, async (sample, damages) => {
    const damaged = damageBytes(samples[sample], damages);
    const { problem } = await tryFile(format, (path) => writeFileSync(path, damaged));
    if (problem !== null) throw new Error(problem);
  });
}

/**
 * Reads something else instead of the file.
 *
 * @param {FileFormat} format
 * @param {(path: string) => void} place creates it
 * @returns {Promise<Attempt>}
 */
export async function tryFile(format, place) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-damaged-'));
  const { directory, path } = format;
  try {
    for (const [name, [bytes]] of Object.entries(directory.files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      if (name !== path) writeFileSync(join(folder, name), bytes);
    }
    place(join(folder, path));
    const before = readAll(directory, folder);
    const startMs = performance.now();
    const attempt = await readDamaged(format, folder);
    if (attempt.outcome === 'failed') return attempt;
    const elapsedMs = performance.now() - startMs;
    if (elapsedMs > MAX_MS) return fail(`took ${(elapsedMs / 1000).toFixed(1)} s`);
    const after = readAll(directory, folder);
    const changed = Object.keys(before).find((name) => before[name] !== after[name]);
    if (changed !== undefined && directory.isRebuilt !== true) return fail(`changed '${changed}'`);
    return attempt;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @type {(format: FileFormat, folder: string) => Promise<Attempt>} */
async function readDamaged({ directory, path }, folder) {
  try {
    await directory.read(folder, join(folder, path));
    return { outcome: 'accepted', problem: null };
  } catch (error) {
    const problem = findFault(error, directory, path);
    return problem === null ? { outcome: 'refused', problem } : fail(problem);
  }
}

/**
 * @param {unknown} error
 * @param {Directory} directory
 * @param {string} path
 * @returns {string | null} what is wrong with the way the file was refused
 */
function findFault(error, { neverRefuses, isNamedByCaller }, path) {
  if (!(error instanceof AssayError)) {
    return `a defect: ${error instanceof Error ? error.stack : String(error)}`;
  }
  const { message, remedy } = error;
  if (neverRefuses === true) return `refused: ${message}`;
  if (remedy === undefined) return `no remedy: ${message}`;
  if (isNamedByCaller !== true && !message.includes(basename(path).replace(/\..*/, ''))) {
    return `the file is not named: ${message}`;
  }
  return null;
}

/**
 * @param {Directory} directory
 * @param {string} folder
 * @returns {Record<string, string | null>} contents by path; null for what cannot be read
 */
function readAll({ files }, folder) {
  /** @param {string} name */
  const readIfFile = (name) => {
    try {
      return readFileSync(join(folder, name), 'latin1');
    } catch {
      return null;
    }
  };
  return Object.fromEntries(Object.keys(files).map((name) => [name, readIfFile(name)]));
}

/** @param {string} problem  @returns {Attempt} */
function fail(problem) {
  return { outcome: 'failed', problem };
}
