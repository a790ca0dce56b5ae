import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STUDIES } from '../../formats/registry.js';
import { EXIT, UsageError } from '../../lib/errors.js';
import { PROJECT, RUNS } from '../../lib/project.js';
import { wrapText } from '../../lib/columns.js';
import { PROGRAM } from '../../lib/program.js';
import { showPath, terminalOf } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration } from '../types.ts' */

/** @type {CommandDeclaration} */
export const command = {
  summary: 'open the report of a run in the browser',
  arguments: [['[run]', 'directory of a run or a study (default: the last)']],
  run,
};

const REPORTS = ['report', ...Object.keys(STUDIES)].map((name) => `${name}.html`);
/** Commands that open a file in the user's default program, by platform. */
const OPENERS = new Map([
  ['darwin', ['open']],
  ['win32', ['cmd', '/c', 'start', '']],
]);
const OTHER_OPENER = ['xdg-open'];
/** An opener that finds no program fails within this time. */
const OPENER_MS = 2_000;

/**
 * @param {(string | undefined)[]} args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when there is no report
 */
async function run([typed], _options, io) {
  const path =
    typed === undefined
      ? findLastReport()
      : await findReport(resolve(io.workingPath, typed), typed);
  const isOpened = await openFile(path, io);
  const shown = showPath(path, io.workingPath);
  const lines = isOpened
    ? [shown]
    : wrapText(`Open this in a browser: ${shown}`, terminalOf(io).width, { next: '  ' });
  io.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

/**
 * @param {string} path absolute: the report, or the directory of its run
 * @param {string} typed
 * @returns {Promise<string>}
 */
async function findReport(path, typed) {
  const files = path.endsWith('.html') ? [path] : listReports(path);
  const file = files.find((one) => existsSync(one));
  if (file !== undefined) return file;
  const { refuseProfile } = await import('../../run/store.js');
  refuseProfile(path, 'has no page to open');
  throw new UsageError(`'${typed}' has no HTML report`, {
    remedy: `name a directory under ${RUNS}/, or write the report of an older run with: ${PROGRAM} report RUN --format html`,
  });
}

/**
 * @param {string} path of a directory
 * @returns {string[]} where its report may be
 */
function listReports(path) {
  return REPORTS.map((name) => join(path, name));
}

/** @returns {string} */
function findLastReport() {
  const names = existsSync(PROJECT.runsPath) ? readdirSync(PROJECT.runsPath) : [];
  const reports = names
    .flatMap((name) => listReports(join(PROJECT.runsPath, name)))
    .filter((path) => existsSync(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const [last] = reports;
  if (last !== undefined) return last;
  throw new UsageError('there is no report yet', {
    remedy: `make one with: ${PROGRAM} compare generator linked-list`,
  });
}

/** @type {(path: string, io: Io) => Promise<boolean>} false if there is no program to open it with */
async function openFile(path, { environment }) {
  const [command, ...args] = OPENERS.get(platform()) ?? OTHER_OPENER;
  const child = spawn(/** @type {string} */ (command), [...args, path], {
    detached: true,
    stdio: 'ignore',
    env: environment,
  });
  child.unref();
  const waiting = new AbortController();
  const ended = new Promise((done) => {
    child.on('error', () => done(false));
    child.on('exit', (status) => done(status === 0));
  });
  // Some openers run as long as the browser does.
  const stays = sleep(OPENER_MS, true, { signal: waiting.signal }).catch(() => true);
  const isOpened = await Promise.race([ended, stays]);
  waiting.abort();
  return isOpened;
}
