/** What this process has loaded. Everything that it uses is taken before a variant is loaded, which could replace it. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { unbind } from './bound.js';

/** @import { Job } from '../formats/types.ts' */

const { keys } = Object;
const { cache } = createRequire(import.meta.url);
const startsWith = unbind(String.prototype.startsWith);
const pathOf = fileURLToPath;

/**
 * Returns what lists the files of the modules that this process has loaded: ES modules, CommonJS, JSON and native
 * addons. It asks V8, which takes time: call it after what is timed. A timed job may miss modules whose code V8 has
 * dropped; they are known from the jobs that check the output, which ask for all scripts.
 *
 * @param {Job['kind']} kind of the job
 * @returns {Promise<() => string[]>} absolute paths, some of them twice
 */
export async function openLoadedFiles(kind) {
  const { Session } = await import('node:inspector');
  const session = new Session();
  const connect = session.connect.bind(session);
  /** @type {(method: string, ...rest: any[]) => void} */
  const post = /** @type {any} */ (session.post.bind(session));
  const on = session.on.bind(session);
  return function listLoadedFiles() {
    // JSON and native addons are no scripts.
    const paths = keys(cache);
    /** @param {{ url: string }} script */
    function add({ url }) {
      if (startsWith(url, 'file:')) paths[paths.length] = pathOf(url);
    }
    connect();
    if (kind !== 'measure') {
      on('Debugger.scriptParsed', ({ params }) => add(params));
      post('Debugger.enable');
      return paths;
    }
    post('Profiler.enable');
    post(
      'Profiler.getBestEffortCoverage',
      (/** @type {unknown} */ _error, /** @type {any} */ answer) => {
        for (let index = 0; index < answer.result.length; index++) add(answer.result[index]);
      },
    );
    return paths;
  };
}
