import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { MachineError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { readProfile } from '../../profiling/evidence.js';
import { execute } from '../execute.js';
import { limitExercise, openJobRunner } from '../jobs.js';
import { countPairs, openProfilePass } from './profiles.js';
import { recorder as allocationSites } from '../../profiling/recorders/allocation-sites.js';
import { recorder as cpuProfile } from '../../profiling/recorders/cpu-profile.js';
import { DEFAULT_WORK } from '../../profiling/recorders/support/recording.js';
import { validate } from '../../formats/schemas.js';
import { openFakeWorkers } from '../../testing/support/fake-workers.js';
import { testLong } from '../../testing/support/gates.js';
import { makeContext } from './test-support/make-context.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { ExerciseJob, PlannedProfileJob, ProfileObservation, ProfileObservationDone, RecordContext, Recorder } from '../../formats/types.ts' */
/** @import { ProfileSetting } from './profiles.js' */

const path = makeTestDirectory('profiles');

const familyPath = join(PROJECT.experimentsPath, 'js-bson');
const cell = { id: 'serialize deep', operation: 'serialize', corpus: 'deep' };

/** @param {string} recorder  @returns {PlannedProfileJob} */
function planJob(recorder) {
  const id = `${recorder}/${cell.id}/0/candidate`;
  return { id, recorder, cellId: cell.id, arm: 'candidate', process: 0 };
}

/**
 * @param {Recorder[]} recorders
 * @param {Partial<ProfileSetting> & { observations?: ProfileObservation[] }} own with those of earlier sessions
 */
async function run(recorders, { manifest = makeManifest(), observations = [], ...own }) {
  /** @type {ProfileObservation[]} */
  const kept = [];
  const { signal = new AbortController().signal } = own;
  const host = { environment: process.env, toolsPath: path };
  const setting = { path, familyPath, recorders, host, signal, ...own, manifest };
  const session = { environment: process.env, signal };
  const ended = await execute(
    openProfilePass(
      recorders.map(({ name }) => planJob(name)),
      setting,
    ),
    {
      ...makeContext(openJobRunner([], session)),
      observations: [...observations],
      signal,
      append: (observation) => kept.push(observation),
    },
  );
  for (const observation of kept) validate('profile-observation', observation);
  return { ended, kept };
}

/** @param {Recorder[]} recorders @param {Partial<Parameters<typeof run>[1]>} [changes] */
async function record(recorders, changes) {
  const made = makeManifest();
  const { variants } = made;
  const modulePath = join(familyPath, 'variants', 'generator.js');
  const manifest = {
    ...made,
    question: { ...made.question, family: 'js-bson', cells: [cell], nodeFlags: [] },
    settings: { ...made.settings, warmUpMs: 0 },
    variants: { ...variants, candidates: [{ ...variants.candidates[0], modulePath }] },
    corpora: [await prepareCorpus('deep', { directory: PROJECT.corporaPath })],
    runtimes: [],
  };
  return run(recorders, { manifest, familyPath, ...changes });
}

/** @type {(name: string, recordJob: Recorder['record']) => Recorder} */
function makeRecorder(name, recordJob) {
  const probe = async () => ({ available: /** @type {const} */ (true), detail: '' });
  return { name, summary: name, processes: 1, scope: 'process', probe, record: recordJob };
}

/** @param {string} name */
const makeWorking = (name) => makeRecorder(name, async () => ({ exercise: null, artefacts: [] }));

/**
 * @param {string} name
 * @param {Error} error
 */
const makeFailing = (name, error) =>
  makeRecorder(name, async () => {
    throw error;
  });

/**
 * @param {string} file as shortened in frames
 * @param {number} line from 1
 */
function readLine(file, line) {
  return readFileSync(join(PROJECT.projectPath, file), 'utf8').split('\n')[line - 1];
}

test.each([
  { name: 'on two processors', processors: 2, expected: 1 },
  { name: 'on four processors', processors: 4, expected: 2 },
  { name: 'on sixteen processors', processors: 16, expected: 2 },
  { name: 'with a recorder that measures time', isTimed: true, expected: 1 },
  { name: 'of clients', sharesCore: true, expected: 1 },
])(
  'pairs of jobs that run at the same time $name',
  ({ processors = 4, isTimed = false, sharesCore = false, expected }) => {
    const run = {
      recorders: [{ ...makeWorking('one'), isTimed }],
      cells: [{ ...cell, sharesCore }],
    };
    expect(countPairs([planJob('one')], run, processors)).toBe(expected);
  },
);

describe('a profile job', () => {
  for (const { recorder, unit, name, register } of [
    { recorder: cpuProfile, unit: 'ns', name: 'writeDocument', register: test },
    { recorder: allocationSites, unit: 'bytes', name: 'next', register: testLong },
  ]) {
    register(`leaves a file that names the functions of the variant: ${name}`, async () => {
      const { ended, kept } = await record([recorder]);
      expect(ended).toBe('complete');
      const [observation] = kept;
      const done = /** @type {ProfileObservationDone} */ (observation);
      expect(done.exercise?.documents).toBeGreaterThan(0);
      const { whole, collapsed } = readProfile(path, done, { cell, loop: null });
      expect(whole.unit).toBe(unit);
      expect(collapsed.frames.map((frame) => frame.name)).toContain(name);
      const ours = whole.frames.filter(
        ({ file, name: called }) => file?.startsWith('experiments/') && called !== '(anonymous)',
      );
      expect(ours.length).toBeGreaterThan(2);
      for (const { name: called, file, line } of ours) {
        expect(readLine(String(file), Number(line))).toContain(called);
      }
      const file = JSON.parse(readFileSync(join(path, done.artefacts[0]), 'utf8'));
      expect(Object.keys(file)).toEqual(
        expect.arrayContaining(unit === 'ns' ? ['nodes', 'samples', 'timeDeltas'] : ['head']),
      );
    });
  }

  test('that fails is recorded as failed, whatever the error, and the next one runs', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const { ended, kept } = await record([
      makeFailing('failing', new MachineError('the tool fell over')),
      makeFailing('full', full),
      makeFailing('broken', new TypeError('x is not a function')),
      makeWorking('working'),
    ]);
    expect(ended).toBe('failed');
    expect(kept).toMatchObject([
      { outcome: 'failed', detail: 'the tool fell over' },
      { outcome: 'failed', detail: 'Error: ENOSPC: no space left on device' },
      { outcome: 'failed', detail: 'TypeError: x is not a function' },
      { outcome: 'done', artefacts: [] },
    ]);
  });

  test('that fails removes its partial files and no others', async () => {
    const writing = makeRecorder('writing', async ({ artefactBase }) => {
      writeFileSync(`${artefactBase}.whole.json`, '{}');
      return { exercise: null, artefacts: [`${artefactBase}.whole.json`] };
    });
    const failing = makeRecorder('failing', async ({ artefactBase }) => {
      writeFileSync(`${artefactBase}.half.json`, '{');
      throw new MachineError('the disk is full');
    });
    await record([writing, failing]);
    const base = join(path, 'artefacts', 'profiles', 'serialize-deep-candidate-0');
    expect(existsSync(`${base}.whole.json`)).toBe(true);
    expect(existsSync(`${base}.half.json`)).toBe(false);
  });

  test('runs again in a later session if it failed, and not if it is done', async () => {
    const first = await record([makeFailing('shaky', new MachineError('the disk is full'))]);
    const second = await record([makeWorking('shaky')], { observations: first.kept });
    expect(second.kept).toMatchObject([{ outcome: 'done' }]);
    const third = await record([makeWorking('shaky')], { observations: second.kept });
    expect(third).toEqual({ ended: 'complete', kept: [] });
  });

  test('whose worker dies says why', async () => {
    const dying = makeRecorder('dying', async ({ exercise }) => ({
      exercise: await exercise({ work: { passes: 1 }, flags: ['--no-such-flag'] }),
      artefacts: [],
    }));
    const { kept } = await record([dying]);
    expect(kept).toMatchObject([
      { outcome: 'failed', detail: expect.stringMatching(/bad option/) },
    ]);
  });

  test('does not start after an interrupt', async () => {
    const signal = AbortSignal.abort();
    expect(await record([makeWorking('late')], { signal })).toEqual({
      ended: 'interrupted',
      kept: [],
    });
    expect(existsSync(join(path, 'artefacts', 'profiles'))).toBe(true);
  });
});

