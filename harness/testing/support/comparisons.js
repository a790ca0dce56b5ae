import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omitUndefined } from '../../lib/records.js';
import { noteEnded } from './ended-command.js';
import { callAssay, joinErrorLines, listProcesses, makeProject } from './project.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Observation } from '../../formats/types.ts' */
/** @import { RunJob } from '../../run/jobs.js' */
/** @import { WorkerKind } from './project.js' */

/** With these the first look finds equal variants equivalent. */
const QUESTION = '--seed 1 --explain none --placements 0 --processes 16 --mei 20'.split(' ');

/**
 * A comparison that has its own directories for runs, temporary files and the host lock.
 *
 * @typedef {object} Comparison
 * @property {string} out directory in which its run is made
 * @property {(args: string[], options?: StartOptions) => ChildProcess} start starts Assay
 * @property {(args: string[], options?: StartOptions) => Promise<Ended>} run waits for it to end
 * @property {(args: string[], runJob?: RunJob, signal?: AbortSignal) => Promise<Ended>} call runs Assay in this process, which is faster
 * @property {() => string} findRun path of the run
 * @property {() => ReturnType<typeof listProcesses>} listProcesses its workers that are alive
 * @property {() => void} repair ends all misbehaviour
 *
 * @typedef {object} StartOptions
 * @property {Record<string, string | undefined>} [variables] of the environment
 * @property {string} [shell] commands that a shell runs first, in the directory of the comparison
 * @property {'impatient' | 'scripted'} [as] what runs: Assay with a limit of a few seconds for jobs that hang, or with jobs
 *   that are answered in its own process
 *
 * @typedef {object} Ended
 * @property {number | null} status
 * @property {string} [signal] that killed it
 * @property {string} stdout
 * @property {string} stderr
 */

/** Of all tests of this process, so that its modules are loaded once. @type {string | undefined} */
let sharedPath;

/**
 * Opens another checkout with both fake families: one that tests share and must not change, or their own.
 * @type {(place?: { isOwn?: boolean }) => { directory: string, open: () => Comparison, remove: () => void }}
 */
export function openComparisons({ isOwn = false } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-faults-'));
  const projectPath = isOwn ? join(directory, 'project') : shareProject();
  if (isOwn) makeProject(projectPath, [], ['script', 'program']);
  return {
    directory,
    open: () => openComparison(mkdtempSync(join(directory, 'one-')), projectPath),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

/** @returns {string} path of a checkout that is removed after all tests */
export function shareProject() {
  if (sharedPath === undefined) {
    sharedPath = mkdtempSync(join(tmpdir(), 'assay-shared-'));
    makeProject(sharedPath, [], ['script', 'program']);
  }
  return sharedPath;
}

/**
 * @param {WorkerKind} kind
 * @param {string} candidate
 * @param {string[]} [more] options
 * @returns {string[]} arguments of Assay
 */
export function compareArgs(kind, candidate, more = []) {
  return ['compare', 'plain', candidate, '--family', `fake-${kind}`, ...QUESTION, ...more];
}

/** @type {(path: string, projectPath: string) => Comparison} */
function openComparison(path, projectPath) {
  const [out, temporary, locks] = ['out', 'temporary', 'locks'].map((name) => join(path, name));
  for (const folder of [out, temporary, locks]) mkdirSync(folder);
  const own = { TMPDIR: temporary, ASSAY_LOCK_DIRECTORY: locks, ASSAY_INVOCATION_DIRECTORY: path };
  const environment = { ...process.env, ...own };
  /** @type {Comparison['start']} */
  const start = (args, { variables = {}, shell = ':', as } = {}) => {
    const env = { ...environment, ...variables };
    const program = as === undefined ? 'assay.js' : `testing/support/run-${as}.js`;
    const words = args[0] === 'compare' && !args.includes('--resume') ? ['--out', out] : [];
    const script = join(projectPath, 'harness', program);
    const command = [process.execPath, script, ...args, ...words];
    return spawn('/bin/sh', ['-c', `${shell}; exec "$@"`, 'sh', ...command], { env, cwd: path });
  };
  return {
    out,
    start,
    run: (args, options) => waitFor(start(args, options)),
    call: (args, runJob, signal) =>
      callAssay(args, {
        projectPath,
        workingPath: path,
        environment,
        ...omitUndefined({ runJob, signal }),
      }),
    findRun: () => join(out, readdirSync(out)[0] ?? ''),
    listProcesses: () => listProcesses(temporary),
    repair: () => writeFileSync(join(temporary, 'repaired'), ''),
  };
}

/** @type {(child: ChildProcess) => Promise<Ended>} */
export async function waitFor(child) {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const [status, signal] = await once(child, 'close');
  const ended = { status, signal: signal ?? undefined, stdout, stderr: joinErrorLines(stderr) };
  return noteEnded(child.spawnargs, ended);
}

/**
 * @param {string} path of a run
 * @returns {Observation[]}
 */
export function readObservations(path) {
  const text = readFileSync(join(path, 'observations.ndjson'), 'utf8');
  // The last line of a run that is being measured may be incomplete.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}
