import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wrapText } from '../../lib/wrap.js';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { refuseProfile } from '../../run/store.js';
import { PROJECT } from '../../lib/project.js';
import { showPath, terminalOf } from '../publish.js';

/** @import { Io } from '../cli.js' */

/** Of a run, of a reproduction, of a calibration, of a comparison of benchmark tools. */
const REPORTS = ['report.html', 'reproduction.html', 'calibration.html', 'peers.html'];
/** What opens a file with the program that the user likes, by platform. */
const OPENERS = new Map([
  ['darwin', ['open']],
  ['win32', ['cmd', '/c', 'start', '']],
]);
const OTHER_OPENER = ['xdg-open'];
/** An opener that has nothing to open with says so sooner. */
const OPENER_MS = 2_000;

/**
 * `just open [RUN]`: opens the report of a run, reproduction, calibration or comparison of tools, of the
 * last one where none is named.
 *
 * @param {(string | undefined)[]} args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when there is no report
 */
export async function runCommand([run], _options, io) {
  const path = run === undefined ? findLastReport() : findReport(resolve(io.workingPath, run), run);
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
 * @returns {string}
 */
function findReport(path, typed) {
  const files = path.endsWith('.html') ? [path] : listReports(path);
  const file = files.find((one) => existsSync(one));
  if (file !== undefined) return file;
  refuseProfile(path, 'has no page to open');
  throw new UsageError(`'${typed}' has no report of HTML`, {
    remedy:
      'name a directory under reports/runs/, or make the report of an older run with: just report RUN --format html',
  });
}

/**
 * @param {string} path of a run, or of what else has a report
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
    remedy: 'make one with: just compare generator linked-list',
  });
}

/**
 * @param {string} path
 * @param {Io} io
 * @returns {Promise<boolean>} whether there was something to open it with
 */
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
  // Some openers stay for as long as the browser does.
  const stays = sleep(OPENER_MS, true, { signal: waiting.signal }).catch(() => true);
  const isOpened = await Promise.race([ended, stays]);
  waiting.abort();
  return isOpened;
}
