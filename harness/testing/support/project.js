import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROJECT } from '../../lib/project.js';
import { omitUndefined } from '../../lib/records.js';
import { noteEnded } from './ended-command.js';

/** @import { TextSink } from '../../cli/cli.js' */

/** @import { RunJob } from '../../run/jobs.js' */
/** @typedef {'script' | 'program'} WorkerKind the JavaScript worker, or a family's own program */

/** Absolute path of the fake family. */
export const FAKE_FAMILY_PATH = fileURLToPath(new URL('../fake-family', import.meta.url));

const PARTS = [
  ...['harness', 'corpora', 'reports', join('experiments', 'support')],
  ...['package.json', 'package-lock.json'],
];
const LEFT_OUT = [PROJECT.runsPath, join(PROJECT.reportsPath, 'examples')];

/**
 * Makes another checkout of the same sources, with its own families and an empty cache.
 *
 * @param {string} projectPath absolute; made here
 * @param {string[]} families absolute paths of the folders that are copied into `experiments/`
 * @param {WorkerKind[]} [fakes] workers for which the fake family is copied, as `fake-script` and
 *   `fake-program`
 */
export function makeProject(projectPath, families, fakes = []) {
  const experimentsPath = join(projectPath, 'experiments');
  mkdirSync(experimentsPath, { recursive: true });
  for (const part of PARTS) {
    cpSync(join(PROJECT.projectPath, part), join(projectPath, part), {
      recursive: true,
      filter: (path) => !LEFT_OUT.includes(path) && !path.endsWith('.test.js'),
    });
  }
  symlinkSync(join(PROJECT.projectPath, 'node_modules'), join(projectPath, 'node_modules'));
  for (const path of families) {
    cpSync(path, join(experimentsPath, basename(path)), { recursive: true });
  }
  for (const kind of fakes) {
    cpSync(FAKE_FAMILY_PATH, join(experimentsPath, `fake-${kind}`), {
      recursive: true,
      filter: (path) => kind === 'program' || basename(path) !== 'worker.js',
    });
  }
}

/**
 * Runs Assay as a user would, except that it waits for no other run.
 *
 * @param {string[]} args
 * @param {object} [place]
 * @param {string} [place.workingPath] directory in which the command is typed
 * @param {string} [place.projectPath] another checkout of Assay
 * @param {Record<string, string>} [place.variables] added to the environment
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>} `stderr` with each message
 *   and each remedy on one line
 */
export function runAssay(args, place = {}) {
  const { workingPath = process.cwd(), projectPath = PROJECT.projectPath, variables = {} } = place;
  const locks = mkdtempSync(join(tmpdir(), 'assay-locks-'));
  const own = { ASSAY_INVOCATION_DIRECTORY: workingPath, ASSAY_LOCK_DIRECTORY: locks };
  const env = { ...process.env, ...own, ...variables };
  const bin = join(projectPath, 'harness', 'assay.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env }, (error, stdout, stderr) => {
      rmSync(locks, { recursive: true });
      const status = error === null ? 0 : Number(error.code);
      resolve(noteEnded(args, { status, stdout, stderr: joinErrorLines(stderr) }));
    });
  });
}

/**
 * Runs Assay in this process, which costs a tenth of `runAssay` from the second call on. Not for what
 * depends on signals, standard streams or variables that are read when Assay is loaded, such as
 * `ASSAY_CACHE_DIRECTORY`.
 *
 * @param {string[]} args
 * @param {object} [place]
 * @param {string} [place.workingPath] directory in which the command is typed
 * @param {string} [place.projectPath] another checkout of Assay
 * @param {Record<string, string | undefined>} [place.environment] instead of that of this process; without
 *   `ASSAY_LOCK_DIRECTORY` in it there is no other run
 * @param {number} [place.columns] of the terminal; without it the output is no terminal
 * @param {TextSink} [place.screen] terminal that both streams write to, instead of being returned
 * @param {Buffer} [place.input] standard input; without it there is none
 * @param {AbortSignal} [place.signal] an interrupt
 * @param {RunJob} [place.runJob] in place of processes
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>} `stderr` as in `runAssay`, or
 *   as it is in a terminal
 */
export async function callAssay(args, place = {}) {
  const { workingPath = process.cwd(), projectPath = PROJECT.projectPath } = place;
  const { environment = process.env, columns, screen } = place;
  const { signal = new AbortController().signal, runJob, input } = place;
  const stdin = input === undefined ? undefined : () => Readable.from([input]);
  const { main } = await import(pathToFileURL(join(projectPath, 'harness/cli/cli.js')).href);
  const chosenLocks = place.environment?.ASSAY_LOCK_DIRECTORY;
  const locks = chosenLocks ?? mkdtempSync(join(tmpdir(), 'assay-locks-'));
  const written = { stdout: '', stderr: '' };
  const terminal = columns === undefined ? {} : { columns };
  const status = await main(args, {
    stdout: screen ?? {
      write: (/** @type {string} */ text) => (written.stdout += text),
      ...terminal,
      isTTY: columns !== undefined,
    },
    stderr: screen ?? {
      write: (/** @type {string} */ text) => (written.stderr += text),
      ...terminal,
    },
    environment: { ...environment, ASSAY_LOCK_DIRECTORY: locks },
    workingPath,
    signal,
    ...omitUndefined({ runJob, stdin }),
  });
  if (chosenLocks === undefined) rmSync(locks, { recursive: true });
  const { stdout, stderr } = written;
  const told = columns === undefined ? joinErrorLines(stderr) : stderr;
  return noteEnded(args, { status, stdout, stderr: told });
}

/**
 * Undoes the wrapping of messages.
 *
 * @param {string} stderr
 * @returns {string} with each message and each remedy on one line
 */
export function joinErrorLines(stderr) {
  return stderr.replaceAll(/\n(?: {7}| {4})(?=\S)/g, ' ');
}

/**
 * Finds processes by their command line or initial environment, on Linux.
 *
 * @param {string} word that one of them contains, such as the path of a temporary directory
 * @returns {{ pid: number, commandLine: string }[]}
 */
export function listProcesses(word) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const [commandLine = '', environment = ''] = ['cmdline', 'environ'].map((name) =>
        readFileSync(join('/proc', pid, name), 'utf8').replaceAll('\0', ' '),
      );
      const isFound = commandLine.includes(word) || environment.includes(word);
      return isFound ? [{ pid: Number(pid), commandLine }] : [];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });
}

/** Far more than a killed process needs to end. */
const ENDING_MS = 60_000;

/**
 * Expects that processes have ended or end by themselves: one that was killed is still there until it gets a core.
 *
 * @param {() => { commandLine: string }[]} list those that are left
 */
export async function expectNoProcesses(list) {
  const endMs = Date.now() + ENDING_MS;
  while (list().length > 0 && Date.now() < endMs) await delay(20);
  expect(list()).toEqual([]);
}
