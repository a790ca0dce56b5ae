/** Output of `compare` and of the commands that measure again, for runs measured here. */

import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { omitUndefined } from '../../lib/records.js';
import { openJobRunner } from '../../run/jobs.js';
import { sumSessions } from '../../run/sessions.js';
import { readRun } from '../../run/store.js';
import { ARMS } from '../../stats/plan.js';
import { shareProject } from '../support/comparisons.js';
import { callAssay } from '../support/project.js';
import { describeToolchain, testLong } from '../support/gates.js';
import { scriptFakeFamily, scriptJobs } from '../support/scripted-jobs.js';
import { makeTestDirectory } from '../support/directories.js';
import { findPathProblems, findTextProblems, splitWords } from './checks.js';
import { listReaders } from './commands.js';
import { listRecordings, readRecording } from './recording.js';

/** @import { Job } from '../../formats/types.ts' */
/** @import { RunJob } from '../../run/jobs.js' */

const SCRIPTED = 'fake-program';
const QUESTION = 'plain slower --family fake-program --explain none --processes 16 --seed 7'.split(
  ' ',
);

const directory = realpathSync(makeTestDirectory('live'));

/**
 * @param {string[]} argv
 * @param {{ projectPath: string, runJob?: RunJob }} place `runJob` in place of processes
 * @returns {Promise<{ status: number, stdout: string, problems: string[] }>}
 */
async function call(argv, { projectPath, runJob }) {
  const { status, stdout, stderr } = await callAssay(argv, {
    workingPath: directory,
    projectPath,
    ...omitUndefined({ runJob }),
  });
  // `pr` prints Markdown.
  const text = argv[0] === 'pr' ? '' : stdout;
  // Progress and notes are a log here; in a terminal they are cut to its width.
  const messages = stderr.replaceAll(/^(?:.* · |note: ).*\n/gm, '');
  const problems = [...(await findTextProblems(text)), ...(await findTextProblems(messages))];
  if (/^error:/m.test(stderr)) problems.push(stderr);
  return { status, stdout, problems };
}

/**
 * Runs a command that measures.
 *
 * @param {string} name of the folder that its run is created in
 * @param {string[]} argv
 * @param {Parameters<typeof call>[1]} place
 */
async function measure(name, argv, place) {
  const out = join(directory, name);
  const { status, stdout, problems } = await call([...argv, '--out', out], place);
  const path = join(name, readdirSync(out)[0] ?? '');
  return { status, path, problems: [...problems, ...findPathProblems(stdout, path)] };
}

describe('the scripted family', () => {
  const scripted = { projectPath: shareProject(), runJob: scriptFakeFamily() };

  test.each([
    ['memory with time', ['--op', 'apart', '--memory']],
    ['a budget', ['--op', 'noisy', '--budget', '0.2']],
    ['a shard', ['--op', 'alike,apart', '--shard', '1/2']],
  ])('%s', expectRepeated);
  testLong.each([
    ['memory alone', ['--op', 'apart', '--memory-only']],
    ['several corpora', ['--op', 'alike', '--corpus', 'deep,flat']],
  ])('%s', expectRepeated);

  /** @type {(name: string, options: string[]) => Promise<void>} */
  async function expectRepeated(name, options) {
    const argv = ['compare', ...QUESTION, ...options];
    const { status, path, problems } = await measure(name.replaceAll(' ', '-'), argv, scripted);
    expect({ status, problems }).toEqual({ status: EXIT.done, problems: [] });
    // The printed command repeats the same question.
    const { manifest } = await readRun(join(directory, path));
    const again = splitWords(manifest.command).slice(1);
    const second = await measure(`${path}-again`, again, scripted);
    const { manifest: repeated } = await readRun(join(directory, second.path));
    expect(repeated.question).toEqual(manifest.question);
  }

  test('commands that measure a run again accept each form of it', async () => {
    const run = await measure('again', ['compare', ...QUESTION, '--op', 'apart'], scripted);
    const forms = [run.path, join(run.path, 'verdict.json'), join(run.path, 'report.html')];
    const commands = (await listReaders()).filter(({ measures }) => measures);
    expect(commands.length).toBeGreaterThan(0);
    for (const { command } of commands) {
      for (const [index, form] of forms.entries()) {
        const name = `${command.name()}-${index}`;
        const { status, problems } = await measure(name, [command.name(), form], scripted);
        expect([form, status, problems]).toEqual([form, EXIT.done, []]);
      }
    }
  });

  test('an interrupted run is completed by the command that it prints', async () => {
    const { path } = await measure(
      'cut',
      ['compare', ...QUESTION, '--op', 'apart,alike,noisy', '--budget', '0.2'],
      scripted,
    );
    const { status, problems } = await call(['compare', '--resume', path], scripted);
    expect({ status, problems }).toEqual({ status: EXIT.done, problems: [] });
    const run = await readRun(join(directory, path));
    expect(sumSessions(run).ended).toBe('complete');
    const { observations } = run;
    expect(new Set(observations.map(({ arm }) => arm))).toEqual(new Set(ARMS));
  });
});

for (const family of listRecordings()) {
  if (family === SCRIPTED) continue;
  await describeToolchain(family, `${family}, measured here`, () => {
    const here = { projectPath: PROJECT.projectPath };
    /** @type {Awaited<ReturnType<typeof measure>>} */
    let run;

    beforeAll(async () => {
      const { command } = readRecording(family).manifest;
      // The first operation on the first corpus.
      const cell = command.replaceAll(/,\S+/g, '');
      // comparison.test.js has the second pass of this family.
      const isElsewhere = family === 'js-bson';
      const asked = isElsewhere ? cell.replace('--explain all', '--explain none') : cell;
      const argv = [...splitWords(asked).slice(1), '--budget', '4'];
      run = await measure(family, argv, here);
    });

    test('compare', () => {
      expect([run.status, run.problems]).toEqual([EXIT.done, []]);
    });

    test.each(['report', 'pr', 'open'])('%s', async (command) => {
      const { status, problems } = await call([command, run.path], here);
      expect([status, problems]).toEqual([EXIT.done, []]);
    });

    test('replay', async () => {
      const argv = ['replay', run.path];
      if (readRecording(family).manifest.variants.candidates.some(({ kind }) => kind === 'npm')) {
        // For a report, no package is installed that the family does not list.
        expect((await call(argv, here)).status).toBe(EXIT.usage);
        return;
      }
      const { signal } = new AbortController();
      const runReally = openJobRunner([], { environment: process.env, signal });
      const answer = scriptJobs();
      // What a variant loads is part of its identity.
      const runJob = (/** @type {Job} */ job) =>
        job.kind === 'load' ? runReally(job) : answer(job);
      const { status, problems } = await measure(`${family}-again`, argv, { ...here, runJob });
      // Whether scripted figures agree with those of so short a time is chance.
      expect([status <= EXIT.regression || status === EXIT.failed, problems]).toEqual([true, []]);
    });
  });
}
