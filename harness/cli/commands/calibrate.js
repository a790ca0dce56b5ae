import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, RUNS, describeAssay } from '../../lib/project.js';
import { SCHEDULE_NAMES, askForSchedule, scheduleOf } from '../../stats/schedule.js';
import { USUAL } from '../../stats/usual.js';
import { formatInvocation } from '../invocation.js';
import {
  COMPARISON_OPTIONS,
  duration,
  FORMAT,
  HOST_OPTIONS,
  list,
  listOf,
  option,
  SEED,
  word,
} from '../options.js';
import { showPath } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { CalibrationPart, CostKind, PeersComparison, Question } from '../../formats/types.ts' */
/** @import { StoredCalibration } from '../../studies/calibration/store.js' */
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
/** A/A comparisons without which reports do not cite a calibration. */
const MIN_TRIALS = 20;

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
    'for each comparison, at most 10m (default: 20s or more, with --peers 5s)',
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
      but: ['for', 'only', 'mode', 'schedule', 'cost', 'format', 'wait', 'quiet'],
      because: 'a resumed calibration keeps its original options',
    },
  }),
  format: FORMAT,
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
  const { prepareThenLock } = await import('../../host/lock.js');
  const { prepareComparison } = await import('../../run/prepare.js');
  const { chooseFamily, listFamilies } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');
  const { readCalibration } = await import('../../studies/calibration/store.js');
  const { CALIBRATION, conductStudy, createStudyDirectory, PEERS, readStudy } =
    await import('../../studies/study.js');
  const { findRunsPath } = await import('../session.js');

  const { resume } = options;
  const resumed = resume === undefined ? null : await findResumed(resolve(io.workingPath, resume));
  const families = await listFamilies(PROJECT.experimentsPath);
  const spec = resumed?.stated.variant ?? args[0] ?? findUsualVariant(families);
  const against = resumed === null ? options.against : resumed.stated.against;
  const specs = /** @type {[string, string]} */ ([spec, against ?? spec]);
  const parsed = specs.map(parseVariantSpec);
  const family = chooseFamily(parsed, families, undefined, io.workingPath);
  const seed = resumed?.stated.seed ?? options.seed ?? randomInt(2 ** 32);
  const question = await makeCalibrationQuestion(specs, family, options, seed);
  const formatCommand = (/** @type {Record<string, string>} */ changes = {}) =>
    formatInvocation(invocation, { question, changes });
  const command = formatCommand();
  const asked = { family, families, question, seed, command, formatCommand };
  const isOfPeers = options.peers !== undefined || resumed?.isOfPeers === true;
  const task = await readTask(options, {
    isOfPeers,
    family,
    question,
    environment: io.environment,
  });
  const runsPath = findRunsPath(options.out, io);
  const where = showPath(resumed?.path ?? runsPath, io.workingPath);
  const request = { command, where, waits: options.wait };
  // Downloads and builds what the calibration needs before it takes the lock.
  const prepare = () => prepareComparison(question, { families, family, io });
  return prepareThenLock(request, io, prepare, async () => {
    const path =
      resumed?.path ?? createStudyDirectory(runsPath, isOfPeers ? 'peers' : 'calibration');
    const place = {
      path,
      shownPath: showPath(path, io.workingPath),
      isResumed: resumed !== null,
      io,
    };
    // What is stored is read under the lock: another process may have resumed it meanwhile.
    if (isOfPeers) {
      const stored = resumed === null ? null : await readStudy(PEERS, path);
      return conductStudy(PEERS, { ...place, state: stored }, ({ save }) =>
        comparePeers({ ...asked, path, save, stored }, task, options, io),
      );
    }
    const stored = resumed === null ? null : await readCalibration(path);
    return conductStudy(CALIBRATION, { ...place, state: stored?.calibration ?? null }, ({ save }) =>
      calibrateInstrument({ ...asked, path, save, stored }, task, options, io),
    );
  });
}

/** @typedef {Awaited<ReturnType<typeof readTask>>} Task */

/**
 * @param {CalibrateOptions} options
 * @param {object} asked
 * @param {boolean} asked.isOfPeers
 * @param {FoundFamily} asked.family
 * @param {Question} asked.question
 * @param {Io['environment']} asked.environment
 * @throws {UsageError} when the tools or the family cannot do what is asked
 * @throws {import('../../lib/errors.js').MachineError} when pairs are asked for, and there are no two cores
 */
