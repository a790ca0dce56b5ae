import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importSpeedscope } from '../formats/speedscope.js';
import { sumByFunction } from '../profiles/transforms.js';
import { composeWrapper, recorder } from './perf.js';
import { readProfile } from '../evidence.js';
import { isLong, testLong } from '../../testing/support/gates.js';
import { openFakeWorkers } from '../../testing/support/fake-workers.js';
import { recordCell, recordJob } from './test-support/record-cell.js';

/** @import { FunctionWeights } from '../../formats/profile-types.ts' */
/** @import { ExerciseJob } from '../../formats/types.ts' */

/** Fewer than a recording has on a machine that is not busy. */
const LEAST_SAMPLES = 400;

const host = { environment: process.env, toolsPath: '' };
const isMissing = isLong && !(await recorder.probe(host)).available;
const testWithTool = isMissing ? test.skip : testLong;

test('perf uses the clock of the recorded window', () => {
  const words = composeWrapper({ dataPath: 'DATA', pidPath: 'PID', frequencyHz: 99 });
  expect(words.slice(0, words.indexOf('--')).join(' ')).toBe(
    'perf record -q -k CLOCK_MONOTONIC -e cpu-clock:u -F 99 -g -N -B --no-bpf-event -m 32 -o DATA',
  );
  expect(words.at(-1)).toBe('PID');
});

/**
 * @param {string} variant
 * @returns {Promise<Map<string, Pick<FunctionWeights, 'frame' | 'self' | 'total'>>>} functions by name, of as many recordings
 *   as have enough samples: one on a machine that is not busy
 */
async function recordStacks(variant) {
  const cell = { variant, operation: 'serialize', corpus: 'flat' };
  /** @type {Awaited<ReturnType<typeof recordStacks>>} */
  const functions = new Map();
  for (let samples = 0; samples < LEAST_SAMPLES;) {
    const { path, observation, remove } = await recordCell(recorder, cell);
    const [artefact = ''] = observation.artefacts;
    const profile = importSpeedscope(JSON.parse(readFileSync(join(path, artefact), 'utf8')));
    expect(readdirSync(join(path, 'artefacts', 'profiles'))).toEqual([
      expect.stringMatching(/\.perf\.speedscope\.json$/),
    ]);
    remove();
    expect(profile.samples).toBeGreaterThan(0);
    samples += profile.samples;
    for (const { frame, self, total } of sumByFunction(profile).values()) {
      const before = functions.get(frame.name) ?? { frame, self: 0, total: 0 };
      functions.set(frame.name, {
        frame,
        self: before.self + self,
        total: before.total + total,
      });
    }
  }
  return functions;
}

testWithTool('stacks have functions of the variant and builtins', async () => {
  const mapsBefore = listMaps();
  const functions = await recordStacks('generator');
  const whole = [...functions.values()].reduce((sum, { self }) => sum + self, 0);
  /** @param {string} name */
  const shareOf = (name) => (functions.get(name)?.total ?? 0) / whole;
  // A host may take a tenth of the samples: the limits are far from the usual 0.9, 0.3 and 0.03.
  expect(shareOf('writeDocument')).toBeGreaterThan(0.3);
  expect(shareOf('ObjectEntries')).toBeGreaterThan(0);
  expect(shareOf('(unknown)')).toBeLessThan(0.3);
  expect(functions.get('writeDocument')?.frame.file).toBe(
    'experiments/js-bson/traversals/write-generator.js',
  );
  expect(mapsOfEndedProcesses(mapsBefore)).toEqual([]);
});

testWithTool('stacks have inlined functions', async () => {
  const functions = await recordStacks('recursive');
  const loop = functions.get('run')?.total ?? 0;
  expect(loop).toBeGreaterThan(0);
  expect(functions.get('serialize')?.total).toBeGreaterThan(0.3 * loop);
  expect(functions.get('writeDocument')?.total).toBeGreaterThan(0.3 * loop);
});

testWithTool("stacks of a family's own program have its loop", async () => {
  const programs = await openFakeWorkers();
  const mapsBefore = listMaps();
  try {
    const job = /** @type {ExerciseJob} */ (programs.makeJob('exercise'));
    const { path, observation, remove } = await recordJob(
      recorder,
      keepLogAway(job, programs.directory),
    );
    const [artefact = ''] = observation.artefacts;
    const { whole } = readProfile(path, observation, {
      cell: { id: 'reverse deep', operation: 'reverse', corpus: 'deep' },
      loop: job.variant.program?.loop ?? null,
    });
    remove();
    expect(artefact).toMatch(/\.perf\.speedscope\.json$/);
    expect(whole.frames[whole.nodes[0].frame].name).toBe('runFor');
    expect(whole.samples).toBeGreaterThan(0);
    expect(mapsOfEndedProcesses(mapsBefore)).toEqual([]);
  } finally {
    programs.remove();
  }
});

/**
 * Here the program is node, which writes a V8 log together with the perf map.
 *
 * @param {ExerciseJob} job
 * @param {string} directory for the log
 * @returns {ExerciseJob}
 */
function keepLogAway(job, directory) {
  const { program } = job.variant;
  const recordingArgs = [
    ...(program?.recordingArgs ?? []),
    `--logfile=${join(directory, 'v8.log')}`,
    '--no-logfile-per-isolate',
  ];
  return program === undefined
    ? job
    : { ...job, variant: { ...job.variant, program: { ...program, recordingArgs } } };
}

function listMaps() {
  return readdirSync('/tmp').filter((name) => /^perf-\d+\.map$/.test(name));
}

/**
 * @param {string[]} before
 * @returns {string[]} maps written since, without those of running processes, which other users may have
 *   started
 */
function mapsOfEndedProcesses(before) {
  return listMaps().filter(
    (map) => !before.includes(map) && !existsSync(`/proc/${/\d+/.exec(map)?.[0]}`),
  );
}
