/**
 * Runs test files in processes that keep their modules. jest-light-runner has such a runner, whose processes ask for their
 * configuration; but it answers all of them when one asks, and then forgets who has not asked yet. Such a process waits for
 * ever (0.7.11 to 0.8.2). Here each file brings the answer along.
 */
import { createRunner } from 'jest-light-runner';

/** @typedef {(message: unknown) => void} Listener */

const QUESTION = 'jest-light-runner-get-worker-data';
const ANSWER = 'jest-light-runner-worker-data';

/** The pool of each configuration, with channels of its own. */
class Runners extends Map {
  /** @param {object} globalConfig */
  constructor(globalConfig) {
    super();
    this.globalConfig = globalConfig;
  }

  /** @param {object} projectConfig  @param {{ pool: any }} runner */
  set(projectConfig, { pool }) {
    const workerData = {
      globalConfig: this.globalConfig,
      projectConfig,
      runtime: 'child_process',
    };
    return super.set(projectConfig, {
      pool,
      run: (/** @type {{ path: string }} */ { path }) =>
        pool.run(path, { channel: openChannel({ type: ANSWER, workerData }) }),
    });
  }
}

/** @param {unknown} answer */
function openChannel(answer) {
  /** To the process that runs the file. @type {Listener} */
  let send = () => {};
  return {
    onMessage: (/** @type {Listener} */ listener) => void (send = listener),
    postMessage: (/** @type {unknown} */ message) => message === QUESTION && send(answer),
  };
}

/** The runner of jest.config.js. */
export default class ProcessRunner extends createRunner({ runtime: 'child_process' }) {
  /** @param {any} globalConfig */
  constructor(globalConfig) {
    super(globalConfig);
    // One worker alone is Jest's own process.
    if (globalConfig.maxWorkers > 1) this._testRunners = new Runners(globalConfig);
  }
}
