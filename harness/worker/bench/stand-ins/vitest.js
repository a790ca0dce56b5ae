import { recordCase, recordGroup, recordSetUp } from '../recorder.js';

/** @typedef {Record<string, any>} Options */

const EACH = 'it needs beforeEach or afterEach around every call, which would be timed with it';

const skip = () => {};

/** @type {(name: unknown, fn: unknown, options?: Options) => void} */
function recordBench(name, fn, options = {}) {
  const { setup, beforeAll: before, beforeEach: each, afterEach: after } = options;
  recordCase(nameOf(name), fn, {
    setUp: [() => setup?.({ name: nameOf(name) }, 'run'), () => before?.('run')],
    ...(each || after ? { problem: EACH } : {}),
  });
}

/** @type {(name: unknown, first?: unknown, second?: unknown) => unknown} options come before the function or after it */
function recordSuite(name, first, second) {
  const define = [first, second].find((one) => typeof one === 'function') ?? skip;
  return recordGroup(nameOf(name), /** @type {() => unknown} */ (define));
}

/** @param {unknown} name a text, or what has the name of a case */
function nameOf(name) {
  return typeof name === 'function' ? name.name : name;
}

/** @type {<T extends Function>(record: T) => any} with the forms of vitest */
function withForms(record) {
  const when = (/** @type {unknown} */ condition) => (condition ? withForms(record) : skip);
  return Object.assign((/** @type {unknown[]} */ ...args) => record(...args), {
    skip,
    todo: skip,
    only: record,
    concurrent: record,
    sequential: record,
    shuffle: record,
    runIf: when,
    skipIf: (/** @type {unknown} */ condition) => when(!condition),
  });
}

export const bench = withForms(recordBench);
export const describe = withForms(recordSuite);
export const suite = describe;
export const test = withForms(skip);
export const it = test;
export const afterAll = skip;
export const afterEach = skip;
export const vi = {};
export const vitest = vi;

/** @param {() => unknown} setUp */
export function beforeAll(setUp) {
  recordSetUp(() => setUp());
}

// Vitest calls it before each benchmark, not before each call.
export const beforeEach = beforeAll;

/** Throws: what it would check is not what is measured. */
export function expect() {
  throw new Error('expect of vitest is not there while benchmarks are measured');
}

export const assert = expect;
