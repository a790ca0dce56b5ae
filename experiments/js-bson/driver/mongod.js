/**
 * Runs a mongod on a free port of the loopback interface, with data of its own, until standard input ends: it cannot
 * outlive the process that started it. Prints its port.
 *
 * Usage: node mongod.js PATH_OF_MONGOD
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** @import { AddressInfo } from 'node:net' */

const START_MS = 20_000;
const POLL_MS = 20;
const LOG_CHARACTERS = 2_000;
const PREFIX = 'assay-mongod-';

const port = await findFreePort();
removeLeftBehind();
const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
const mongod = spawn(
  process.argv[2],
  [
    ...['--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--dbpath', directory, '--wiredTigerCacheSizeGB', '0.5'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
let log = '';
let isStopping = false;
for (const stream of [mongod.stdout, mongod.stderr]) {
  stream.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-LOG_CHARACTERS)));
}
mongod.on('error', ({ message }) => void fail(message));
mongod.on('exit', (status) => {
  if (!isStopping) void fail(`mongod ended with status ${status}: ${log.trim()}`);
});
const ending = once(mongod, 'exit').catch(() => {});
process.stdin.on('end', () => void stop(0)).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(1));

await waitForPort();
process.stdout.write(`${port}\n`);

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

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return address.port;
}

async function waitForPort() {
  for (const startMs = Date.now(); Date.now() - startMs < START_MS; await delay(POLL_MS)) {
    const socket = createConnection(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  await fail(`mongod did not listen within ${START_MS / 1000} s: ${log.trim()}`);
}
