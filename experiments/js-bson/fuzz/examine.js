import {
  attempt,
  compareErrors,
  compareReadings,
  compareSurroundings,
  showBytes,
} from './compare-outcomes.js';
import { isSameValue } from './same-value.js';
import { TwoArenas } from './two-arenas.js';

/** @import { Codec } from '../vectors/read-bytes.js' */
/** @import { Outcome, Problem } from './compare-outcomes.js' */
/** @import { Handling } from './mutate-document.js' */

/**
 * @typedef {object} Tally
 * @property {number} accepted by the reference
 * @property {number} refused
 * @property {number} checks outcomes compared with the reference's
 * @property {Record<string, number>} errors of the variant, by class
 */

/** A small document that must be readable after another was rejected. */
const KNOWN = Buffer.from(
  '1e000000' + '026b0003000000c3a900' + '10690007000000' + '02650001000000' + '00' + '00',
  'hex',
);
const EMPTY_OBJECT = {};

/**
 * Makes the function that compares a variant with the reference on one document: it is read twice,
 * in different buffers, and written again.
 *
 * @param {Codec} variant
 * @param {Codec} reference
 */
export function makeExaminer(variant, reference) {
  const arenas = new TwoArenas();
  /** @type {Tally} */
  const tally = { accepted: 0, refused: 0, checks: 0, errors: {} };

  /**
   * @param {Buffer} bytes
   * @param {Handling} handling
   * @returns {Problem | null}
   */
  function examine(bytes, { readOptions, writeOptions }) {
    // Every eighth document, by length, is a Uint8Array that is not a Buffer.
    const asPlain = (bytes.length & 7) === 3;
    const first = arenas.place(0, bytes, asPlain);
    const expected = attempt(() => reference.deserialize(first, readOptions));
    const found = attempt(() => variant.deserialize(first, readOptions));
    const second = arenas.place(1, bytes, asPlain);
    const elsewhere = attempt(() => variant.deserialize(second, readOptions));
    count(expected, found);
    return (
      compareReadings(expected, found) ??
      compareSurroundings(found, elsewhere) ??
      findTraces(bytes, first) ??
      (found.error === null
        ? compareWritings(expected.value, found.value, writeOptions)
        : checkStillWorks())
    );
  }

  /**
   * @param {Outcome} expected
   * @param {Outcome} found
   */
  function count(expected, found) {
    if (expected.error === null) tally.accepted++;
    else tally.refused++;
    tally.checks++;
    if (found.error !== null) tally.errors[found.error] = (tally.errors[found.error] ?? 0) + 1;
  }

  /**
   * @param {any} expectedValue
   * @param {any} foundValue
   * @param {object} options
   * @returns {Problem | null}
   */
  function compareWritings(expectedValue, foundValue, options) {
    tally.checks++;
    const expected = attempt(() => reference.serialize(expectedValue, options));
    const found = attempt(() => variant.serialize(foundValue, options));
    if (expected.error !== null || found.error !== null) {
      return compareErrors(expected, found, 'written');
    }
    if (Buffer.compare(expected.value, found.value) === 0) return null;
    if (differsInNanOnly(expected.value, found.value)) return null;
    const [wanted, got] = [expected.value, found.value].map(showBytes);
    return { kind: 'other-bytes', expected: wanted, found: got };
  }

  /**
   * The payload of a NaN stored in an array depends on the engine's optimisation.
   *
   * @param {Uint8Array} expected
   * @param {Uint8Array} found
   * @returns {boolean}
   */
  function differsInNanOnly(expected, found) {
    if (expected.length !== found.length) return false;
    const options = { promoteValues: false, bsonRegExp: true };
    const [a, b] = [expected, found].map((bytes) =>
      attempt(() => reference.deserialize(bytes, options)),
    );
    return a.error === null && b.error === null && isSameValue(a.value, b.value);
  }

  /** @returns {Problem | null} */
  function checkStillWorks() {
    const expected = attempt(() => reference.deserialize(KNOWN));
    // A copy, because a variant that changes its input would break all later checks.
    const found = attempt(() => variant.deserialize(Buffer.from(KNOWN)));
    const problem = compareReadings(expected, found);
    return problem === null ? null : { ...problem, kind: 'broken-after-error' };
  }

  return { examine, tally };
}

/**
 * @param {Buffer} bytes
 * @param {Uint8Array} view in which they were read
 * @returns {Problem | null}
 */
function findTraces(bytes, view) {
  if (Buffer.compare(bytes, view) !== 0) {
    return { kind: 'changes-input', expected: showBytes(bytes), found: showBytes(view) };
  }
  for (const key in EMPTY_OBJECT) {
    const found = `Object.prototype.${key}`;
    delete (/** @type {any} */ (Object.prototype)[key]);
    return { kind: 'prototype-pollution', expected: 'Object.prototype as it was', found };
  }
  return null;
}
