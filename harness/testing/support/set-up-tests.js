/**
 * Runs once in each process that runs tests, before the first of them. Files with tests share the processes and the
 * modules that are loaded there: a test that changes a global, the environment or a module's state puts it back.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { addEventHandler } from 'jest-circus';
import { forgetEnded, tellEnded } from './ended-command.js';
import { isLeftOut } from './gates.js';
import { LEFT_OUT, isLong, isRest } from './parts.js';

/** Ends a test that hangs. Long tests build toolchains, or wait for browsers and servers. */
const LIMIT_MS = isLong ? 900_000 : 120_000;

// A test need not survive a power failure.
fs.fsyncSync = () => {};
syncBuiltinESMExports();

// The runner sets this for its own messages; programs that tests start must not inherit it.
delete process.env.FORCE_COLOR;

// The runner has no limit of its own, and knows no parts of the tests.
addEventHandler((event, { currentDescribeBlock: block }) => {
  if (event.name === 'add_hook') limit(block.hooks.at(-1));
  if (event.name === 'add_test') {
    forgetEnded();
    const added = block.tests.at(-1);
    limit(added);
    if (isLeftOut()) leaveOut(added);
  }
  // Within a block that is skipped, hooks do not run either.
  if (event.name === 'start_describe_definition' && !isRest && isLeftOut()) leaveOut(block);
  if (event.name === 'finish_describe_definition' && isRest) {
    const last = block.children.at(-1);
    if (last?.type === 'describeBlock' && last.children.every(({ mode }) => mode === 'skip')) {
      last.hooks = [];
    }
  }
});

/** @param {{ mode: any, name: string } | undefined} registered */
function leaveOut(registered) {
  if (registered === undefined) return;
  registered.mode = 'skip';
  registered.name += LEFT_OUT;
}

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
    } catch (error) {
      tellEnded(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
