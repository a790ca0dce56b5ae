#!/usr/bin/env node
/** The entry point: the only file that touches what belongs to the process as a whole. */
import { main } from './cli.js';

const interrupts = new AbortController();
process.on('SIGINT', () => interrupts.abort());
process.on('SIGTERM', () => interrupts.abort());
// A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  workingPath: process.env.ASSAY_INVOCATION_DIRECTORY ?? process.cwd(),
  signal: interrupts.signal,
});
