import { describeValue } from '../../support/describe-value.js';
import { explainTextDifference } from '../../support/explain-difference.js';
import { nameError } from '../vectors/read-bytes.js';
import { isSameValue } from './same-value.js';

/**
 * The outcome of a call: its value or the class of its error.
 *
 * @typedef {{ value: any, error: null } | { value: null, error: string }} Outcome
 *
 * @typedef {object} Problem
 * @property {string} kind kebab-case
 * @property {string} expected
 * @property {string} found
 */

/**
 * Calls and catches.
 *
 * @param {() => any} call
 * @returns {Outcome}
 */
export function attempt(call) {
  try {
    return { value: call(), error: null };
  } catch (error) {
    return { value: null, error: nameError(error) };
  }
}

/**
 * @param {Outcome} expected of reading a document
 * @param {Outcome} found
 * @returns {Problem | null}
 */
export function compareReadings(expected, found) {
  if (expected.error !== null || found.error !== null)
    return compareErrors(expected, found, 'read');
  if (isSameValue(expected.value, found.value)) return null;
  return { kind: 'other-value', ...explainValues(expected.value, found.value) };
}

/**
 * Compares two outcomes of which at least one is an error: both must be errors, of the same class
 * or of a documented one.
 *
 * @param {Outcome} expected
 * @param {Outcome} found
 * @param {string} verb
 * @returns {Problem | null}
 */
export function compareErrors(expected, found, verb) {
  if (expected.error === null) {
    return { kind: `not-${verb}`, expected: verb, found: `refused by ${found.error}` };
  }
  const refusal = `refused by ${expected.error}`;
  if (found.error === null) return { kind: `wrongly-${verb}`, expected: refusal, found: verb };
  if (found.error === expected.error || isPromised(found.error)) return null;
  return { kind: 'other-error', expected: refusal, found: `refused by ${found.error}` };
}

/**
 * Whether this error is documented for broken bytes; then it also matches any error of the reference.
 *
 * @param {string} name
 * @returns {boolean}
 */
function isPromised(name) {
  return name.startsWith('BSON') || name === 'RangeError';
}

/**
 * The same document in two buffers must have the same outcome.
 *
 * @param {Outcome} here
 * @param {Outcome} elsewhere
 * @returns {Problem | null}
 */
export function compareSurroundings(here, elsewhere) {
  if (here.error === elsewhere.error) {
    if (here.error !== null || isSameValue(here.value, elsewhere.value)) return null;
    return { kind: 'reads-outside', ...explainValues(here.value, elsewhere.value) };
  }
  const [expected, found] = [here, elsewhere].map(({ error }) => error ?? 'read');
  return { kind: 'reads-outside', expected, found };
}

/**
 * @param {any} expected
 * @param {any} found
 */
function explainValues(expected, found) {
  const texts = [expected, found].map((value) => Buffer.from(describeValue(value)));
  const parts = explainTextDifference(texts[0], texts[1]);
  return { expected: `${parts.path}: ${parts.expected}`, found: parts.found };
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} hex
 */
export function showBytes(bytes) {
  return Buffer.from(bytes).toString('hex');
}
