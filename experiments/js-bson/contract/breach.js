import { isUint8Array } from 'node:util/types';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { explainTextDifference } from '../../support/explain-difference.js';
import { nameError } from '../vectors/read-bytes.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */
/** @import * as contract from '../../support/contract.js' */

/**
 * The exports of a variant, with the classes of bson for those that it lacks. Untyped, because a
 * variant can be any JavaScript module.
 * @typedef {Record<string, any> & { variant?: VariantDescription }} Codec
 *
 * @typedef {contract.Theme<[codec: Codec, reference: Codec]>} Theme
 */

const REFUSED = '(call)\trefused\t';
const PROMISED_ERROR = 'BSONError';

/** A broken promise of the contract, with a message for the report. */
export class Breach extends Error {}

/**
 * @param {unknown} condition
 * @param {string} text message if the condition is false
 * @throws {Breach}
 */
export function demand(condition, text) {
  if (!condition) throw new Breach(text);
}

/**
 * Requires the same outcome of variant and reference: equal values, equal bytes, or errors of the
 * same class. A BSONError also matches any error of the reference.
 * @param {string} label for the message
 * @param {Codec} codec
 * @param {Codec} reference
 * @param {(bson: Codec) => unknown} call
 * @throws {Breach}
 */
export function demandSame(label, codec, reference, call) {
  const expected = describeOutcome(() => call(reference));
  const found = describeOutcome(() => call(codec));
  if (found === expected) return;
  if (expected.startsWith(REFUSED) && found === REFUSED + PROMISED_ERROR) return;
  const parts = explainTextDifference(Buffer.from(expected), Buffer.from(found));
  throw new Breach(`${label}: expected ${parts.expected}, found ${parts.found} at ${parts.path}`);
}

/**
 * Requires that a call throws the documented error.
 * @param {string} label
 * @param {() => unknown} call
 * @param {string} [name] of the error
 * @throws {Breach}
 */
export function demandRefusal(label, call, name = PROMISED_ERROR) {
  const outcome = describeOutcome(call);
  demand(
    outcome === REFUSED + name,
    `${label}: expected ${name}, found ${outcome.split('\t').slice(1).join(' ')}`,
  );
}

/** @type {(call: () => unknown) => string} lines of `path TAB type TAB exact value` */
function describeOutcome(call) {
  let value;
  try {
    value = call();
  } catch (error) {
    if (error instanceof Breach) throw error;
    return REFUSED + nameError(error);
  }
  if (isUint8Array(value)) return `(bytes)\tbytes\t${Buffer.from(value).toString('hex')}`;
  return describeValue(value);
}
