/** What a budget bounds in every mode, by a clock that only jobs advance. */

import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sumSessions } from '../run/sessions.js';
import { readRun } from '../run/store.js';
import { shareProject } from './support/comparisons.js';
import { makeTestDirectory } from './support/directories.js';
import { testLong } from './support/gates.js';
import { callAssay } from './support/project.js';
import { scriptJobs } from './support/scripted-jobs.js';

/** @import { RunJob } from '../run/jobs.js' */

const VARIANTS = 'plain slower --family fake-script --seed 7'.split(' ');
const SECOND = 1_000;
const JOB_MS = { usual: 0.5 * SECOND, memory: 1.5 * SECOND, exercise: 2 * SECOND };
const USUAL_KINDS = ['measure', 'conformance', 'output', 'load'];

const directory = makeTestDirectory('budget');
const projectPath = shareProject();
let nowMs = 0;

/** On `apart` one variant takes an eighth longer; those of `noisy` are far apart. */
const answer = scriptJobs({
  factor(job) {
    const operation = 'operation' in job ? job.operation : '';
    if (operation === 'noisy') return /\/[0-3]\//.test(job.id) ? 1.5 : 1;
    return operation === 'apart' && job.variant.spec === 'slower' ? 1.125 : 1;
  },
});

/** Jobs that begin together end together. @type {RunJob} */
async function runJob(job, how) {
  const { kind } = job;
  const memoryMs = kind === 'exercise' ? JOB_MS.exercise : JOB_MS.memory;
  const workerMs = USUAL_KINDS.includes(kind) ? JOB_MS.usual : memoryMs;
  const endMs = nowMs + workerMs;
  const outcome = await answer(job, how);
  nowMs = Math.max(nowMs, endMs);
  return { ...outcome, workerMs };
}

/** @param {string[]} argv */
async function measure(argv) {
  const out = mkdtempSync(join(directory, 'runs-'));
  const { now } = performance;
  performance.now = () => nowMs;
  try {
    const args = ['compare', ...VARIANTS, ...argv, '--out', out];
    const { stdout } = await callAssay(args, { projectPath, runJob });
    const run = await readRun(join(out, readdirSync(out)[0] ?? ''));
    return { run, text: stdout.replaceAll(/\s+/g, ' '), ...sumSessions(run) };
  } finally {
    performance.now = now;
  }
}

const BUDGET = ['--op', 'apart,noisy', '--budget', '30'];
const MOST_MS = 33 * SECOND;

test('half a minute is kept, and what it leaves unmeasured is said with the command that measures it', async () => {
  const { wallMs, left, text, run } = await measure(['--memory', ...BUDGET]);
  expect(wallMs).toBeLessThan(MOST_MS);
  expect(left).toEqual(['memory', 'placement', 'profiles']);
  expect(run.profileObservations.length).toBeGreaterThan(0);
  expect(text).toContain(
    'before memory was measured completely, differences were measured in other placements of the code and all profiles were recorded',
  );
  expect(text.replaceAll('\\ ', '')).toContain(`just compare --resume ${run.path} `);
  expect(text).toMatch(/ apart deep .* ▲ \d/);
});

testLong.each([
  ['one candidate', []],
  ['in sequence', ['--schedule', 'sequential']],
  ['a ranking', ['--rank']],
  ['memory alone', ['--memory-only']],
  ['cold code', ['--cold']],
  ['a recorder', ['--with', 'cpu-profile']],
  ['screen mode', ['--screen']],
])('it is kept: %s', async (_, options) => {
  const { wallMs } = await measure([...options, ...BUDGET]);
  expect(wallMs).toBeGreaterThan(0.8 * MOST_MS);
  expect(wallMs).toBeLessThan(MOST_MS);
});
