import { describeValue } from '../../../harness/worker/describe-value.js';
import { explainTextDifference } from '../../support/explain-difference.js';
import { listFields, makeObjectPicker } from '../less/pick-objects.js';
import { nameError } from '../vectors/read-bytes.js';
import { changeDocument } from './change.js';
import { isSameValue } from './same-value.js';

/** @import { Codec } from '../vectors/read-bytes.js' */
/** @import { Handling } from './mutate.js' */

/**
 * @typedef {object} Tally
 * @property {number} accepted by the reference
 * @property {number} refused
 * @property {number} checks outcomes compared with the reference's
 * @property {Record<string, number>} errors of the variant, by class
 */

/** A document that must be readable after another was rejected. */
const KNOWN = Buffer.from(
  '1e000000' + '026b0003000000c3a900' + '10690007000000' + '02650001000000' + '00' + '00',
  'hex',
);
const EMPTY_OBJECT = {};
const NOTHING = Buffer.alloc(0);

/**
 * Makes the function that compares a variant with the reference on one document: it is read twice,
 * in different buffers, and written again.
 * @param {Codec} variant
 * @param {Codec} reference
 */
export function makeExaminer(variant, reference) {
  const arenas = new TwoArenas();
  /** @type {Tally} */
  const tally = { accepted: 0, refused: 0, checks: 0, errors: {} };
  /** The bytes that the variant wrote last, and a copy. */
  let last = { bytes: NOTHING, copy: NOTHING };

  /** @type {(bytes: Buffer, handling: Handling) => Problem | null} */
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
      compareTexts(first, second) ??
      compareFields(first, second) ??
      findTraces(bytes, first) ??
      (found.error === null
        ? compareWritings(expected.value, found.value, writeOptions)
        : checkStillWorks())
    );
  }

  /**
   * Compares the text of a variant that makes JSON without objects in between.
   * @type {(first: Uint8Array, second: Uint8Array) => Problem | null}
   */
  function compareTexts(first, second) {
    const { bsonToJson } = variant;
    if (bsonToJson === undefined) return null;
    tally.checks++;
    const expected = attempt(() => JSON.stringify(reference.deserialize(first)));
    const [found, elsewhere] = [first, second].map((view) =>
      attempt(() => String(bsonToJson(view))),
    );
    return compareReadings(expected, found) ?? compareSurroundings(found, elsewhere);
  }

  /**
   * Compares fields that a variant reads alone. What it does not read it need not refuse.
   * @type {(first: Uint8Array, second: Uint8Array) => Problem | null}
   */
  function compareFields(first, second) {
    if (variant.makePicker === undefined) return null;
    tally.checks++;
    const { value } = attempt(() => reference.deserialize(first));
    const fields = value === null ? [['a']] : listFields(value);
    const paths = [...fields.slice(0, 2), ...fields.slice(-2), [fields[0]?.[0] ?? '']];
    const pick = variant.makePicker(paths);
    const expected = attempt(() => makeObjectPicker(reference.deserialize, paths)(first));
    const [found, elsewhere] = [first, second].map((view) => attempt(() => pick(view)));
    const isUnread = expected.error !== null && found.error === null;
    return (
      (isUnread ? null : compareReadings(expected, found)) ?? compareSurroundings(found, elsewhere)
    );
  }

  /** @param {Outcome} expected @param {Outcome} found */
  function count(expected, found) {
    if (expected.error === null) tally.accepted++;
    else tally.refused++;
    tally.checks++;
    if (found.error !== null) tally.errors[found.error] = (tally.errors[found.error] ?? 0) + 1;
  }

  /** @type {(expectedValue: any, foundValue: any, options: Handling['writeOptions']) => Problem | null} */
  function compareWritings(expectedValue, foundValue, options) {
    tally.checks++;
    if (options.change !== undefined) {
      changeDocument(expectedValue, options.change);
      changeDocument(foundValue, options.change);
    }
    const expected = attempt(() => reference.serialize(expectedValue, options));
    const found = attempt(() => variant.serialize(foundValue, options));
    if (Buffer.compare(last.bytes, last.copy) !== 0) {
      const [before, after] = [last.copy, last.bytes].map(showBytes);
      last = { bytes: NOTHING, copy: NOTHING };
      return { kind: 'changes-result', expected: before, found: after };
    }
    if (found.error === null) last = { bytes: found.value, copy: Buffer.from(found.value) };
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
   * @type {(expected: Uint8Array, found: Uint8Array) => boolean}
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

/**
 * The outcome of a call: its value or the class of its error.
 * @typedef {{ value: any, error: null } | { value: null, error: string }} Outcome
 *
 * @typedef {object} Problem
 * @property {string} kind kebab-case
 * @property {string} expected
 * @property {string} found
 */

/** @type {(call: () => any) => Outcome} */
function attempt(call) {
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
function compareReadings(expected, found) {
  if (expected.error !== null || found.error !== null)
    return compareErrors(expected, found, 'read');
  if (isSameValue(expected.value, found.value)) return null;
  return { kind: 'other-value', ...explainValues(expected.value, found.value) };
}

/**
 * Compares two outcomes of which at least one is an error: both must be errors, of the same class
 * or of a documented one.
 * @type {(expected: Outcome, found: Outcome, verb: string) => Problem | null}
 */
function compareErrors(expected, found, verb) {
  if (expected.error === null) {
    return { kind: `not-${verb}`, expected: verb, found: `refused by ${found.error}` };
  }
  const refusal = `refused by ${expected.error}`;
  if (found.error === null) return { kind: `wrongly-${verb}`, expected: refusal, found: verb };
  if (found.error === expected.error || isPromised(found.error)) return null;
  return { kind: 'other-error', expected: refusal, found: `refused by ${found.error}` };
}

/**
 * Whether the error is documented for broken bytes. If so, it matches any error of the reference.
 * @type {(name: string) => boolean}
 */
function isPromised(name) {
  return name.startsWith('BSON') || name === 'RangeError';
}

/**
 * The same document in two buffers must have the same outcome.
 * @type {(here: Outcome, elsewhere: Outcome) => Problem | null}
 */
function compareSurroundings(here, elsewhere) {
  if (here.error === elsewhere.error) {
    if (here.error !== null || isSameValue(here.value, elsewhere.value)) return null;
    return { kind: 'reads-outside', ...explainValues(here.value, elsewhere.value) };
  }
  const [expected, found] = [here, elsewhere].map(({ error }) => error ?? 'read');
  return { kind: 'reads-outside', expected, found };
}

/** @param {any} expected @param {any} found */
function explainValues(expected, found) {
  const texts = [expected, found].map((value) => Buffer.from(describeValue(value)));
  const parts = explainTextDifference(texts[0], texts[1]);
  return { expected: `${parts.path}: ${parts.expected}`, found: parts.found };
}

/** @type {(bytes: Uint8Array) => string} hex */
function showBytes(bytes) {
  return Buffer.from(bytes).toString('hex');
}

const ARENA_BYTES = 72 * 1024;
/** Where every document ends, so that the bytes after it do not change. */
const END = 64 * 1024;
const SURROUNDING_BYTES = 256;

/**
 * Two buffers with different bytes around the document. A reader that leaves the document, through a
 * wrong offset or the underlying memory, gets different results in the two.
 */
class TwoArenas {
  constructor() {
    this.arenas = [0x00, 0xff].map((filling) => Buffer.alloc(ARENA_BYTES, filling));
  }

  /**
   * @param {number} which 0 or 1
   * @param {Uint8Array} bytes
   * @param {boolean} asPlain as a Uint8Array instead of a Buffer
   * @returns {Uint8Array} the document as a view
   */
  place(which, bytes, asPlain) {
    const arena = this.arenas[which];
    const start = END - bytes.length;
    arena.set(bytes, start);
    // An earlier, longer document may have left the same bytes in both.
    arena.fill(which === 0 ? 0x00 : 0xff, start - SURROUNDING_BYTES, start);
    return asPlain
      ? new Uint8Array(arena.buffer, arena.byteOffset + start, bytes.length)
      : arena.subarray(start, END);
  }
}