describe('a profile job of a family with another worker program', () => {
  /** @type {Awaited<ReturnType<typeof openFakeWorkers>>} */
  let programs;
  beforeAll(async () => {
    programs = await openFakeWorkers();
  });
  afterAll(() => programs.remove());

  /**
   * @param {Recorder['record']} recordJob
   * @param {number} [warmUpMs] of the timed jobs
   */
  async function recordProgram(recordJob, warmUpMs = 0) {
    const job = /** @type {ExerciseJob} */ (programs.makeJob('exercise'));
    const variant = { ...makeManifest().variants.baseline, ...job.variant };
    const cells = [{ id: cell.id, operation: job.operation, corpus: 'deep', node: '22.11.0' }];
    const made = makeManifest();
    const asked = { family: job.family, cells, nodeFlags: ['--predictable'] };
    const manifest = {
      ...made,
      question: { ...made.question, ...asked },
      settings: { ...made.settings, warmUpMs },
      variants: { ...made.variants, baseline: variant, candidates: [variant] },
      corpora: [job.corpus],
      runtimes: [],
    };
    const own = { manifest, familyPath: job.familyPath };
    return (await run([makeRecorder('looking', recordJob)], own)).kept;
  }

  test('runs that program, without node', async () => {
    /** @type {RecordContext[]} */
    const seen = [];
    const kept = await recordProgram(async function look(context) {
      seen.push(context);
      const work = { passes: 3 };
      return {
        exercise: await context.exercise({ work, flags: ['--no-such-flag'] }),
        artefacts: [],
      };
    });
    expect(kept).toMatchObject([{ outcome: 'done', exercise: { documents: expect.any(Number) } }]);
    const [{ command, node, job }] = seen;
    expect(node).toBeNull();
    expect(job).not.toHaveProperty('runtime');
    expect(job.variant.program?.loop).toContain('runPasses');
    expect(command).toEqual({ executable: 'node', args: job.variant.program?.args });
  });

  test('gets the arguments for stacks or counts only when these are recorded', async () => {
    const wrapper = ['/bin/sh', '-c', 'echo "$@" > "$0" && exec "$@"'];
    const [plainPath, stacksPath, countsPath] = ['plain', 'stacks', 'counts'].map((name) =>
      join(path, name),
    );
    await recordProgram(async function lookThrice({ exercise, job: { variant } }) {
      const work = { passes: 3 };
      // Flags that write no file to the working directory.
      if (variant.program) {
        variant.program.recordingArgs = ['--no-opt'];
        variant.program.countingArgs = ['--single-threaded'];
      }
      await exercise({ work, wrapper: [...wrapper, plainPath] });
      await exercise({ work, records: 'instructions', wrapper: [...wrapper, countsPath] });
      return {
        exercise: await exercise({
          work,
          records: 'stacks',
          wrapper: [...wrapper, stacksPath],
        }),
        artefacts: [],
      };
    });
    for (const [file, flags] of [
      [plainPath, ''],
      [stacksPath, '--no-opt '],
      [countsPath, '--single-threaded '],
    ]) {
      expect(readFileSync(file, 'utf8')).toMatch(
        new RegExp(`^node ${flags}--max-old-space-size=\\d+ \\S+main\\.js\\n$`),
      );
    }
  });

  test('warms up as long as the timed jobs', async () => {
    const warmUpMs = 250;
    const jobPath = join(path, 'job.json');
    const wrapper = ['/bin/sh', '-c', 'tee "$0" | "$@"', jobPath];
    await recordProgram(async function lookOnce({ exercise }) {
      const work = { warmUpMs: 1, recordMs: 1 };
      return { exercise: await exercise({ work, wrapper }), artefacts: [] };
    }, warmUpMs);
    expect(JSON.parse(readFileSync(jobPath, 'utf8')).work).toEqual({ warmUpMs, recordMs: 1 });
  });
});

test('a worker that hangs is killed within a minute, and longer work has more time', () => {
  expect(limitExercise(DEFAULT_WORK)).toBeLessThan(60_000);
  expect(limitExercise({ warmUpMs: 5_000, recordMs: 300 })).toBeGreaterThan(100_000);
});
