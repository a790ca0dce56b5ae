import * as bson from 'bson';
import { testLong } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/variants.js';
import { LIMITS, runLimits } from './limits.js';

/** @import { Codec } from './read-bytes.js' */

const variants = await loadVariants({ again: true });
const byName = new Map(variants);
const DEEP = LIMITS.filter(({ isDeep }) => isDeep);
const FLAT = LIMITS.filter(({ isDeep }) => !isDeep);

test('the reference reads and writes documents at every limit', () => {
  for (const { name, build } of LIMITS) {
    const bytes = build();
    const again = bson.serialize(bson.deserialize(bytes, { promoteValues: false }));
    expect([name, Buffer.compare(again, bytes)]).toEqual([name, 0]);
  }
});

testLong.each(variants)('%s passes the limits of size and length', (_name, variant) => {
  expect(runLimits(variant, bson, FLAT)).toEqual({ passed: FLAT.length, failures: [] });
});

// `variants/limits.test.js` nests documents for all variants.
testLong.each(['linked-list', 'champion', 'recursive'])('%s passes the limits of depth', (name) => {
  const { length } = DEEP;
  expect(runLimits(byName.get(name), bson, DEEP)).toEqual({ passed: length, failures: [] });
});

describe('a codec that exhausts the stack in deep documents', () => {
  const limits = LIMITS.filter(({ name }) => /nested|fields/.test(name));
  const deepCount = limits.filter(({ isDeep }) => isDeep).length;

  /** @type {Codec['deserialize']} */
  const deserialize = (bytes, options) => {
    const isDeep = Buffer.from(bytes).includes(Buffer.alloc(5_000));
    if (isDeep) throw new RangeError('stack');
    return bson.deserialize(bytes, options);
  };

  test('fails unless it declares usesCallStack', () => {
    const { passed, failures } = runLimits({ ...bson, deserialize }, bson, limits);
    expect(failures).toHaveLength(deepCount);
    expect(failures).toContainEqual({
      vector: 'limits: 10 000 nested scopes',
      check: 'decode, exact',
      path: '(whole document)',
      expected: 'object',
      found: '(absent); instead (decoding): refused RangeError',
    });
    expect(passed).toBe(limits.length - deepCount);
  });

  test('passes if it declares usesCallStack', () => {
    const variant = { idea: 'For this test.', source: 'None.', usesCallStack: true };
    expect(runLimits({ ...bson, deserialize, variant }, bson, limits)).toEqual({
      passed: limits.length,
      failures: [],
    });
  });
});