async function readTask(options, { isOfPeers, family, question, environment }) {
  const { for: seconds, only, mode, schedule, cost, budget, peers, against } = options;
  const { findTwoCores, hasTwoCores } = await import('../../host/cores.js');
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
  if (schedule?.some((name) => scheduleOf(askForSchedule(name)).width > 1) === true) {
    findTwoCores(environment);
  }
  const hasPairs = isPairable && hasTwoCores(environment);
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
 * @typedef {object} Asked
 * @property {FoundFamily} family
 * @property {FoundFamily[]} families
 * @property {Question} question
 * @property {number} seed
 * @property {string} path absolute, of its directory
 * @property {string} command
 * @property {(changes?: Record<string, string>) => string} formatCommand with other options
 * @property {(state: any) => unknown} save writes its state
 */

/**
 * What is resumed: a calibration, or a comparison of tools.
 *
 * @typedef {object} Resumed
 * @property {string} path absolute
 * @property {boolean} isOfPeers
 * @property {{ variant: string, against?: string, seed: number }} stated
 */

/**
 * @param {string} path absolute
 * @returns {Promise<Resumed>}
 * @throws {UsageError} when it is neither
 */
async function findResumed(path) {
  const { CALIBRATION, isStudy, PEERS, readStudy } = await import('../../studies/study.js');
  const isOfPeers = isStudy(PEERS, path);
  const stated = isOfPeers ? await readStudy(PEERS, path) : await readStudy(CALIBRATION, path);
  return { path, isOfPeers, stated };
}

/**
 * @param {Asked & { stored: StoredCalibration | null }} asked
 * @param {Task} typed
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function calibrateInstrument(asked, typed, options, io) {
  const { assertSameExperiment } = await import('../../run/identity.js');
  const { beginCalibration } = await import('../../studies/calibration/store.js');
  const { runCalibration } = await import('../../studies/calibration/calibration.js');
  const { CALIBRATION } = await import('../../studies/study.js');
  const { prepareTrials } = await import('../../studies/calibration/trial.js');
  const { calibrationFinding, publishFinding } = await import('../publish.js');
  const { openSession } = await import('../session.js');

  const { question, family, families, path, command, stored, seed, save } = asked;
  const task = { ...typed, seed };
  const session = openSession(io, options);
  const started =
    stored ??
    beginCalibration(path, {
      question,
      command,
      budgetSeconds: typed.budgetSeconds,
      variables: io.environment,
    });
  const { cells } = started.calibration;
  const trialContext = await prepareTrials(
    { question: { ...question, cells }, family, families, outputPath: join(path, 'artefacts') },
    session,
    io,
  );
  const { settings } = trialContext.manifest;
  if (stored === null) started.calibration.settings = settings;
  else {
    const instrument = await describeInstrument(settings);
    assertSameExperiment(stored.calibration, instrument, CALIBRATION.resumed);
  }
  const done = await runCalibration(started, task, trialContext, { ...session, save });
  const finding = await calibrationFinding(path, done.calibration, io);
  const place = { path, name: 'calibration', owner: CALIBRATION.owner };
  await publishFinding(finding, place, io, options.format);
  await remember(done, family, io);
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/** @param {StoredCalibration['calibration']['settings']} settings of timed jobs */
async function describeInstrument(settings) {
  const { describeEnvironment } = await import('../../host/environment.js');
  return { settings, environment: describeEnvironment(), assay: describeAssay() };
}

/**
 * @param {Asked & { stored: PeersComparison | null }} asked
 * @param {Task} typed
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function comparePeers({ question, formatCommand, ...asked }, typed, options, io) {
  const { calibratePeers } = await import('../../studies/calibration/peers/comparison.js');
  const { choosePeers } = await import('../../studies/calibration/peers/list-peers.js');
  const { PEERS } = await import('../../studies/study.js');
  const { peersFinding, publishFinding } = await import('../publish.js');
  const { openSession } = await import('../session.js');

  const { stored } = asked;
  return calibratePeers(
    {
      ...asked,
      session: openSession(io, options),
      publish: async (path, peers) =>
        publishFinding(
          await peersFinding(path, peers, io),
          { path, name: 'peers', owner: PEERS.owner },
          io,
          options.format,
        ),
      question: {
        ...question,
        cells: stored === null ? question.cells.slice(0, 1) : [stored.cell],
      },
      peers: stored === null ? typed.peers : choosePeers(stored.tools.map(({ name }) => name)),
      isBlank: options.only !== undefined,
      forMs: typed.forMs,
      budgetSeconds: stored?.budgetSeconds ?? typed.budgetSeconds,
      formatCommand: (name) => formatCommand({ peers: name }),
    },
    io,
  );
}

/**
 * @param {[string, string]} specs of baseline and candidate, which are the same code
 * @param {FoundFamily} family
 * @param {CalibrateOptions} options
 * @param {number} seed
 * @returns {Promise<Question>} that of comparing the variant with itself
 */
async function makeCalibrationQuestion(
  specs,
  family,
  { op, corpus = family.calibration?.corpora },
  seed,
) {
  const { makeQuestion } = await import('../../run/question.js');
  return makeQuestion(specs, family, {
    ...(op === undefined ? {} : { op }),
    ...(corpus === undefined ? {} : { corpus }),
    mei: USUAL.minimumEffect,
    processes: USUAL.processes,
    placements: 0,
    explain: 'none',
    seed,
  });
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
    io.stderr.write(
      'note: later reports do not cite this calibration, only those of families with injected costs, without --against\n',
    );
    return;
  }
  const ofDefault = calibration.modes.filter(({ mode }) => mode === 'default');
  const blanks = Math.max(0, ...ofDefault.map(({ falsePositives }) => falsePositives.of));
  if (blanks < MIN_TRIALS) {
    io.stderr.write(
      `note: later reports only cite a calibration of at least ${MIN_TRIALS} A/A comparisons in default mode; this one has ${blanks}\n`,
    );
    return;
  }
  const { makeCalibrationRecord, writeCalibrationRecord } =
    await import('../../host/calibration-record.js');
  writeCalibrationRecord(makeCalibrationRecord(calibration, trials));
}
