import { PROGRAM } from '../../lib/program.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf, formatDuration } from '../../lib/numbers.js';
import { identifyAssay, PROJECT, RUNS } from '../../lib/project.js';
import { formatInvocation } from '../invocation.js';
import {
  COMPARISON_OPTIONS,
  duration,
  FORMAT,
  FULL,
  HOST_OPTIONS,
  MAX_PROCESSES,
  option,
  VARIANT_OPTIONS,
  wholeNumber,
  word,
} from '../options.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Trend } from '../../formats/types.ts' */
/** @import { Asked, OpenedStudy } from '../study.js' */

/** @typedef {OptionValues<typeof OPTIONS>} TrendOptions */

const {
  op,
  corpus,
  mei,
  placements,
  schedule,
  seed,
  nodeFlag,
  server,
  accept,
  reference,
  runtime,
  node,
} = COMPARISON_OPTIONS;

const OPTIONS = {
  from: option('--from <version>', 'first version or revision', word),
  to: option('--to <version>', 'last one (default: the newest version, or HEAD)', word),
  every: option('--every <step>', 'of the commits: merge, tag, or a number for every n-th', word),
  over: option(
    '--over <axis=values>',
    'instead of versions: node=20,22,24, runtime=node@24,bun@1.4 or another axis',
    word,
  ),
  baseline: option(
    '--baseline <variant>',
    'what every point is measured against (default: the reference of the family)',
    word,
  ),
  points: option(
    '--points <number>',
    'points to measure first, evenly spaced',
    wholeNumber({ from: 2, to: 1_000 }),
    { default: '9' },
  ),
  budget: option(
    '--budget <time>',
    'compare for this long, without builds, earlier results included; with --resume, this session alone',
    duration,
  ),
  processes: {
    ...MAX_PROCESSES,
    summary: 'maximum number of processes of each of two neighbours',
  },
  placements: {
    ...placements,
    summary: 'copies of two neighbours that differ, placed elsewhere in memory, to check it on',
  },
  ...{ op, corpus, mei, schedule, seed, nodeFlag, server, accept, reference, runtime, node },
  ...VARIANT_OPTIONS,
  resume: option('--resume <directory>', 'resume an interrupted trend', word, {
    transient: true,
    alone: {
      but: ['budget', 'format', 'full', 'wait', 'quiet'],
      because: 'a resumed trend keeps its original options',
    },
  }),
  format: FORMAT,
  full: FULL,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'show how performance changed over versions or commits',
  arguments: [
    ['[sources...]', 'npm:PACKAGE, git:DIRECTORY, a variant with --over, or variants in order'],
  ],
  options: OPTIONS,
  notes: `
Every point is measured against the same baseline in the same blocks. A few points
come first, then those between points that differ; where two neighbours differ they
are compared side by side, small differences with the code of both elsewhere in
memory, too. Versions that cannot be built or give wrong bytes are
skipped. Rows of the behaviour contract that a version breaks are listed; with
--accept, a version that breaks any other row is skipped. Results are kept in the
result store (see ${PROGRAM} history), and points that this host has measured before,
with the same code, come from there; what they took counts towards --budget. With
--resume, the budget is that of the session alone; without one there is no limit.

Examples:
  ${PROGRAM} trend npm:bson --from 6.0.0 --op serialize --corpus flat,deep --budget 5m
  ${PROGRAM} trend git:../js-bson --from v6.0.0 --every tag
  ${PROGRAM} trend git:../js-bson --from main~40 --op deserialize --corpus flat
  ${PROGRAM} trend npm:bson@7.3.1 --over node=20,22,24
  ${PROGRAM} trend recursive indexed linked-list --op serialize
  ${PROGRAM} trend --resume ${RUNS}/TREND

Exit status: 0 done, 2 usage, 3 the baseline gives wrong bytes, 4 a worker failed,
130 interrupted.`,
  run,
};

