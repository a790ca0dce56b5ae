import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from './parts.js';

/** A file system in memory, where Linux has one. Tests make thousands of files, which takes seconds on many disks. */
const MEMORY_PATH = '/dev/shm';
const LEAST_BYTES = 4e9;
const PREFIX = 'assay-tests-';

/** Moves the temporary files of all tests, and the revisions that they build, into one directory: that of quick tests is in
 * memory, where possible. */
export function moveTemporaryFiles() {
  const inMemory = isLong ? null : makeDirectory(MEMORY_PATH);
  process.env.TMPDIR = inMemory ?? makeDirectory(tmpdir()) ?? tmpdir();
  process.env.XDG_CACHE_HOME = join(process.env.TMPDIR, 'cache');
}

/** Removes what tests have left there. */
export function removeTemporaryFiles() {
  const path = process.env.TMPDIR ?? '';
  if (path.includes(PREFIX)) removeLeft(path);
}

/** Removes a directory, but not what a process that is just ending puts there meanwhile; the next tests do. @param {string} path */
export function removeLeft(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOTEMPTY') throw error;
  }
}

/** @type {(parent: string) => string | null} null where there is little space, or programs cannot be run */
function makeDirectory(parent) {
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (bavail * bsize < LEAST_BYTES) return null;
    removeOlder(parent);
    const path = join(parent, `${PREFIX}${process.pid}`);
    mkdirSync(path);
    const program = join(path, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    const canRun = spawnSync(program).status === 0;
    rmSync(canRun ? program : path, { recursive: true });
    return canRun ? path : null;
  } catch {
    return null;
  }
}

/** Removes those of tests that were killed. @param {string} parent */
function removeOlder(parent) {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(PREFIX))) {
    try {
      process.kill(Number(name.slice(PREFIX.length)), 0);
    } catch {
      rmSync(join(parent, name), { recursive: true, force: true });
    }
  }
}
