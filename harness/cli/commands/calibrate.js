import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { UsageError } from '../../lib/errors.js';
import { omitUndefined } from '../../lib/records.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, RUNS } from '../../lib/project.js';
import { SCHEDULE_NAMES, askForSchedule, scheduleOf } from '../../stats/schedule.js';
import { MIN_CITED_TRIALS } from '../../stats/calibration/trials.js';
import { USUAL } from '../../stats/usual.js';
import { formatInvocation } from '../invocation.js';
import {
  COMPARISON_OPTIONS,
  duration,
  FORMAT,
  FULL,
  HOST_OPTIONS,
  list,
  listOf,
  option,
  SEED,
  word,
} from '../options.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Calibration, CalibrationPart, CostKind, PeersComparison, Question } from '../../formats/types.ts' */
/** @import { StoredCalibration } from '../../studies/calibration/store.js' */
/** @import { Asked, OpenedStudy } from '../study.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {OptionValues<typeof OPTIONS>} CalibrateOptions */

const BUDGET_SECONDS = 20;
/** About as long as users of other tools let a comparison run. */
const PEERS_BUDGET_SECONDS = 5;
/** @type {CalibrationPart[]} */
const PARTS = ['false-positives', 'power', 'placements'];
/** @type {('default' | 'screen')[]} */
const MODES = ['default', 'screen'];
/** @type {CostKind[]} */
const COST_KINDS = ['arithmetic', 'allocation'];

const OPTIONS = {
  for: option('--for <time>', 'how long to measure: 5m, 30m, 2h', duration, { default: '30m' }),
  only: option(
    '--only <parts>',
    'parts to measure, separated by commas (default: all)',
    listOf(PARTS),
    { choices: PARTS },
  ),
  against: option(
    '--against <spec>',
    'the same code under another spec, to test pins: linked-list@node=20',
    word,
  ),
  mode: option('--mode <modes>', 'modes, separated by commas (default: both)', listOf(MODES), {
    choices: MODES,
  }),
  schedule: option(
    '--schedule <names>',
    'schedules, separated by commas (default: both, if the host has two cores and only loops in JavaScript are timed)',
    listOf([...SCHEDULE_NAMES]),
    { choices: [...SCHEDULE_NAMES] },
  ),
  cost: option(
    '--cost <kinds>',
    'what injected costs consist of, separated by commas (default: arithmetic)',
    listOf(COST_KINDS),
    { choices: COST_KINDS },
  ),
  op: {
    ...COMPARISON_OPTIONS.op,
    summary: 'operations, separated by commas (default: those of the family)',
  },
  corpus: {
    ...COMPARISON_OPTIONS.corpus,
    summary:
      'corpora, separated by commas (default: those of the family, flat and deep for js-bson)',
  },
  budget: option(
    '--budget <time>',
    'how long each comparison measures, at most 10m (default: 20s or more, with --peers 5s)',
    (text) => duration(text, 600),
  ),
  seed: SEED,
  peers: option(
    '--peers [tools]',
    'compare benchmark tools on one task, Assay among them',
    /** @type {(text: string) => string[] | true} */ (list),
  ),
  resume: option('--resume <directory>', 'continue for the time of --for', word, {
    transient: true,
    alone: {
      but: ['for', 'only', 'mode', 'schedule', 'cost', 'format', 'full', 'wait', 'quiet'],
      because: 'a resumed calibration keeps its original options',
    },
  }),
  format: FORMAT,
  full: FULL,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'measure the instrument itself on this host: its error rate and its power',
  arguments: [['[variant]', 'compared with itself (default: linked-list)']],
  options: OPTIONS,
  notes: `
Compares a variant with itself and with copies that do a known amount of extra
work, with the plan and the rule of compare. Later runs on this host cite the
result and use the number of batches that was best, once there are 20 comparisons
with itself in default mode. They also run one job at a time, or two, whichever
finds smaller effects here, once both schedules are calibrated. --resume adds to a
calibration or to a comparison of tools, ${PROGRAM} report shows it again. --peers uses
the first cell only, in default mode.

Costs can only be injected into variants of js-bson. For variants of other
families only false positives are measured, and for those with a program of their
own only in default mode and one job at a time; their budget is longer where their
processes are. --cost allocation makes garbage: it shows whether a ratio is biased
where one arm allocates much more than the other.
--against compares two specs of the same code under the same Node, such as two
spellings of its version. Later runs do not cite these calibrations.

Examples:
  ${PROGRAM} calibrate --for 30m
  ${PROGRAM} calibrate --for 1h --only false-positives --mode default
  ${PROGRAM} calibrate --for 1h --only power --mode default --cost allocation
  ${PROGRAM} calibrate --resume ${RUNS}/CALIBRATION --for 30m
  ${PROGRAM} calibrate serde --for 30m
  ${PROGRAM} calibrate linked-list@node=20.20.2 --against linked-list@node=20
  ${PROGRAM} calibrate --peers --for 30m
  ${PROGRAM} calibrate --peers tinybench,hyperfine --for 5m

Exit status: 0 done, 2 usage, 4 a worker failed or another run is measuring,
130 interrupted.`,
  run,
};

