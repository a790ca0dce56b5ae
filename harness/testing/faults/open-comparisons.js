import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProject } from '../support/make-project.js';
import { FAMILY_PATH } from '../support/run-program.js';
import { listProcessesOf, SCRIPT_FAMILY_PATH } from './open-workers.js';
import { joinErrorLines } from '../support/run-assay.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { WorkerKind } from './faults.js' */

/** Equal variants are told to be so at the first look. */
const QUESTION = '--seed 1 --explain none --layouts 0 --processes 16 --mei 20'.split(' ');

/**
 * One comparison with directories of its own.
 *
 * @typedef {object} Comparison
 * @property {string} out where its run is made
 * @property {(args: string[], options?: StartOptions) => ChildProcess} start the program, at once
 * @property {(args: string[], options?: StartOptions) => Promise<Ended>} run it to its end
 * @property {() => string} findRun path of the run
 * @property {() => string[]} listProcesses numbers of the workers that are alive
 * @property {() => void} mend from here on no worker misbehaves
 *
 * @typedef {object} StartOptions
 * @property {Record<string, string | undefined>} [variables] of the environment
 * @property {string} [shell] what a shell does before it becomes the program, in the directory of the
 *   comparison
 * @property {boolean} [isImpatient] no job may take long
 *
 * @typedef {{ status: number | null, stdout: string, stderr: string }} Ended
 */

/**
 * Another checkout with both families that misbehave. Used by tests only.
 *
 * @returns {{ directory: string, open: () => Comparison, remove: () => void }}
 */
export function openComparisons() {
  const directory = mkdtempSync(join(tmpdir(), 'assay-faults-'));
  const projectPath = join(directory, 'project');
  makeProject(projectPath, [FAMILY_PATH, SCRIPT_FAMILY_PATH]);
  return {
    directory,
    open: () => openComparison(mkdtempSync(join(directory, 'one-')), projectPath),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

/**
 * @param {WorkerKind} kind
 * @param {string} candidate
 * @param {string[]} [more] options
 * @returns {string[]} arguments
 */
export function compareArgs(kind, candidate, more = []) {
  return ['compare', 'once', candidate, '--family', `${kind}-family`, ...QUESTION, ...more];
}

/**
 * @param {string} path
 * @param {string} projectPath
 * @returns {Comparison}
 */
function openComparison(path, projectPath) {
  const [out, temporary, turns] = ['out', 'temporary', 'turns'].map((name) => join(path, name));
  for (const folder of [out, temporary, turns]) mkdirSync(folder);
  /** @type {Comparison['start']} */
  const start = (args, { variables = {}, shell = ':', isImpatient = false } = {}) => {
    const own = { TMPDIR: temporary, ASSAY_TURN_DIRECTORY: turns };
    const env = { ...process.env, ASSAY_INVOCATION_DIRECTORY: path, ...own, ...variables };
    const program = isImpatient ? 'testing/faults/run-impatient.js' : 'assay.js';
    const words = args[0] === 'compare' && !args.includes('--resume') ? ['--out', out] : [];
    const script = join(projectPath, 'harness', program);
    const command = [process.execPath, script, ...args, ...words];
    return spawn('/bin/sh', ['-c', `${shell}; exec "$@"`, 'sh', ...command], { env, cwd: path });
  };
  return {
    out,
    start,
    run: (args, options) => waitFor(start(args, options)),
    findRun: () => join(out, readdirSync(out)[0] ?? ''),
    listProcesses: () => listProcessesOf(temporary),
    mend: () => writeFileSync(join(temporary, 'mended'), ''),
  };
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<Ended>}
 */
export async function waitFor(child) {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const [status] = await once(child, 'close');
  return { status, stdout, stderr: joinErrorLines(stderr) };
}

/**
 * @param {string} path of a run
 * @returns {import('../../formats/types.ts').Observation[]}
 */
export function readObservations(path) {
  const text = readFileSync(join(path, 'observations.ndjson'), 'utf8');
  // Of a run that goes on, the last line may not be whole yet.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}