const MIN_PROCESSES = 8;
/** Of the budget, for the first points. */
const FIRST_SHARE = 1 / 2;
/** What a process and the check of a variant take, roughly; only the number of processes depends on it. */
const ROUGHLY = { processSeconds: 0.3, checkSeconds: 2 };

/**
 * @param {[string[]]} args
 * @param {TrendOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 */
async function run([sources], options, io, invocation) {
  const { conductStudy } = await import('../study.js');
  return conductStudy(
    {
      format: 'trend',
      ask: () => ask(sources, options, io, invocation),
      open: (trend, isResumed) => open(trend, isResumed, options, io),
    },
    options,
    io,
  );
}

/**
 * @param {string[]} sources
 * @param {TrendOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<Asked<Trend>>}
 * @throws {UsageError} when there is nothing to measure
 */
async function ask(sources, options, io, invocation) {
  const { calibratedSpread, readCalibrationRecord } =
    await import('../../host/calibration-record.js');
  const { identifyEnvironment } = await import('../../host/environment.js');
  const { makeQuestion } = await import('../../run/question.js');
  const { listPoints, pinEnds } = await import('../../studies/trend/points.js');
  const { USUAL_PROCESSES } = await import('../../studies/trend/series.js');
  const { update } = await import('../../studies/trend/trend.js');
  const { chooseFamily, listFamilies } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');
  const { ALL_ROWS } = await import('../../stats/verdicts.js');
  const { pinVariants, prefersPairs } = await import('../comparison.js');

  if (sources.length === 0) {
    throw new UsageError('trend needs a package, a checkout or a variant', {
      remedy: `for example: ${PROGRAM} trend npm:bson --from 6.0.0 --op serialize --corpus flat`,
    });
  }
  const isHistory = sources.length === 1 && options.over === undefined;
  const { texts } = isHistory ? { texts: sources } : await pinVariants(sources, io);
  const points = await listPoints(texts, options, io.workingPath);
  const families = await listFamilies(PROJECT.experimentsPath);
  const named = options.baseline === undefined ? [] : [parseVariantSpec(options.baseline)];
  const specs = [parseVariantSpec(points[0].spec), ...named];
  const family = chooseFamily(specs, families, options.family, io.workingPath);
  const baseline = options.baseline ?? family.reference ?? points[0].spec;
  const question = await makeQuestion([baseline, points[points.length - 1].spec], family, {
    hasTwoCores: prefersPairs(io),
    ...options,
    // Behaviour changes between versions: what a point breaks of today's contract is reported.
    ...(family.hasContract ? { accept: options.accept ?? [ALL_ROWS] } : {}),
    explain: 'none',
  });
  const firstPoints = Math.min(options.points, points.length);
  const environment = identifyEnvironment({ variables: io.environment });
  const placementSpread = calibratedSpread(readCalibrationRecord(), environment);
  /** @type {Trend} */
  const trend = {
    formatVersion: FORMAT_VERSION,
    trendId: '',
    createdAt: new Date().toISOString(),
    command: formatInvocation(invocation, { question, changes: isHistory ? pinEnds(points) : {} }),
    assay: identifyAssay(),
    environment,
    family: family.name,
    source: sources.join(' '),
    question,
    points,
    firstPoints,
    processes: chooseProcesses(options.budget, {
      firstPoints,
      cells: question.cells.length,
      usual: USUAL_PROCESSES,
    }),
    ...(placementSpread === null ? {} : { placementSpread }),
    steps: [],
    skipped: [],
    series: [],
    ended: 'running',
  };
  const [first, last] = [sources[0], points[points.length - 1].name].map((name) =>
    name.replace(/^.*[:/](?=.)/, ''),
  );
  return { record: update(trend, {}), label: `trend-${first}-to-${last}` };
}

/**
 * @param {number | undefined} budgetSeconds
 * @param {{ firstPoints: number, cells: number, usual: number }} plan
 * @returns {number} processes of each variant for a point, so that the first points take part of the budget
 */
