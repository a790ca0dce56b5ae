/** Reports, progress and verdict.json of every kind of run agree with each other. */

import { describeComparison } from '../../../reports/content/comparison.js';
import { RECORDED_RUN_NAMES, recordedRun } from '../../../reports/fixtures/runs.js';
import { sumSessions } from '../../run/sessions.js';
import { watchRun } from '../../run/progress.js';
import { buildVerdict } from '../../run/verdict.js';
import { seedGenerator } from '../../stats/random.js';
import { withCandidates } from '../../stats/plan.js';
import { READING_NS } from '../simulation/measurements.js';
import { simulateQuestion } from '../simulation/runs.js';
import { findContradictions } from './contradictions.js';
import { RUN_KINDS, takeTimes } from './kinds.js';
import { readRecording } from './recording.js';

/** @import { ComparisonProgress, ObservationDone, Question, Verdict } from '../../formats/types.ts' */
/** @import { RecordedRun } from './recording.js' */

const recording = readRecording('js-bson');
const WORKLOADS = ['flat', 'deep', 'full'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

/**
 * A run of simulated jobs: the candidate is 20 % slower on the first cell and as fast on the others.
 *
 * @param {Partial<Question>} changes
 * @param {(line: ObservationDone) => ObservationDone} [change]
 * @returns {RecordedRun}
 */
function simulate(changes, change = (line) => line) {
  const run = takeTimes(recording);
  const { manifest } = run;
  const question = { ...manifest.question, cells: WORKLOADS, looks: [16, 32], ...changes };
  const [slow] = question.cells;
  const observations = simulateQuestion(
    question,
    { from: 0, to: 16, cells: question.cells },
    ({ arm, cellId }) => (arm === 'candidate' && cellId === slow.id ? 12_000 : 10_000),
    { noise: 'normal', spread: 0.02, outputDigest: 'sha256:same' },
    seedGenerator(1),
  );
  const [candidate] = manifest.variants.candidates;
  return {
    ...run,
    manifest: {
      ...manifest,
      question,
      expectedDigests: {},
      contracts: {},
      variants: {
        ...manifest.variants,
        candidates: question.candidates.map((spec) => ({ ...candidate, spec })),
      },
    },
    observations: observations.map((line) => (line.outcome === 'done' ? change(line) : line)),
    placementObservations: [],
  };
}

/**
 * A job beside readings of the reference loop, throughout at a speed.
 * @type {(line: ObservationDone, factor: number) => ObservationDone}
 */
function disturb(line, factor) {
  const batchNsPerDocument = line.measurement.batchNsPerDocument.map((ns) => ns * factor);
  const referenceLoopNs = Array(batchNsPerDocument.length + 1).fill(READING_NS * factor);
  return { ...line, measurement: { ...line.measurement, batchNsPerDocument, referenceLoopNs } };
}

/** Both of a pair start at the same time, and a third of the pairs of the first cell lose a figure; the last cell has two pairs. @param {ObservationDone} line */
function losePairs(line) {
  const place = 8 * line.block + (line.position >> 1);
  const isApart = line.cellId === 'serialize full' && place !== 0 && place !== 3;
  const isDisturbed =
    line.cellId === 'serialize flat' && place % 3 === 1 && line.arm === 'candidate';
  const startedAtMs = 1000 * place + (isApart ? 100 * (line.position % 2) : 0);
  return { ...disturb(line, isDisturbed ? 2 : 1), startedAtMs };
}

const SPECS = ['generator', 'indexed', 'pooled'];
/** @type {[name: string, make: () => RecordedRun][]} */
const SIMULATED = [
  ['one at a time', () => simulate({})],
  ['in pairs, of which some are lost', () => simulate({ schedule: 'paired' }, losePairs)],
  [
    'a ranking',
    () => simulate({ rank: true, candidates: SPECS, cells: withCandidates(WORKLOADS, SPECS) }),
  ],
  [
    'candidates that share a baseline',
    () => simulate({ candidates: SPECS, cells: withCandidates(WORKLOADS, SPECS) }),
  ],
  [
    'first calls',
    () =>
      simulate({
        cells: [1, 10].map((calls) => ({
          ...WORKLOADS[0],
          id: `serialize flat cold ${calls}`,
          cold: { calls, withLoad: false },
        })),
      }),
  ],
  ['several hosts', () => simulate({}, (line) => ({ ...line, host: `host-${line.block % 2}` }))],
  [
    'a control that differs',
    () =>
      simulate({}, (line) =>
        line.arm === 'control' && line.cellId === 'serialize flat' ? slow(line, 1.15) : line,
      ),
  ],
  [
    'processes that are disturbed throughout',
    () => simulate({}, (line) => disturb(line, line.position % 2 === 1 ? 3 : 1)),
  ],
];

/** @type {(line: ObservationDone, factor: number) => ObservationDone} */
function slow(line, factor) {
  const batchNsPerDocument = line.measurement.batchNsPerDocument.map((ns) => ns * factor);
  return { ...line, measurement: { ...line.measurement, batchNsPerDocument } };
}

/** @type {[name: string, make: () => RecordedRun][]} */
const RECORDED = RUN_KINDS.filter(
  ({ fits = () => true, state }) => fits(recording) && state !== 'sharded',
).map(({ name, make }) => [name, () => make(recording)]);

/** @param {RecordedRun} run */
function tell(run) {
  const stored = { ...run, path: '/run' };
  const verdict = buildVerdict({ ...stored, totals: sumSessions(stored) });
  const { manifest, observations, hosts } = run;
  return {
    manifest,
    verdict,
    document: describeComparison({ manifest, observations, verdict, hosts, runPath: 'runs/x' }),
    progress: follow(stored, verdict),
  };
}

/** @type {(run: import('../../run/store.js').StoredRun, verdict: Verdict) => ComparisonProgress | null} as it is at the end */
function follow(run, { cells }) {
  /** @type {ComparisonProgress | null} */
  let latest = null;
  const clock = { elapsedMs: () => 0, sessionMs: () => 0 };
  const watch = watchRun({ run, recorders: [], clock, budgetMs: Infinity }, (describe) => {
    latest = describe().comparison ?? null;
  });
  watch.onPass('profiles', cells);
  return latest;
}

test.each([...RECORDED, ...SIMULATED])('%s', (_, make) => {
  expect(findContradictions(tell(make()))).toEqual([]);
});

describe('a contradiction is found', () => {
  const told = tell(simulate({ schedule: 'paired' }, losePairs));

  /** @type {(change: (copy: typeof told) => void) => string[]} */
  function plant(change) {
    const [verdict, progress] = [structuredClone(told.verdict), structuredClone(told.progress)];
    const copy = { ...told, document: { ...told.document }, verdict, progress };
    change(copy);
    return findContradictions(copy);
  }

  test('between verdict.json and whatever was made from it', () => {
    const problems = plant(({ verdict }) => {
      verdict.cells[0].verdict = 'faster';
    });
    expect(problems).toEqual([
      "serialize flat: table has verdict 'slower'",
      expect.stringMatching(/^headline: another number of cells that are slower/),
      expect.stringMatching(/^headline: another number of cells that are faster/),
      expect.stringMatching(/^answer: another number of cells that are slower/),
      expect.stringMatching(/^answer: another number of cells that are faster/),
      expect.stringMatching(/^answer: has rows .* ▲ 1\.\d+ .* instead of .* ▼ 1\.\d+ /),
    ]);
  });

  test('between counts of a note, the table and the card', () => {
    const problems = plant(({ verdict: { cells } }) => {
      cells[2].processes = { baseline: 4, candidate: 8, control: 4 };
    });
    expect(problems).toEqual(
      expect.arrayContaining([
        'verdict.json: serialize full has more figures than processes',
        'serialize full: table has 16 of ? processes',
        "serialize full: card has counts '16 of ? processes per variant, 2 pairs'",
        expect.stringMatching(/^notes: too-few-figures of serialize full says/),
      ]),
    );
  });

  test('between the progress and the report', () => {
    const problems = plant(({ progress }) => {
      const comparison = progress?.rows[0].comparison;
      if (comparison?.effect) comparison.effect.ratio.estimate *= 1.01;
    });
    expect(problems).toEqual([
      expect.stringMatching(/^serialize flat: progress has another ratio: serialize flat · slower/),
    ]);
  });

  test('where a row or a card is missing', () => {
    const problems = plant(({ document }) => {
      document.sections = document.sections.filter(({ id }) => id !== 'times' && id !== 'cells');
    });
    expect(problems).toContain('serialize deep: no row');
    expect(problems).toContain('serialize deep: no card');
  });
});

test.each(RECORDED_RUN_NAMES)('the report on the run %s', (name) => {
  const run = recordedRun(name);
  const document = describeComparison(run);
  expect(findContradictions({ ...run, document, progress: null })).toEqual([]);
});