/**
 * @param {[string | undefined]} args
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when an option does not apply
 */
async function run(args, options, io, invocation) {
  const { findStudy } = await import('../../run/store.js');
  const { conductStudy } = await import('../study.js');

  const { resume, peers } = options;
  const isOfPeers =
    resume === undefined
      ? peers !== undefined
      : findStudy(resolve(io.workingPath, resume)) === 'peers';
  if (isOfPeers) {
    const ask = () => askPeers(args, options, io, invocation);
    const open = (/** @type {PeersComparison} */ record) => openPeers(record, options, io);
    return conductStudy({ format: 'peers', ask, open }, options, io);
  }
  const ask = () => askCalibration(args, options, io, invocation);
  const open = (/** @type {Calibration} */ record) => openCalibration(record, options, io);
  return conductStudy({ format: 'calibration', ask, open }, options, io);
}

/**
 * What is measured: the variant of the record, or the one that was typed.
 *
 * @typedef {object} Subject
 * @property {FoundFamily} family
 * @property {FoundFamily[]} families
 * @property {Question} question that of comparing the variant with itself
 */

/**
 * @param {{ variant?: string | undefined, against?: string | undefined, seed?: number | undefined }} asked
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<Subject>}
 */
async function findSubject({ variant, against, seed }, { op, corpus }, io) {
  const { makeQuestion } = await import('../../run/question.js');
  const { chooseFamily, listFamilies } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');

  const families = await listFamilies(PROJECT.experimentsPath);
  const spec = variant ?? findUsualVariant(families);
  // Both are the same code.
  const specs = /** @type {[string, string]} */ ([spec, against ?? spec]);
  const family = chooseFamily(specs.map(parseVariantSpec), families, undefined, io.workingPath);
  const question = await makeQuestion(specs, family, {
    ...omitUndefined({ op, corpus: corpus ?? family.calibration?.corpora }),
    mei: USUAL.minimumEffect,
    processes: USUAL.processes,
    placements: 0,
    explain: 'none',
    seed: seed ?? randomInt(2 ** 32),
  });
  return { family, families, question };
}

/**
 * @param {[string | undefined]} args
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<Asked<Calibration>>}
 */
async function askCalibration([variant], options, io, invocation) {
  const { chooseSettings } = await import('../../run/run.js');
  const { beginCalibration } = await import('../../studies/calibration/store.js');

  const { question, family } = await findSubject({ ...options, variant }, options, io);
  const { budgetSeconds } = await readTask(options, { isOfPeers: false, family, question, io });
  const record = beginCalibration({
    question,
    command: formatInvocation(invocation, { question }),
    budgetSeconds,
    settings: chooseSettings(family, null),
    variables: io.environment,
  });
  return { record, label: 'calibration' };
}

/**
 * @param {[string | undefined]} args
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<Asked<PeersComparison>>}
 */
async function askPeers([variant], options, io, invocation) {
  const { beginPeers } = await import('../../studies/calibration/peers/comparison.js');

  const { question, family } = await findSubject({ ...options, variant }, options, io);
  const { budgetSeconds, peers } = await readTask(options, {
    ...{ isOfPeers: true, family, question, io },
  });
  const formatWith = (/** @type {Record<string, string>} */ changes) =>
    formatInvocation(invocation, { question, changes });
  const record = beginPeers({
    ...{ question, peers, budgetSeconds },
    command: formatWith({}),
    formatCommand: (name) => formatWith({ peers: name }),
    variables: io.environment,
  });
  return { record, label: 'peers' };
}

