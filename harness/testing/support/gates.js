/** Tests that run only where they were asked for or can work. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { isLong, isRest } from './parts.js';

export { isLong, isRest };

/** @type {'long' | 'more' | null} of the test that is being registered */
let mark = null;

/** @returns {boolean} whether the test that is being registered belongs to another part than was asked for */
export function isLeftOut() {
  return isRest ? mark === null : mark === 'long' && !isLong;
}

/**
 * @template {typeof test | typeof describe} T
 * @param {T} register
 * @param {'long' | 'more'} as
 * @returns {T}
 */
function withMark(register, as) {
  /** @type {(register: (...words: unknown[]) => void) => (...words: unknown[]) => void} */
  const wrap =
    (inner) =>
    (...words) => {
      const before = mark;
      mark = as;
      try {
        inner(...words);
      } finally {
        mark = before;
      }
    };
  /** @type {any} */
  const all = register;
  const marked = Object.assign(wrap(all), {
    each: (/** @type {unknown[]} */ ...table) => wrap(all.each(...table)),
  });
  return /** @type {any} */ (marked);
}

/** A long test. */
export const testLong = withMark(test, 'long');

/** Tests that take long together, or need a browser. */
export const describeLong = withMark(describe, 'long');

/** A test that covers more where long tests run: more documents, variants or seeds. */
export const testMore = withMark(test, 'more');

/** Tests that cover more where long tests run. */
export const describeMore = withMark(describe, 'more');

/**
 * Long tests that build a family. They are skipped where its toolchain is incomplete, and their title
 * says why. Await it at the top level of a test file.
 *
 * @param {string} family
 * @param {string} title
 * @param {() => void} body
 */
export async function describeToolchain(family, title, body) {
  const reason = isLong ? await findReason(family) : null;
  if (reason === null) describeLong(title, body);
  else describe.skip(`${title} (${reason})`, body);
}

/**
 * @param {string} family
 * @returns {Promise<string | null>} why it cannot be built here; null where it can
 */
async function findReason(family) {
  // Loaded here because the other gates are in many tests, which should not pay for it.
  const { MissingToolError, loadFamilyWorker, requireToolchain } =
    await import('../../variants/build-family.js');
  const worker = await loadFamilyWorker({ path: join(PROJECT.experimentsPath, family) });
  if (worker === null) return null;
  try {
    await requireToolchain(family, worker);
    return null;
  } catch (error) {
    if (error instanceof MissingToolError) return error.message;
    throw error;
  }
}

/**
 * Long tests under another runtime. They are skipped where its package is not available, and their title says
 * why. Await it at the top level of a test file.
 *
 * @param {string} name
 * @param {() => void} body
 */
export async function describeRuntimeOf(name, body) {
  const reason = isLong ? await findMissing(name) : null;
  if (reason === null) describeLong(`under ${name}`, body);
  else describe.skip(`under ${name} (${reason})`, body);
}

/**
 * @param {string} name
 * @returns {Promise<string | null>} why the runtime is not available; null where it is
 */
async function findMissing(name) {
  const { findRuntime } = await import('../../variants/runtimes.js');
  try {
    await findRuntime(name, PROJECT);
    return null;
  } catch (error) {
    if (error instanceof MachineError) return error.message;
    throw error;
  }
}

/** Mounts a read-only copy over a directory, visible to the command alone. */
const SCRIPT = `
  mount -t tmpfs none /mnt && cp -r "$1/." /mnt && mount -o remount,ro /mnt || exit 99
  mount --bind /mnt "$1" || exit 99
  shift
  exec "$@"
`;
const UNSHARE = ['-rm', 'sh', '-c', SCRIPT, 'sh'];

/**
 * A test that needs `runReadOnly`; skipped where mounting is not permitted.
 *
 * @param {string} title
 * @param {() => void} body
 * @param {(title: string, body: () => void) => void} [register] `testLong`, for a long test
 */
export function testReadOnly(title, body, register = test) {
  canMount ??= tryToMount();
  (canMount ? register : test.skip)(title, body);
}

/** Once it was tried. @type {boolean | undefined} */
let canMount;

/** @returns {boolean} */
function tryToMount() {
  const path = mkdtempSync(join(tmpdir(), 'assay-read-only-'));
  try {
    return runReadOnly(path, ['true']).status === 0;
  } finally {
    rmSync(path, { recursive: true });
  }
}

/**
 * Runs a command for which a directory and all it holds is on a read-only file system.
 *
 * @param {string} path absolute, of the directory
 * @param {string[]} command
 * @param {{ env?: Record<string, string | undefined> }} [options]
 * @returns {{ status: number | null, stdout: string, stderr: string }}
 */
export function runReadOnly(path, command, options = {}) {
  return spawnSync('unshare', [...UNSHARE, path, ...command], {
    encoding: 'utf8',
    cwd: '/',
    ...options,
  });
}
