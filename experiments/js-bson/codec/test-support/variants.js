import assert from 'node:assert';
import { fileURLToPath } from 'node:url';
import { isLong, isRest } from '../../../../harness/testing/support/gates.js';
import { listFamilies, loadVariant } from '../../../../harness/variants/families.js';
import { describeValue } from '../../../../harness/worker/describe-value.js';
import { withoutStackTraces } from '../../../support/without-stack-traces.js';

const EXPERIMENTS = fileURLToPath(new URL('../../../', import.meta.url));

/** One of each way to traverse documents; the others are left to the long tests. */
const REPRESENTATIVE = ['champion', 'generator', 'linked-list', 'recursive'];

/**
 * Loads the variants of the family for tests by `testMore` or `describeMore`.
 *
 * @param {{ again?: boolean }} [options] `again` if the long tests do more with each variant
 * @returns {Promise<[name: string, module: any][]>}
 */
export async function loadVariants({ again = false } = {}) {
  const [family] = (await listFamilies(EXPERIMENTS)).filter(({ name }) => name === 'js-bson');
  /** @type {[string, any][]} */
  const variants = [];
  for (const name of family.variants) {
    if (REPRESENTATIVE.includes(name) ? isRest && !again : !isLong) continue;
    variants.push([name, (await loadVariant(family, name)).module]);
  }
  return variants;
}

/**
 * Whether a variant declares a difference from bson that matches.
 * @type {(module: any, words: RegExp) => boolean}
 */
export function differsIn(module, words) {
  return (module.variant.differs ?? []).some((/** @type {string} */ text) => words.test(text));
}

/**
 * The outcome of a call.
 * @typedef {{ value: any } | { error: Error }} Outcome
 */

/** Descriptions of values, cached by outcome. @type {WeakMap<Outcome, string>} */
const shown = new WeakMap();

/** Errors that a codec may throw. */
const ALLOWED = ['BSONError', 'BSONVersionError', 'RangeError', 'TypeError'];

/** @type {(call: () => any) => Outcome} */
export function outcomeOf(call) {
  try {
    return { value: withoutStackTraces(call) };
  } catch (error) {
    return { error: /** @type {Error} */ (error) };
  }
}

/**
 * Fails if two outcomes differ in acceptance, class of error or value. A BSONError also matches the
 * TypeError or RangeError with which bson fails on some invalid bytes.
 * @param {Outcome} ours
 * @param {Outcome} theirs
 * @param {string} label for the message
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
  if (Object.is(ours.value, theirs.value) || isSameBuffer(ours.value, theirs.value)) return;
  const expected = shown.get(theirs) ?? showValue(theirs.value);
  shown.set(theirs, expected);
  assert.strictEqual(showValue(ours.value), expected, label);
}

/** @type {(outcome: Outcome) => { kind: string, text: string }} */
function describeOutcome(outcome) {
  if (!('error' in outcome)) return { kind: 'accepted', text: 'accepted' };
  return { kind: outcome.error.name, text: `${outcome.error.name}: ${outcome.error.message}` };
}

/** @type {(a: unknown, b: unknown) => boolean} */
function isSameBuffer(a, b) {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) && Buffer.compare(a, b) === 0;
}

/**
 * All visible properties of a value: types, order of keys, signs of zero. Written bytes are
 * compared by content only.
 * @type {(value: any) => string}
 */
function showValue(value) {
  return Buffer.isBuffer(value) ? value.toString('hex') : describeValue(value);
}
