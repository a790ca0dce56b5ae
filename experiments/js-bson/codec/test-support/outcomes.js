import assert from 'node:assert';
import { describeValue } from '../../../support/describe-value.js';

/**
 * What a call came to.
 * @typedef {{ value: any } | { error: Error }} Outcome
 */

/** Descriptions of values, cached by outcome. @type {WeakMap<Outcome, string>} */
const shown = new WeakMap();

/** Kinds of errors that a codec may answer with. */
const ALLOWED = ['BSONError', 'BSONVersionError', 'RangeError', 'TypeError'];

/**
 * Calls and catches.
 * @param {() => any} call
 * @returns {Outcome}
 */
export function outcomeOf(call) {
  try {
    return { value: call() };
  } catch (error) {
    return { error: /** @type {Error} */ (error) };
  }
}

/**
 * Fails where two outcomes differ: accepted or not, kind of error, value. A BSONError of ours is as
 * good as the TypeError or RangeError that bson runs into with some broken bytes.
 * @param {Outcome} ours
 * @param {Outcome} theirs
 * @param {string} label what was tried
 * @throws {Error} that names the case
 */
export function assertSameOutcome(ours, theirs, label) {
  if ('error' in ours || 'error' in theirs) {
    const found = describeOutcome(ours);
    const expected = describeOutcome(theirs);
    const isSame =
      found.kind === expected.kind || (found.kind === 'BSONError' && expected.kind !== 'accepted');
    assert.ok(isSame, `${label}: ${found.text} <> ${expected.text}`);
    assert.ok(ALLOWED.includes(found.kind), `${label}: ${found.text}`);
    return;
  }
  const expected = shown.get(theirs) ?? showValue(theirs.value);
  shown.set(theirs, expected);
  assert.strictEqual(showValue(ours.value), expected, label);
}

/**
 * @param {Outcome} outcome
 * @returns {{ kind: string, text: string }}
 */
function describeOutcome(outcome) {
  if (!('error' in outcome)) return { kind: 'accepted', text: 'accepted' };
  return { kind: outcome.error.name, text: `${outcome.error.name}: ${outcome.error.message}` };
}

/**
 * Everything of a value that a reader could see: types, order of keys, signs of zero. Bytes that
 * were written are distinguished by their content only.
 * @param {any} value
 * @returns {string}
 */
function showValue(value) {
  return Buffer.isBuffer(value) ? value.toString('hex') : describeValue(value);
}