function chooseProcesses(budgetSeconds = Infinity, { firstPoints, cells, usual }) {
  const arms = firstPoints + 1;
  const seconds = budgetSeconds * FIRST_SHARE - arms * ROUGHLY.checkSeconds;
  const affordable = seconds / (arms * cells * ROUGHLY.processSeconds);
  const processes = Math.min(usual, Math.max(MIN_PROCESSES, affordable));
  return 4 * Math.floor(processes / 4);
}

/**
 * @param {Trend} trend
 * @param {boolean} isResumed
 * @param {TrendOptions} options
 * @param {Io} io
 * @returns {Promise<OpenedStudy<Trend, Trend>>}
 */
async function open(trend, isResumed, options, io) {
  const { describeTrendStep } = await import('../../../reports/content/trend.js');
  const { prepareComparison } = await import('../../run/prepare.js');
  const { measureStep, recallSteps } = await import('../../studies/trend/measure.js');
  const { continueTrend, makeStep, makeTrendStudy, update } =
    await import('../../studies/trend/trend.js');
  const { findFamily, listFamilies } = await import('../../variants/families.js');
  const { openSession } = await import('../session.js');

  const families = await listFamilies(PROJECT.experimentsPath);
  const family = findFamily(families, trend.family);
  const context = { families, family, storePath: PROJECT.historyPath, io };
  const session = { ...openSession(io, options), recorders: [] };
  const findBudget = (/** @type {Trend} */ { steps }) => {
    const known = isResumed ? [] : steps.filter(({ isStored }) => isStored);
    return Math.max(
      0,
      (options.budget ?? Infinity) - known.reduce((sum, { seconds }) => sum + seconds, 0),
    );
  };
  /** @type {Trend['steps']} */
  let recalled = [];
  return {
    begin: (record) => ({
      state: isResumed ? continueTrend(record) : update(record, { steps: recalled }),
      study: {
        ...makeTrendStudy(
          (task, current, runsPath) =>
            measureStep(task, current, { ...context, runsPath, session }),
          findBudget,
        ),
        comment: (current, task, outcome) => describeTrendStep(makeStep(task, outcome), current),
      },
    }),
    async prepare() {
      const { question } = trend;
      // The baseline is measured in any case.
      const alone = { ...question, candidates: [question.baseline] };
      const prepared = await prepareComparison(alone, { families, family, io });
      if (!isResumed) {
        const { steps, notes } = await recallSteps(trend, context);
        for (const note of notes) writeNote(io.stderr, note);
        recalled = steps;
      }
      return [prepared];
    },
    plan: (current) => describePlan(current, findBudget(current)),
    statusOf({ ended, series }) {
      const isEmpty = series.every(({ points }) => points.length === 0);
      return isEmpty && ended === 'complete' ? EXIT.failed : EXIT.done;
    },
  };
}

/** @type {(budgetSeconds: number) => string} */
function describeLimit(budgetSeconds) {
  if (budgetSeconds === Infinity) return 'no limit (--budget sets one)';
  if (budgetSeconds === 0) return 'nothing is left of the budget';
  return `at most ${formatDuration(budgetSeconds * 1000)}`;
}

/** @type {(trend: Trend, budgetSeconds: number) => string} */
function describePlan({ points, question, firstPoints, processes, steps }, budgetSeconds) {
  const known = new Set(steps.flatMap(({ results }) => results.map(({ candidate }) => candidate)))
    .size;
  return [
    `${countOf(points.length, 'point')}, ${points[0].name} to ${points[points.length - 1].name}, on ${question.cells.map(({ id }) => id).join(', ')}`,
    `against ${question.baseline}`,
    ...(known === 0 ? [] : [`${known} known from earlier`]),
    `first ${firstPoints} of them with ${processes} processes each, then between those that differ`,
    describeLimit(budgetSeconds),
  ].join('; ');
}
