import { describeValue } from '../describe-value.js';
import { digestFrames } from '../frames.js';
import { fixRandom } from './load.js';

/** @import { ListedCase, ListReport } from '../../formats/types.ts' */
/** @import { LoadedCases } from './load.js' */
/** @import { RecordedCase } from './recorder.js' */

/** Calls of a case to see whether its result is always the same, and how long they may take. */
const CALLS = 20;
const MAX_MS = 200;
const MAX_LENGTH = 300;
/** A line of a description of a value. */
const FUNCTION = /\tfunction\t/;

/**
 * Calls every case of benchmark files, and says what becomes of it.
 *
 * @param {LoadedCases} loaded
 * @returns {Promise<Pick<ListReport, 'cases' | 'failures' | 'printed'>>}
 */
export async function listCases({ cases, failures, printed }) {
  const listed = [];
  for (const { name, file, ...rest } of cases) {
    const { trait } = rest;
    listed.push({
      name,
      file,
      ...(trait === undefined ? {} : { trait }),
      ...(await tryCase(rest)),
    });
  }
  return { cases: listed, failures, printed };
}

/** @type {(recorded: Omit<RecordedCase, 'name' | 'file'>) => Promise<Pick<ListedCase, 'outcome' | 'detail' | 'isAsync'>>} */
async function tryCase({ fn, setUp, trait, problem }) {
  if (problem !== undefined) return { outcome: 'unsuitable', detail: problem };
  const restore = fixRandom();
  try {
    for (const step of setUp) await step();
  } catch (error) {
    return { outcome: 'throws', detail: describe(error, 'its set-up throws') };
  } finally {
    restore();
  }
  try {
    return trait === 'timer' ? await tryTimer(fn) : await tryCalls(fn);
  } catch (error) {
    return { outcome: 'throws', detail: describe(error, 'it throws') };
  }
}

/** @type {(error: unknown, what: string) => string} */
function describe(error, what) {
  return `${what} ${String(error)}`.slice(0, MAX_LENGTH);
}

/** @param {Function} fn */
async function tryTimer(fn) {
  const skip = () => {};
  const result = fn({ count: 1, start: skip, end: skip });
  if (!isPromise(result)) return { outcome: /** @type {const} */ ('nothing') };
  await result;
  return {
    outcome: /** @type {const} */ ('unsuitable'),
    detail: 'it loops itself, asynchronously',
  };
}

/** @param {Function} fn @returns {Promise<Pick<ListedCase, 'outcome' | 'detail' | 'isAsync'>>} */
async function tryCalls(fn) {
  const made = fn();
  const how = isPromise(made) ? { isAsync: /** @type {const} */ (true) } : {};
  const first = await made;
  if (first === undefined) return { outcome: 'nothing', ...how };
  if (FUNCTION.test(describeValue(first))) return { outcome: 'code', ...how };
  const digest = digestFrames([first]);
  const startMs = performance.now();
  for (let call = 1; call < CALLS && (call < 3 || performance.now() - startMs < MAX_MS); call++) {
    if (digestFrames([await fn()]) !== digest) return { outcome: 'varies', ...how };
  }
  return { outcome: 'value', detail: digest, ...how };
}

/** @param {any} value */
function isPromise(value) {
  return typeof value?.then === 'function';
}
