import { describe, test } from '@jest/globals';

/** Whether long tests are asked for, as CI does. Used by tests only. */
export const isLong = process.env.ASSAY_TEST_LONG === '1';

/** A test that measures for long: `ASSAY_TEST_LONG=1` asks for it. Used by tests only. */
export const testLong = isLong ? test : test.skip;

/** Tests that take long together, or need a browser. */
export const describeLong = isLong ? describe : describe.skip;
