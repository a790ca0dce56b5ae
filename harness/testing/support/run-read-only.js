import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@jest/globals';

/** Puts a copy that nobody can write to over a directory, for the command alone. */
const SCRIPT = `
  mount -t tmpfs none /mnt && cp -r "$1/." /mnt && mount -o remount,ro /mnt || exit 99
  mount --bind /mnt "$1" || exit 99
  shift
  exec "$@"
`;
const UNSHARE = ['-rm', 'sh', '-c', SCRIPT, 'sh'];

/** A test that needs a read-only file system; skipped where none can be made. */
export const testReadOnly = canMount() ? test : test.skip;

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
 * Runs a command that finds a directory, with all that it holds, on a read-only file system. Used by
 * tests only.
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
