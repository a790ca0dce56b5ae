import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AssayError } from '../../lib/errors.js';
import { drawIndex, seedGenerator } from '../../stats/random.js';
import { damageBytes } from './damage.js';

/** @import { FileFormat } from './formats/types.ts' */

/** A reader that takes longer for a file this small is as good as hanging. */
const MOST_MS = 5_000;

/**
 * What became of one damaged file.
 *
 * @typedef {{ outcome: 'accepted' | 'refused', problem: null } | { outcome: 'failed', problem: string }}
 *   Attempt
 */

/**
 * Damages a file by a seed and has it read. Used by tests only.
 *
 * @param {FileFormat} format
 * @param {number} seed
 * @returns {Promise<Attempt>}
 */
export function tryDamaged(format, seed) {
  const random = seedGenerator(seed);
  const sample = format.samples[drawIndex(random, format.samples.length)];
  const damaged = damageBytes(sample, random);
  return tryFile(format, (path) => writeFileSync(path, damaged));
}

/**
 * Has something else read in the place of the file.
 *
 * @param {FileFormat} format
 * @param {(path: string) => void} place puts it there
 * @returns {Promise<Attempt>}
 */
export async function tryFile(format, place) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-damaged-'));
  try {
    const path = layOut(format, folder, place);
    const before = readAll(format, folder);
    const startMs = performance.now();
    const problem = await readDamaged(format, folder, path);
    const elapsedMs = performance.now() - startMs;
    if (problem.outcome === 'failed') return problem;
    if (elapsedMs > MOST_MS) return fail(`took ${(elapsedMs / 1000).toFixed(1)} s`);
    const changed = findChanged(before, readAll(format, folder));
    if (changed !== undefined && format.isMadeAnew !== true) return fail(`changed '${changed}'`);
    return problem;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {FileFormat} format
 * @param {string} folder
 * @param {(path: string) => void} place
 * @returns {string} path of the damaged file
 */
function layOut({ fileName, neighbours = {} }, folder, place) {
  for (const [name, bytes] of Object.entries(neighbours)) {
    if (name !== fileName) write(join(folder, name), bytes);
  }
  const path = join(folder, fileName);
  mkdirSync(dirname(path), { recursive: true });
  place(path);
  return path;
}

/**
 * @param {string} path
 * @param {Buffer} bytes
 */
function write(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

/**
 * @param {FileFormat} format
 * @param {string} folder
 * @param {string} path
 * @returns {Promise<Attempt>}
 */
async function readDamaged(format, folder, path) {
  try {
    await format.read(folder, path);
    return { outcome: 'accepted', problem: null };
  } catch (error) {
    const problem = findFault(error, format, path);
    return problem === null ? { outcome: 'refused', problem } : fail(problem);
  }
}

/**
 * @param {unknown} error
 * @param {FileFormat} format
 * @param {string} path
 * @returns {string | null} what is wrong with the way in which the file was refused
 */
function findFault(error, format, path) {
  if (!(error instanceof AssayError)) {
    return `a defect: ${error instanceof Error ? error.stack : String(error)}`;
  }
  const { message, remedy } = error;
  if (format.neverRefuses === true) return `refused: ${message}`;
  if (remedy === undefined) return `no remedy: ${message}`;
  if (format.isNamedByCaller !== true && !message.includes(basename(path).replace(/\..*/, ''))) {
    return `the file is not named: ${message}`;
  }
  return null;
}

/**
 * @param {FileFormat} format
 * @param {string} folder
 * @returns {Map<string, Buffer | null>} null for what cannot be read
 */
function readAll({ fileName, neighbours = {} }, folder) {
  const names = [...new Set([fileName, ...Object.keys(neighbours)])];
  return new Map(names.map((name) => [name, readIfFile(join(folder, name))]));
}

/** @param {string} path */
function readIfFile(path) {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/**
 * @param {Map<string, Buffer | null>} before
 * @param {Map<string, Buffer | null>} after
 * @returns {string | undefined} name of a file
 */
function findChanged(before, after) {
  return [...before.keys()].find((name) => {
    const [then, now] = [before.get(name) ?? null, after.get(name) ?? null];
    return then === null || now === null ? then !== now : !then.equals(now);
  });
}

/**
 * @param {string} problem
 * @returns {Attempt}
 */
function fail(problem) {
  return { outcome: 'failed', problem };
}
