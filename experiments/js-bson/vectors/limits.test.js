import { expect, test } from '@jest/globals';
import * as bson from 'bson';
import { testLong } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/load-variants.js';
import { LIMITS } from './limits.js';
import { runLimits } from './run-limits.js';

const variants = await loadVariants();

test('the reference reads and writes documents at every limit', () => {
  for (const { name, build } of LIMITS) {
    const bytes = build();
    const again = bson.serialize(bson.deserialize(bytes, { promoteValues: false }));
    expect([name, Buffer.compare(again, bytes)]).toEqual([name, 0]);
  }
});

testLong.each(variants)('%s meets every limit', (_name, variant) => {
  expect(runLimits(variant, bson)).toEqual({ passed: LIMITS.length, failures: [] });
});
