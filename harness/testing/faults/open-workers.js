import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openJobRunner } from '../../run/job-runner.js';
import { openPrograms } from '../support/run-program.js';

/** @import { Job } from '../../formats/types.ts' */
/** @import { WorkerOutcome } from '../../run/run-worker.js' */
/** @import { WorkerKind } from './faults.js' */

/** Absolute path of the family that the JavaScript worker measures. */
export const SCRIPT_FAMILY_PATH = fileURLToPath(
  new URL('../support/script-family', import.meta.url),
);
/** A worker that runs out of memory must not take what the machine has. */
const NODE_FLAGS = ['--max-old-space-size=32'];
/** A worker needs a tenth of it to start. */
const SHORT_TIMEOUT_MS = 400;

/**
 * Workers of both kinds, in jobs of their own. Used by tests only.
 *
 * @returns {Promise<{
 *   runJob(kind: WorkerKind, settings: Record<string, string>, isEndless?: boolean): Promise<WorkerOutcome>,
 *   listProcesses(): string[],
 *   remove(): void,
 * }>} `listProcesses`: numbers of the workers, and of what they started, that are alive
 */
export async function openWorkers() {
  const programs = await openPrograms();
  const temporary = join(programs.directory, 'temporary');
  mkdirSync(temporary);
  const session = {
    environment: { ...process.env, TMPDIR: temporary },
    signal: new AbortController().signal,
  };
  const usual = openJobRunner(NODE_FLAGS, session);
  const short = openJobRunner(NODE_FLAGS, { ...session, jobTimeoutMs: SHORT_TIMEOUT_MS });
  return {
    runJob(kind, settings, isEndless = false) {
      const job = programs.makeJob('measure', settings);
      const runJob = isEndless ? short : usual;
      return runJob(kind === 'program' ? job : makeScriptJob(job, settings));
    },
    listProcesses: () => listProcessesOf(temporary),
    remove: () => programs.remove(),
  };
}

/**
 * The same job for the JavaScript worker.
 *
 * @param {Job} job
 * @param {Record<string, string>} settings
 * @returns {Job}
 */
function makeScriptJob(job, settings) {
  const modulePath = join(SCRIPT_FAMILY_PATH, 'variants', 'once.js');
  return {
    ...job,
    family: 'script-family',
    familyPath: SCRIPT_FAMILY_PATH,
    variant: { spec: 'once', modulePath, settings },
  };
}

/**
 * The processes whose environment names a directory. Used by tests only.
 *
 * @param {string} directory
 * @returns {string[]} their numbers
 */
export function listProcessesOf(directory) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(directory);
      } catch {
        // It ended in the meantime.
        return false;
      }
    });
}
