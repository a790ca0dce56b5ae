/** Assay, with a limit of a few seconds for each job. */
import { main } from '../../cli/cli.js';

const JOB_TIMEOUT_MS = 4_000;

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  workingPath: process.cwd(),
  signal: new AbortController().signal,
  jobTimeoutMs: JOB_TIMEOUT_MS,
});
