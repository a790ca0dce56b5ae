/** Tests that run only where they were asked for or can work. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';

/** Whether long tests were asked for with `ASSAY_TEST_LONG=1`, as CI does. */
export const isLong = process.env.ASSAY_TEST_LONG === '1';

/** A long test. */
export const testLong = isLong ? test : test.skip;

/** Tests that take long together, or need a browser. */
export const describeLong = isLong ? describe : describe.skip;

/**
 * Long tests that build a family. They are skipped where its toolchain is incomplete, and their title
 * says why. Await it at the top level of a test file.
 *
 * @param {string} family
 * @param {string} title
 * @param {() => void} body
 */
export async function describeToolchain(family, title, body) {
  const reason = isLong ? await findReason(family) : 'takes long';
  if (reason === null) describe(title, body);
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
  const reason = isLong ? await findMissing(name) : 'takes long';
  if (reason === null) describe(`under ${name}`, body);
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
 */
export function testReadOnly(title, body) {
  (canMount() ? test : test.skip)(title, body);
}

/** @returns {boolean} */
function canMount() {
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
