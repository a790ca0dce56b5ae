/**
 * Which tests run: `all`, as `just test-all` does; `rest`, those that `just test` leaves out; or, if it is not set, those
 * of `just test`.
 */
const PART = process.env.ASSAY_TEST;

/** Whether long tests run. */
export const isLong = PART === 'all' || PART === 'rest';

/** Whether only the tests run that `just test` leaves out. */
export const isRest = PART === 'rest';

/** Ends the titles of tests that belong to another part. The reporter does not count them as skipped. */
export const LEFT_OUT = ' (in another part)';
