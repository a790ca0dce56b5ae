/**
 * Assay, whose jobs are answered in its own process, each within a few milliseconds or within `SCRIPTED_JOB_MS`. Those of
 * the variants that `SCRIPTED_SLOW` names are slow; those that are profiled run in processes. With
 * `SCRIPTED_HOLD='PATTERN PATH'` the first job whose identity matches makes the file, and waits until it is removed. A
 * second pattern and path hold a later job.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { main } from '../../cli/cli.js';
import { profileInProcesses, scriptSlow } from './scripted-jobs.js';

const JOB_MS = Number(process.env.SCRIPTED_JOB_MS ?? 20);
const SLOW = process.env.SCRIPTED_SLOW?.split(',') ?? [];
const holds = process.env.SCRIPTED_HOLD?.split(' ') ?? [];
const answer = scriptSlow(SLOW);
const interrupts = new AbortController();
process.on('SIGINT', () => interrupts.abort());

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  workingPath: process.env.ASSAY_INVOCATION_DIRECTORY ?? process.cwd(),
  signal: interrupts.signal,
  runJob: profileInProcesses(async (job, how) => {
    await delay(JOB_MS);
    await hold(job.id);
    return answer(job, how);
  }),
});

/** @param {string} id */
async function hold(id) {
  const [pattern, path] = holds;
  if (pattern === undefined || !new RegExp(pattern).test(id)) return;
  holds.splice(0, 2);
  writeFileSync(path, '');
  while (existsSync(path)) await delay(20);
}
