import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import threads from 'node:worker_threads';
import { beginFile, recordCase, takeCases } from './recorder.js';

/** @import { RecordedCase } from './recorder.js' */

/** How long a file may wait for something, such as a server that it has started. */
const MAX_WAIT_MS = 20_000;
/** Turns of the event loop in which a thread of a file may still answer. */
const LAST_TURNS = 5;
/** Of what a file without a case printed. */
const LAST_CHARACTERS = 2_000;
const LAST_LINES = 5;
const SEED = 0x9e3779b9;
const { cache } = createRequire(import.meta.url);

/**
 * @typedef {object} LoadedCases
 * @property {RecordedCase[]} cases in the order in which they are defined
 * @property {Record<string, string>} failures why a file has no case, by its name
 * @property {Record<string, string[]>} printed the last lines that these files printed
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
  /** @type {Record<string, string[]>} */
  const printed = {};
  for (const [name, path] of Object.entries(files)) {
    process.argv.splice(1, Infinity, path, ...args);
    beginFile(name);
    const output = keepOutput();
    const restore = [fixRandom(), replaceExit(), replaceThreads(), output.restore];
    const { module, problem, ended } = await runFile(path);
    let found = takeCases();
    if (found.length === 0 && problem === null) {
      recordExports(module);
      found = takeCases();
    }
    for (const put of restore) put();
    cases.push(...found);
    if (found.length > 0) continue;
    failures[name] = problem ?? `it defines no case and exports no function${ended}`;
    printed[name] = output.lines();
  }
  return { cases, failures, printed };
}

/** What `process.exit` throws, which ends a file. Its message is the status, or empty. */
class Exit extends Error {}

/**
 * @param {string} path
 * @returns {Promise<{ module: Record<string, unknown>, problem: string | null, ended: string }>} `ended`: how, if it is not
 *   at its end
 */
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
  const exit = thrown.find((one) => one instanceof Exit);
  return {
    module: module ?? {},
    problem: error === undefined ? null : String(error),
    ended: exit === undefined ? '' : `, and calls process.exit(${exit.message})`,
  };
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
  process.exit = (code) => {
    throw new Exit(String(code ?? ''));
  };
  return () => {
    process.exit = exit;
  };
}

/** Keeps the last of what a file prints. @returns {{ lines: () => string[], restore: () => void }} */
function keepOutput() {
  let kept = '';
  const restores = [process.stdout, process.stderr].map((stream) => {
    const { write } = stream;
    stream.write = /** @type {typeof write} */ (
      (/** @type {any[]} */ ...args) => {
        kept = `${kept}${args[0]}`.slice(-LAST_CHARACTERS);
        return Reflect.apply(write, stream, args);
      }
    );
    return () => {
      stream.write = write;
    };
  });
  return {
    lines: () =>
      stripVTControlCharacters(kept)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(-LAST_LINES),
    restore: () => restores.forEach((restore) => restore()),
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
      if (error instanceof Exit) {
        // The end of this thread alone.
      } else if (this.listenerCount('error') > 0) {
        this.emit('error', error);
      } else {
        // As an error of a thread that nobody listens to, it is one of the file.
        void Promise.reject(error);
      }
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