/** @typedef {Awaited<ReturnType<typeof readTask>>} Task */

/**
 * @param {CalibrateOptions} options
 * @param {object} asked
 * @param {boolean} asked.isOfPeers
 * @param {FoundFamily} asked.family
 * @param {Question} asked.question
 * @param {Io} asked.io
 * @throws {UsageError} when the tools or the family cannot do what is asked
 * @throws {import('../../lib/errors.js').MachineError} when pairs are asked for, and there are no two cores
 */
async function readTask(options, { isOfPeers, family, question, io }) {
  const { for: seconds, only, mode, schedule, cost, budget, peers, against } = options;
  const { findCores, hasTwoCores } = await import('../../host/cores.js');
  const { choosePeers } = await import('../../studies/calibration/peers/list-peers.js');
  const { stretch } = await import('../../studies/claims/budget.js');
  const { canPair } = await import('../../run/question.js');
  const { hasProgram } = await import('../../variants/build-family.js');
  const ofFamily = `variants of ${family.name}`;
  if (isOfPeers) {
    if (against !== undefined) refuse(`--against '${against}'`, '--peers', 'leave one of them out');
    // Each tool loads both arms itself, one of them with a cost.
    if (family.calibration === undefined) refuse('--peers', ofFamily, 'leave the variant out');
  }
  const where = isOfPeers ? '--peers' : ofFamily;
  const isLimited = isOfPeers || family.calibration === undefined;
  const isInDefaultMode = isOfPeers || (await hasProgram(family));
  if (isLimited) {
    requireWord('--only', only, 'false-positives', where);
    requireWord('--cost', cost, 'arithmetic', where);
  }
  const isPairable = !isInDefaultMode && question.cells.every(canPair);
  if (isInDefaultMode) requireWord('--mode', mode, 'default', where);
  if (!isPairable) requireWord('--schedule', schedule, 'sequential', where);
  for (const name of schedule ?? []) findCores(scheduleOf(askForSchedule(name)), io.environment);
  const hasPairs = isPairable && hasTwoCores(io.environment);
  const usualSeconds = isOfPeers
    ? PEERS_BUDGET_SECONDS
    : Math.round(BUDGET_SECONDS * stretch(family));
  return {
    parts: only ?? (isLimited ? PARTS.slice(0, 1) : PARTS),
    modes: mode ?? (isInDefaultMode ? MODES.slice(0, 1) : MODES),
    schedules: schedule ?? (hasPairs ? [...SCHEDULE_NAMES] : SCHEDULE_NAMES.slice(0, 1)),
    costs: cost ?? COST_KINDS.slice(0, 1),
    forMs: seconds * 1_000,
    budgetSeconds: budget ?? usualSeconds,
    peers: choosePeers(Array.isArray(peers) ? peers : undefined),
  };
}

/**
 * @param {string} option
 * @param {string[] | undefined} words
 * @param {string} only
 * @param {string} where
 */
function requireWord(option, words = [], only, where) {
  const other = words.find((one) => one !== only);
  if (other !== undefined) refuse(`${option} '${other}'`, where, `use ${option} ${only}`);
}

/** @type {(option: string, where: string, remedy: string) => never} */
function refuse(option, where, remedy) {
  throw new UsageError(`${option} cannot be combined with ${where}`, { remedy });
}

/**
 * @param {Calibration} record
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<OpenedStudy<StoredCalibration, Calibration>>}
 */
