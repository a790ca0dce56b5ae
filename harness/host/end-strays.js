import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Variable that a worker hands on to all that it starts, so that a process which left its group and
 * its session is found again. Jenkins ends what a build leaves behind by the same trick. */
const MARK = 'ASSAY_WORKER';
const OWN = randomUUID();
/** What the marks of all workers of this process begin with, as their environment has it. */
export const OWN_MARK = `${MARK}=${OWN}.`;
/** Strays that start others while they are looked for are looked for again. */
const MAX_ROUNDS = 5;

/**
 * @typedef {object} Mark
 * @property {Record<string, string>} variables for the environment of a worker; all marks are equally
 *   long, for the size of the environment moves the stack of what is measured
 * @property {Set<string>} others numbers of the processes that there were before it
 */

/**
 * Marks the next worker. Call it just before the worker starts.
 *
 * @returns {Mark}
 */
export function markWorker() {
  return { variables: { [MARK]: `${OWN}.${randomUUID()}` }, others: new Set(listProcesses()) };
}

/**
 * Ends the processes that carry the mark of a worker. Where there is no `/proc`, none are found.
 *
 * @param {Mark} mark
 */
export function endStrays({ variables, others }) {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const strays = listProcesses().filter(
      (pid) => !others.has(pid) && readVariables(pid).includes(`${MARK}=${variables[MARK]}`),
    );
    if (strays.length === 0) return;
    strays.forEach(kill);
  }
}

/** @returns {string[]} numbers of all processes that can be seen */
function listProcesses() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/**
 * @param {string} pid
 * @returns {string[]} `NAME=value`; none where it has ended, or is another user's
 */
function readVariables(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** @param {string} pid */
function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It ended in the meantime.
  }
}
