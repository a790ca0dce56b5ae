#!/usr/bin/env node
/** The entry point: the only file that touches what belongs to the process as a whole. */
import { main } from './cli/cli.js';
import { EXIT } from './lib/exit-status.js';

const interrupts = new AbortController();
// SIGHUP comes when the terminal is closed: workers must not outlive it either.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupts.abort());

let isOutputLost = false;
process.stdout.on('error', function tellOnce(/** @type {NodeJS.ErrnoException} */ error) {
  // A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours.
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  process.exitCode = EXIT.failed;
  process.stderr.write(`error: cannot write to standard output: ${error.message}\n`);
  process.stderr.write('  what was measured is kept; show it with: just report RUN\n');
});
// Progress and notes, which nobody may be there to read. The run is worth more.
process.stderr.on('error', () => {});

const workingPath = process.env.ASSAY_INVOCATION_DIRECTORY ?? findWorkingPath();
if (workingPath === null) {
  process.stderr.write('error: the directory that this was started in is gone\n');
  process.stderr.write('  change into one that is there\n');
  process.exitCode = EXIT.usage;
} else {
  const status = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    workingPath,
    signal: interrupts.signal,
  });
  if (!isOutputLost) process.exitCode = status;
}

/** @returns {string | null} null where it was removed */
function findWorkingPath() {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
