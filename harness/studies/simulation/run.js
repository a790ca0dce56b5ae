import { once } from 'node:events';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { simulate } from './scenario.js';
import { SCENARIOS, nameOf } from './scenarios.js';

/** @import { Scenario } from './scenario.js' */

/** @import { SimulatedScenario } from '../../formats/types.ts' */

/**
 * Simulates scenarios, several at a time.
 *
 * @param {Scenario[]} scenarios
 * @param {object} choice
 * @param {number} choice.runs of each scenario
 * @param {number} choice.seed equal seeds give equal results, whatever the number of threads
 * @param {number} choice.threads
 * @param {(name: string, done: number) => void} choice.onDone
 * @param {AbortSignal} choice.signal ends the threads
 * @returns {Promise<SimulatedScenario[]>} in the order given
 */
export async function simulateAll(scenarios, { runs, seed, threads, onDone, signal }) {
  /** @type {SimulatedScenario[]} */
  const results = [];
  const waiting = scenarios.map((scenario, index) => ({ scenario, index }));
  let done = 0;
  async function runThread() {
    const worker = new Worker(new URL(import.meta.url), { workerData: { runs, seed } });
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { scenario, index } = next;
        const { group, name, limits } = scenario;
        worker.postMessage(nameOf(scenario));
        const [rates] = await once(worker, 'message', { signal });
        results[index] = { group, name, limits, rates };
        done += 1;
        onDone(nameOf(scenario), done);
      }
    } finally {
      await worker.terminate();
    }
  }
  await Promise.all(Array.from({ length: threads }, runThread));
  return results;
}

/** @param {string} wanted name of a scenario */
function answer(wanted) {
  const scenario = SCENARIOS.find((each) => nameOf(each) === wanted);
  if (scenario === undefined) throw new Error(`no scenario '${wanted}'`);
  const { runs, seed } = workerData;
  parentPort?.postMessage(simulate(scenario, runs, seed));
}

if (!isMainThread) parentPort?.on('message', answer);
