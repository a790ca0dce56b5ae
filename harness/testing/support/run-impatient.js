/** Assay, with a limit of a few seconds for jobs that are meant to hang. */
import { main } from '../../cli/cli.js';
import { openJobRunner } from '../../run/jobs.js';
import { BAD_START } from '../fake-family/program/misbehave.js';

/** @import { Job } from '../../formats/types.ts' */

const TIMEOUT_MS = 4_000;
const { signal } = new AbortController();
let starts = 0;

/** @param {Job} job */
function hangs({ kind, variant: { settings } }) {
  if (kind !== 'measure' || settings.behaviour?.startsWith('hangs') !== true) return false;
  if (settings.when !== 'once') return true;
  starts += 1;
  return starts === BAD_START;
}

const run = openJobRunner([], { environment: process.env, signal });

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  workingPath: process.cwd(),
  signal,
  runJob: (job, how) => run(job, hangs(job) ? { ...how, timeoutMs: TIMEOUT_MS } : how),
});
