/**
 * Runs once in each thread that runs tests, before the first of them. Files with tests share the threads and the
 * modules that are loaded there: a test that changes a global, the environment or a module's state puts it back.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { addEventHandler } from 'jest-circus';

/** Ends a test that hangs. Long tests build toolchains, or wait for browsers and servers. */
const LIMIT_MS = process.env.ASSAY_TEST_LONG === '1' ? 900_000 : 120_000;

// A test need not survive a power failure.
fs.fsyncSync = () => {};
syncBuiltinESMExports();

// The runner sets this for its own messages; programs that tests start must not inherit it.
delete process.env.FORCE_COLOR;

// The runner has no limit of its own.
addEventHandler((event, { currentDescribeBlock }) => {
  if (event.name === 'add_hook') limit(currentDescribeBlock.hooks.at(-1));
  if (event.name === 'add_test') limit(currentDescribeBlock.tests.at(-1));
});

/**
 * @param {{ fn?: any } | undefined} registered a test or a hook; a test without a function is one to be written
 */
function limit(registered) {
  const run = registered?.fn;
  if (registered === undefined || run === undefined) return;
  registered.fn = async () => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((_resolve, reject) => {
      const error = new Error(`This test took longer than ${LIMIT_MS / 1000} s.`);
      timer = setTimeout(reject, LIMIT_MS, error);
    });
    try {
      await Promise.race([run(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
