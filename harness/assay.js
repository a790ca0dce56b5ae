#!/usr/bin/env node
/** The entry point, and the only file that uses process globals. */
import { main } from './cli/cli.js';
import { EXIT } from './lib/errors.js';
import { PROGRAM } from './lib/program.js';

const interrupts = new AbortController();
// SIGHUP comes when the terminal is closed; workers must not outlive that either.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupts.abort());

let isOutputLost = false;
process.stdout.on('error', function tellOnce(/** @type {NodeJS.ErrnoException} */ error) {
  // A reader that has enough (`| head`) closes the pipe, which is no failure.
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  process.exitCode = EXIT.failed;
  process.stderr.write(`error: cannot write to standard output: ${error.message}\n`);
  process.stderr.write(`  the measurements are kept; show them with: ${PROGRAM} report RUN\n`);
});
// Progress and notes can be lost; the run is worth more.
process.stderr.on('error', () => {});

const workingPath = process.env.ASSAY_INVOCATION_DIRECTORY ?? findWorkingPath();
if (workingPath === null) {
  process.stderr.write('error: the current directory does not exist any more\n');
  process.stderr.write('  change to another directory\n');
  process.exitCode = EXIT.usage;
} else {
  const status = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: () => process.stdin,
    environment: process.env,
    workingPath,
    signal: interrupts.signal,
  });
  if (!isOutputLost) process.exitCode = status;
}

/** @returns {string | null} null if it was removed */
function findWorkingPath() {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
