/**
 * Runs a mongod on a free port of the loopback interface, with data of its own, until standard input ends: it cannot
 * outlive the process that started it. Prints its port.
 *
 * Usage: node mongod.js PATH_OF_MONGOD
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../harness/lib/processes.js';

const START_MS = 120_000;
const LOG_CHARACTERS = 2_000;
/** What mongod logs when it listens, as JSON or, before 4.4, as text. */
const LISTENING = /waiting for connections.*?port\D+(\d+)\D/i;
const PREFIX = 'assay-mongod-';

removeLeftBehind();
const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
const mongod = spawn(
  process.argv[2],
  [
    // It chooses a free port itself: one that was free before may not be when mongod has started.
    ...['--port', '0', '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--dbpath', directory, '--wiredTigerCacheSizeGB', '0.5'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
let log = '';
let isStopping = false;
let isListening = false;
for (const stream of [mongod.stdout, mongod.stderr]) stream.setEncoding('utf8').on('data', read);
const limit = setTimeout(() => {
  void fail(`mongod did not listen within ${START_MS / 1000} s: ${log.trim()}`);
}, START_MS);
mongod.on('error', ({ message }) => void fail(message));
mongod.on('exit', (status) => {
  if (!isStopping) void fail(`mongod ended with status ${status}: ${log.trim()}`);
});
const ending = once(mongod, 'exit').catch(() => {});
process.stdin.on('end', () => void stop(0)).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(1));

/** @param {string} text of the log */
function read(text) {
  log += text;
  const [, port] = (isListening ? null : LISTENING.exec(log)) ?? [];
  if (port !== undefined) {
    isListening = true;
    clearTimeout(limit);
    process.stdout.write(`${port}\n`);
  }
  log = log.slice(-LOG_CHARACTERS);
}

/** @type {(status: number) => Promise<void>} */
async function stop(status) {
  isStopping = true;
  mongod.kill('SIGKILL');
  await ending;
  rmSync(directory, { recursive: true, force: true });
  process.exit(status);
}

/** @type {(message: string) => Promise<void>} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  return stop(1);
}

/** Removes the data of servers that were killed before they could remove it themselves. */
function removeLeftBehind() {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const [owner] = name.slice(PREFIX.length).split('-');
    if (!isAlive(Number(owner))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
