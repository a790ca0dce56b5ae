import { describe, test } from '@jest/globals';

const isAskedFor = process.env.ASSAY_TEST_LONG === '1';

/** A test that measures for long: `ASSAY_TEST_LONG=1` asks for it, as CI does. Used by tests only. */
export const testLong = isAskedFor ? test : test.skip;

/** Tests that take long together, or need a browser. */
export const describeLong = isAskedFor ? describe : describe.skip;
