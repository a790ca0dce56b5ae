import { spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pickVariables } from '../../host/processes.js';
import { findReason } from '../../lib/failures.js';
import { isAlive } from '../../lib/processes.js';
import { findTool } from '../../host/tools.js';

/** @import { Readable, Writable } from 'node:stream' */

/** Enough for the last message of a browser that does not start. */
const MAX_LOG_LENGTH = 20_000;
/** How long the children of a browser that ended may keep its streams open. */
const CLOSE_TIMEOUT_MS = 1000;
const DIRECTORY_START = 'assay-chromium-';
/** Name of the directory in which a browser has its socket. */
const SOCKET_DIRECTORY = /^\.?(?:org\.chromium|com\.google)\./;

/**
 * What a browser does besides showing pages would disturb the measurement. Its own sandbox is off: variants are
 * trusted as under Node, and `--sandbox` of Assay confines the browser as a whole.
 */
const FLAGS = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-sandbox',
  '--no-startup-window',
  '--no-first-run',
  '--no-pings',
  '--log-level=3',
  '--password-store=basic',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-features=DialMediaRouteProvider,MediaRouter,OptimizationHints,SpareRendererForSitePerProcess',
  '--disable-gpu',
  '--disable-renderer-backgrounding',
  '--disable-sync',
];

/** Names of the program. */
const NAMES = Object.freeze([
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]);

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null} absolute path of a Chromium in the PATH
 */
export function findChromium(environment) {
  return NAMES.map((name) => findTool(name, environment)).find((path) => path !== null) ?? null;
}

/**
 * A browser and the DevTools protocol with it, over a pipe: no port is open.
 * https://chromedevtools.github.io/devtools-protocol/
 *
 * @typedef {object} Browser
 * @property {(method: string, params?: object, sessionId?: string) => Promise<any>} send rejects when the browser
 *   refuses or ends
 * @property {(method: string, listener: (params: any) => void) => void} listen to events of all sessions
 * @property {Promise<string>} ended resolves to the reason
 * @property {() => Promise<void>} close kills it and removes its files
 */

/**
 * Starts a browser with a profile of its own.
 * @type {(executable: string, v8Flags: string[]) => Browser}
 */
export function startBrowser(executable, v8Flags) {
  removeOrphaned();
  const directory = mkdtempSync(join(tmpdir(), `${DIRECTORY_START}${process.pid}-`));
  const args = [...FLAGS, `--user-data-dir=${directory}`, `--js-flags=${v8Flags.join(',')}`];
  const child = spawn(executable, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: pickVariables(process.env),
  });
  const [, , log, input, output] = /** @type {[null, null, Readable, Writable, Readable]} */ (
    /** @type {unknown} */ (child.stdio)
  );
  let logged = '';
  log.on('data', (chunk) => (logged = `${logged}${chunk}`.slice(-MAX_LOG_LENGTH)));
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', () => resolve(`the browser ended: ${findReason(logged)}`));
    child.on('exit', () => {
      const close = () => [log, input, output].forEach((stream) => stream.destroy());
      setTimeout(close, CLOSE_TIMEOUT_MS).unref();
    });
  });
  const connection = connect(input, output);
  ended.then(connection.end);
  return {
    send: connection.send,
    listen: connection.listen,
    ended,
    async close() {
      child.kill('SIGKILL');
      await ended;
      removeProfile(directory);
    },
  };
}

/** Removes the profiles that killed workers left behind. */
function removeOrphaned() {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^assay-chromium-(\d+)-/.exec(name) ?? [];
    const directory = join(tmpdir(), name);
    if (pid !== undefined && isOwnDirectory(directory) && !isAlive(Number(pid))) {
      removeProfile(directory);
    }
  }
}

/**
 * @param {string} directory profile; its link `SingletonSocket` points to a socket in a separate temporary directory
 */
function removeProfile(directory) {
  const link = join(directory, 'SingletonSocket');
  const paths = [directory];
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    const path = resolve(directory, dirname(readlinkSync(link)));
    const isOfBrowser = dirname(path) === tmpdir() && SOCKET_DIRECTORY.test(basename(path));
    if (isOfBrowser && isOwnDirectory(path)) paths.unshift(path);
  }
  for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

/** Anybody can put a directory, or a link to one, into that of temporary files. @param {string} path */
function isOwnDirectory(path) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

/**
 * @param {Writable} input of the browser
 * @param {Readable} output messages, each with a NUL after it
 * @returns {Pick<Browser, 'send' | 'listen'> & { end: (reason: string) => void }}
 */
function connect(input, output) {
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  /** @type {Map<string, (params: any) => void>} */
  const listeners = new Map();
  /** @type {string | null} */
  let endReason = null;
  let lastId = 0;
  input.on('error', () => {});
  readMessages(output, function receive({ id, method, params, result, error }) {
    if (id === undefined) return listeners.get(method)?.(params);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  });
  return {
    listen: (method, listener) => void listeners.set(method, listener),
    send(method, params = {}, sessionId) {
      if (endReason !== null) return Promise.reject(new Error(endReason));
      const id = ++lastId;
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    end(reason) {
      endReason ??= reason;
      for (const { reject } of waiting.values()) reject(new Error(reason));
      waiting.clear();
    },
  };
}

/** @param {Readable} stream @param {(message: any) => void} receive */
function readMessages(stream, receive) {
  /** @type {Buffer[]} */
  let parts = [];
  stream.on('data', function split(/** @type {Buffer} */ chunk) {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      receive(JSON.parse(Buffer.concat([...parts, chunk.subarray(start, end)]).toString()));
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  });
}