async function openCalibration(record, options, io) {
  const { compareHostCounters, readHostCounters } = await import('../../host/counters.js');
  const { assertSameExperiment } = await import('../../run/identity.js');
  const { prepareComparison } = await import('../../run/prepare.js');
  const { makeCalibrationStudy, openMeasuring } =
    await import('../../studies/calibration/calibration.js');
  const { continueCalibration } = await import('../../studies/calibration/store.js');
  const { prepareTrials } = await import('../../studies/calibration/trial.js');
  const { findKind } = await import('../../studies/study.js');
  const { openSession } = await import('../session.js');

  const { family, families, question } = await findSubject(record, options, io);
  const asked = { ...question, cells: record.cells };
  const task = {
    ...(await readTask(options, { isOfPeers: false, family, question: asked, io })),
    seed: record.seed,
  };
  const session = openSession(io, options);
  return {
    prepare: async () => [await prepareComparison(asked, { families, family, io })],
    async begin(_record, path) {
      const wanted = { question: asked, family, families, outputPath: join(path, 'artefacts') };
      const trialContext = await prepareTrials(wanted, session, io);
      const { settings } = trialContext.manifest;
      assertSameExperiment(
        { settings: record.settings },
        { settings },
        findKind('calibration').resumed,
      );
      const state = await continueCalibration(path);
      const before = readHostCounters();
      const readNoise = () => compareHostCounters(before, readHostCounters());
      const measure = openMeasuring(task, trialContext, session);
      return { state, study: makeCalibrationStudy(task, { measure, readNoise }) };
    },
    recordOf: ({ calibration }) => calibration,
    finish: (state) => remember(state, family, io),
  };
}

/**
 * @param {PeersComparison} record
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<OpenedStudy<PeersComparison, PeersComparison>>}
 */
async function openPeers(record, options, io) {
  const { prepareCorpus } = await import('../../../corpora/support/prepare.js');
  const { prepareComparison } = await import('../../run/prepare.js');
  const { openPeersSession } = await import('../../studies/calibration/peers/comparison.js');
  const { choosePeers } = await import('../../studies/calibration/peers/list-peers.js');
  const { prepareTrials } = await import('../../studies/calibration/trial.js');
  const { openSession } = await import('../session.js');

  const { family, families, question } = await findSubject(record, options, io);
  const { cell, tools } = record;
  const asked = { ...question, cells: [cell] };
  const { forMs } = await readTask(options, { isOfPeers: true, family, question: asked, io });
  const session = openSession(io, options);
  return {
    prepare: async () => [await prepareComparison(asked, { families, family, io })],
    async begin(stored, path) {
      const wanted = { question: asked, family, families, outputPath: join(path, 'artefacts') };
      return openPeersSession(stored, {
        ...{ ...session, session, forMs, isBlank: options.only !== undefined },
        trialContext: await prepareTrials(wanted, session, io),
        peers: choosePeers(tools.map(({ name }) => name)),
        corpus: await prepareCorpus(cell.corpus, { directory: PROJECT.corporaPath }),
      });
    },
    async finish({ trials }) {
      if (trials.length > 0 || io.signal.aborted) return;
      writeNote(
        io.stderr,
        'measuring the costs took all of the time; use a longer --for, or --only false-positives',
      );
    },
  };
}

/**
 * @param {FoundFamily[]} families
 * @returns {string} the default variant
 */
function findUsualVariant(families) {
  const variants = families.flatMap(({ calibration }) => calibration?.variant ?? []);
  return variants[0];
}

/**
 * Writes the calibration record, which later comparisons cite and use. Other families have their own numbers
 * of batches, so only one that costs can be injected into sets it.
 *
 * @param {StoredCalibration} done
 * @param {FoundFamily} family
 * @param {Io} io
 */
async function remember({ calibration, trials }, family, io) {
  if (family.calibration === undefined || calibration.against !== undefined) {
    writeNote(
      io.stderr,
      'later reports do not cite this calibration, only those of families with injected costs, without --against',
    );
    return;
  }
  const ofDefault = calibration.modes.filter(({ mode }) => mode === 'default');
  const blanks = Math.max(0, ...ofDefault.map(({ falsePositives }) => falsePositives.of));
  if (blanks < MIN_CITED_TRIALS) {
    writeNote(
      io.stderr,
      `later reports only cite a calibration of at least ${MIN_CITED_TRIALS} A/A comparisons in default mode; this one has ${blanks}`,
    );
    return;
  }
  const { makeCalibrationRecord, writeCalibrationRecord } =
    await import('../../host/calibration-record.js');
  writeCalibrationRecord(makeCalibrationRecord(calibration, trials));
}
