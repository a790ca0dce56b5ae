import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import threads from 'node:worker_threads';
import { beginFile, recordCase, takeCases } from './recorder.js';

/** @import { RecordedCase } from './recorder.js' */

/** How long a file may wait for something, such as a server that it has started. */
const MAX_WAIT_MS = 20_000;
/** Turns of the event loop in which a thread of a file may still answer. */
const LAST_TURNS = 5;
const SEED = 0x9e3779b9;
const { cache } = createRequire(import.meta.url);

/**
 * @typedef {object} LoadedCases
 * @property {RecordedCase[]} cases in the order in which they are defined
 * @property {Record<string, string>} failures why a file has no case, by its name
 */

/**
 * Runs benchmark files with the stand-ins for benchmark packages, which record cases and time nothing. Until a file has
 * ended, random numbers are the same in every process, `process.exit` ends only the file, and threads that it starts run
 * in this one.
 *
 * @param {string} directory absolute path, in which files run
 * @param {Record<string, string>} files absolute paths by name
 * @param {string[]} args of the files
 * @returns {Promise<LoadedCases>}
 */
export async function loadBenchmarks(directory, files, args) {
  process.chdir(directory);
  /** @type {RecordedCase[]} */
  const cases = [];
  /** @type {Record<string, string>} */
  const failures = {};
  for (const [name, path] of Object.entries(files)) {
    process.argv.splice(1, Infinity, path, ...args);
    beginFile(name);
    const restore = [fixRandom(), replaceExit(), replaceThreads()];
    const { module, problem } = await runFile(path);
    let found = takeCases();
    if (found.length === 0 && problem === null) {
      recordExports(module);
      found = takeCases();
    }
    for (const put of restore) put();
    cases.push(...found);
    if (found.length === 0)
      failures[name] = problem ?? 'it defines no case and exports no function';
  }
  return { cases, failures };
}

/** What `process.exit` throws, which ends a file. */
class Exit extends Error {}

/** @type {(path: string) => Promise<{ module: Record<string, unknown>, problem: string | null }>} */
async function runFile(path) {
  /** @type {unknown[]} */
  const thrown = [];
  const keep = (/** @type {unknown} */ error) => void thrown.push(error);
  process.on('unhandledRejection', keep);
  process.on('uncaughtException', keep);
  const loaded = import(pathToFileURL(path).href).catch(keep);
  const module = await Promise.race([loaded, waitUntilIdle()]);
  await waitUntilIdle();
  process.off('unhandledRejection', keep);
  process.off('uncaughtException', keep);
  const error = thrown.find((one) => !(one instanceof Exit));
  return { module: module ?? {}, problem: error === undefined ? null : String(error) };
}

/** Waits until this process has nothing left to do, which is when a file has ended. @returns {Promise<void>} */
function waitUntilIdle() {
  return new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS).unref();
    process.once('beforeExit', () => setImmediate(resolve));
  });
}

/**
 * Records the functions that a module exports, which are its cases if it uses no benchmark package.
 * @param {Record<string, any>} module
 */
function recordExports({ default: whole, ...named }) {
  const inside = typeof whole === 'function' ? { [whole.name || 'default']: whole } : whole;
  for (const [name, fn] of Object.entries({ ...inside, ...named })) {
    if (typeof fn !== 'function' || String(fn).startsWith('class')) continue;
    recordCase(name, fn, fn.length > 0 ? { problem: 'it takes arguments' } : {});
  }
}

/**
 * Has `Math.random` give the same numbers in every process, so that both variants work on the same values.
 *
 * @returns {() => void} puts it back
 */
export function fixRandom() {
  const { random } = Math;
  let state = SEED;
  // Mulberry32.
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => {
    Math.random = random;
  };
}

function replaceExit() {
  const { exit } = process;
  process.exit = () => {
    throw new Exit('process.exit');
  };
  return () => {
    process.exit = exit;
  };
}

/** Runs the file of a thread here, one after the other, so that the cases that it defines are found. */
class HereThread extends EventEmitter {
  static #last = Promise.resolve();
  static #count = 0;

  /** @param {string | URL} file @param {{ workerData?: unknown }} [options] */
  constructor(file, { workerData = null } = {}) {
    super();
    const path = typeof file === 'string' && !file.startsWith('file:') ? file : fileURLToPath(file);
    HereThread.#last = HereThread.#last.then(() => this.#run(path, workerData));
  }

  /** @param {string} path @param {unknown} workerData */
  async #run(path, workerData) {
    const parentPort = new EventEmitter();
    Object.assign(parentPort, {
      postMessage: (/** @type {unknown} */ message) => void this.emit('message', message),
      close: () => {},
      ref: () => {},
      unref: () => {},
    });
    Object.assign(threads, {
      workerData: structuredClone(workerData),
      parentPort,
      isMainThread: false,
    });
    syncBuiltinESMExports();
    this.emit('online');
    try {
      // Each thread has modules of its own; here only its file is loaded again.
      delete cache[path];
      await import(`${pathToFileURL(path).href}?thread=${HereThread.#count++}`);
      for (let turn = 0; turn < LAST_TURNS; turn++) await nextTurn();
    } catch (error) {
      if (!(error instanceof Exit) && this.listenerCount('error') > 0) this.emit('error', error);
    }
    this.emit('exit', 0);
  }

  postMessage() {}

  ref() {}

  unref() {}

  async terminate() {
    return 0;
  }
}

function replaceThreads() {
  const original = { ...threads };
  Object.assign(threads, { Worker: HereThread });
  syncBuiltinESMExports();
  return () => {
    Object.assign(threads, original);
    syncBuiltinESMExports();
  };
}
