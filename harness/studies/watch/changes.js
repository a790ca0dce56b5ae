/** Waiting for files to change. */

import { existsSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { MachineError } from '../../lib/errors.js';

/** @import { FSWatcher } from 'node:fs' */

/** An editor that saves a file writes, renames and sets attributes; this long after the last of these it is done. */
const QUIET_MS = 100;

/**
 * Follows files by way of their directories, because editors replace files.
 *
 * @typedef {object} Changes
 * @property {(files: string[]) => void} follow replaces the files, absolute paths
 * @property {(isChanged: () => boolean) => AbortSignal} next returns a signal that is aborted once something has happened to
 *   a file, now or since the last call, and `isChanged` confirms it
 * @property {() => void} close
 */

/** @returns {Changes} */
export function openChanges() {
  /** By directory. @type {Map<string, FSWatcher>} */
  const watchers = new Map();
  /** Names of files by directory. @type {Map<string, Set<string>>} */
  let followed = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let check = () => {};

  /** @type {(directory: string) => FSWatcher} */
  const open = (directory) => {
    try {
      const watcher = watch(directory, (_event, name) => {
        if (name !== null && followed.get(directory)?.has(name) !== true) return;
        clearTimeout(timer);
        timer = setTimeout(() => check(), QUIET_MS);
      });
      // A directory that was removed is opened again once it has files to follow.
      return watcher.on('error', () => {
        watcher.close();
        watchers.delete(directory);
      });
    } catch (cause) {
      throw new MachineError(`cannot watch '${directory}': ${String(cause)}`, {
        cause,
        remedy: 'raise the limit of the system (sysctl fs.inotify.max_user_watches)',
      });
    }
  };
  return {
    follow(files) {
      followed = new Map();
      for (const file of files) {
        const names = followed.get(dirname(file)) ?? new Set();
        followed.set(dirname(file), names.add(basename(file)));
      }
      for (const [directory, watcher] of watchers) {
        if (followed.has(directory)) continue;
        watcher.close();
        watchers.delete(directory);
      }
      for (const directory of followed.keys()) {
        if (watchers.has(directory) || !existsSync(directory)) continue;
        watchers.set(directory, open(directory));
      }
    },
    next(isChanged) {
      const controller = new AbortController();
      check = () => {
        if (isChanged()) controller.abort();
      };
      // What happened since the last call may have had no listener.
      check();
      return controller.signal;
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
