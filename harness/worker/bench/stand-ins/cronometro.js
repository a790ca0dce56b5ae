import { recordCase } from '../recorder.js';

/** @typedef {{ test?: Function, before?: Function, after?: Function }} Test */

const CALLBACK = 'it reports its end by a callback, which cannot be timed in a loop';

/** Stands in for the function of cronometro. @param {Record<string, Function | Test>} tests */
export async function cronometro(tests) {
  for (const [name, given] of Object.entries(tests)) {
    const { test, before } = typeof given === 'function' ? { test: given } : given;
    recordCase(name, test, {
      setUp: before === undefined ? [] : [() => setUpWith(before)],
      ...((test?.length ?? 0) > 0 ? { problem: CALLBACK } : {}),
    });
  }
  return {};
}

/** @param {Function} before may take a callback */
function setUpWith(before) {
  return before.length === 0 ? before() : new Promise((resolve) => void before(resolve));
}

export const isMainThread = true;
export default cronometro;
