import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { publishCalibration } from '../calibration/publish-calibration.js';
import { readCalibration } from '../calibration/calibration-store.js';
import { makeProfile } from '../calibration/make-profile.js';
import { openBench } from '../calibration/open-bench.js';
import { PARTS } from '../calibration/plan-calibration.js';
import { writeProfile } from '../calibration/profile-file.js';
import { runCalibration } from '../calibration/run-calibration.js';
import { didYouMean } from '../did-you-mean.js';
import { describeEnvironment } from '../environment.js';
import { UsageError } from '../errors.js';
import { EXIT } from '../exit-status.js';
import { FORMAT_VERSION } from '../format-version.js';
import { makeDirectory } from '../make-directory.js';
import { nameMoment } from '../name-run.js';
import { openSession } from '../open-session.js';
import { describeAssay, PROJECT } from '../project.js';
import { showPath } from '../publish-run.js';
import { chooseFamily } from '../resolve/choose-family.js';
import { listFamilies } from '../resolve/families.js';
import { parseVariantSpec } from '../resolve/parse-variant-spec.js';
import { takeTurn } from '../take-turn.js';
import { makeQuestion } from './make-question.js';
import { parseDuration, parseList, parseNumber, parseSeed } from './parse-options.js';

/** @import { Io } from '../cli.js' */
/** @import { Calibration, Question } from '../types.ts' */
/** @import { StoredCalibration } from '../calibration/calibration-store.js' */
/** @import { FoundFamily } from '../resolve/families.js' */

const DEFAULT_VARIANT = 'linked-list';
const DEFAULT_CORPORA = 'flat,deep';
const BUDGET_SECONDS = '20';
/** What users of other tools give a comparison. */
const PEERS_BUDGET_SECONDS = '5';
const MODES = /** @type {const} */ (['default', 'screen']);
const REMEDY = 'free some space or mend the permissions, and calibrate again';
/** With fewer A/A comparisons nothing is cited of a calibration. */
const LEAST_TRIALS = 20;

/**
 * @typedef {object} CalibrateOptions
 * @property {string} for
 * @property {string} [op]
 * @property {string} corpus
 * @property {string} [mode]
 * @property {string} [only]
 * @property {string} [budget] seconds of a comparison
 * @property {string} [seed]
 * @property {string} [out]
 * @property {string} [resume]
 * @property {boolean} [wait]
 * @property {string | true} [peers]
 */

/**
 * `just calibrate`: measures the instrument itself on this host.
 *
 * @param {[string | undefined]} args
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when something is asked that makes no sense
 */
export async function runCommand([variant = DEFAULT_VARIANT], options, io) {
  const { resume, peers } = options;
  const stored =
    resume === undefined ? null : await readCalibration(resolve(io.workingPath, resume));
  const spec = stored?.calibration.variant ?? variant;
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = chooseFamily([parseVariantSpec(spec)], families, undefined, io.workingPath);
  const seed = options.seed === undefined ? randomInt(2 ** 32) : parseSeed(options.seed);
  const question = await makeCalibrationQuestion(spec, family, options, seed);
  const asked = { spec, family, families, question, seed, stored };
  const path = stored?.path ?? makeOwnDirectory(options, io);
  const turn = {
    command: formatCommand(spec, options, seed),
    where: showPath(path, io.workingPath),
    waits: options.wait,
  };
  return takeTurn(turn, io, () =>
    peers === undefined
      ? calibrateInstrument({ ...asked, path, command: turn.command }, options, io)
      : holdPeers({ ...asked, path, command: turn.command }, options, io),
  );
}

/**
 * @typedef {object} Asked
 * @property {string} spec
 * @property {FoundFamily} family
 * @property {FoundFamily[]} families
 * @property {Question} question
 * @property {number} seed
 * @property {StoredCalibration | null} stored of a calibration that is gone on with
 * @property {string} path absolute, of its directory
 * @property {string} command
 */

/**
 * @param {Asked} asked
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function calibrateInstrument(asked, options, io) {
  const { question, family, families, path, command, stored, seed } = asked;
  const task = {
    parts: parseWords('--only', options.only, PARTS),
    modes: parseWords('--mode', options.mode, MODES),
    seed: stored === null ? seed : takeSeed(stored.calibration),
    forMs: parseDuration('--for', options.for),
  };
  const session = openSession(io);
  const begun =
    stored ?? beginCalibration(path, { question, command, options, variables: io.environment });
  const { cells } = begun.calibration;
  const bench = await openBench(
    { question: { ...question, cells }, family, families, outputPath: join(path, 'artefacts') },
    session,
    io,
  );
  begun.calibration.settings = bench.manifest.settings;
  const done = await runCalibration(begun, task, bench, session);
  await publishCalibration(path, done.calibration, io);
  remember(done, io);
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/**
 * @param {Asked} asked
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function holdPeers({ spec, question, seed, ...asked }, options, io) {
  const { calibratePeers } = await import('../calibration/calibrate-peers.js');
  const { peers, budget = PEERS_BUDGET_SECONDS } = options;
  return calibratePeers(
    {
      ...asked,
      question: { ...question, cells: question.cells.slice(0, 1) },
      names: typeof peers === 'string' ? parseList(peers) : undefined,
      isBlank: options.only === 'false-positives',
      forMs: parseDuration('--for', options.for),
      budgetSeconds: parseTrialBudget(budget),
      seed,
      tellCommand: (name) => formatCommand(spec, { ...options, peers: name }, seed),
    },
    io,
  );
}

/**
 * @param {string} text seconds
 * @returns {number}
 */
function parseTrialBudget(text) {
  return parseNumber('--budget', text.replace(/s$/, ''), { above: 0, upTo: 600 });
}

/**
 * @param {string} spec
 * @param {FoundFamily} family
 * @param {CalibrateOptions} options
 * @param {number} seed
 * @returns {Promise<Question>} as `compare` would have it of the variant and itself
 */
function makeCalibrationQuestion(spec, family, { op, corpus }, seed) {
  return makeQuestion([spec, spec], family, {
    ...(op === undefined ? {} : { op }),
    corpus,
    mei: '3',
    processes: '96',
    explain: 'none',
    seed: String(seed),
  });
}

/**
 * @template {string} Word
 * @param {string} option as typed, for the message
 * @param {string | undefined} text
 * @param {readonly Word[]} words
 * @returns {Word[]} all of them where nothing was typed
 * @throws {UsageError} when it is none of them
 */
function parseWords(option, text, words) {
  const asked = parseList(text) ?? [...words];
  const unknown = asked.find((word) => !words.some((known) => known === word));
  if (unknown === undefined && asked.length > 0) return /** @type {Word[]} */ (asked);
  throw new UsageError(`${option} knows no '${unknown ?? ''}'${didYouMean(unknown ?? '', words)}`, {
    remedy: `there are ${words.join(', ')}`,
  });
}

/**
 * @param {CalibrateOptions} options
 * @param {Io} io
 */
function makeOwnDirectory({ out }, io) {
  const parent = out === undefined ? PROJECT.runsPath : resolve(io.workingPath, out);
  return makeDirectory(join(parent, `${nameMoment(new Date())}-calibration`), REMEDY);
}

/**
 * @param {string} path
 * @param {{ question: Question, command: string, options: CalibrateOptions, variables: Io['environment'] }} begun
 * @returns {StoredCalibration}
 */
function beginCalibration(path, { question, command, options, variables }) {
  const { baseline: variant, cells, minimumEffect, alpha, looks } = question;
  /** @type {Calibration} */
  const calibration = {
    formatVersion: FORMAT_VERSION,
    id: path.split(/[\\/]/).at(-1) ?? '',
    createdAt: new Date().toISOString(),
    command,
    ended: 'interrupted',
    wallMs: 0,
    workerMs: 0,
    assay: describeAssay(),
    environment: describeEnvironment({ variables }),
    hostNoise: { stealShare: null, othersShare: null, throttledMs: null },
    settings: { warmUpMs: 0, warmUpCalls: 0, maxWarmUpMs: 0, batchCount: 1, batchMs: 0 },
    variant,
    cells,
    minimumEffect,
    alpha,
    looks,
    budgetSeconds: parseTrialBudget(options.budget ?? BUDGET_SECONDS),
    costs: [],
    modes: [],
    splits: [],
    layouts: [],
    warnings: [],
  };
  return { path, calibration, trials: [], observations: [], layoutObservations: [] };
}

/**
 * @param {Calibration} calibration
 * @returns {number} the seed that its plan goes by, which its command tells
 */
function takeSeed({ command }) {
  return Number(/--seed (\d+)/.exec(command)?.[1] ?? 0);
}

/**
 * @param {string} spec
 * @param {CalibrateOptions} options
 * @param {number} seed
 */
function formatCommand(spec, options, seed) {
  const words = ['just calibrate'];
  if (spec !== DEFAULT_VARIANT) words.push(spec);
  words.push(`--for ${options.for}`);
  if (options.op !== undefined) words.push(`--op ${options.op}`);
  if (options.corpus !== DEFAULT_CORPORA) words.push(`--corpus ${options.corpus}`);
  if (options.mode !== undefined) words.push(`--mode ${options.mode}`);
  if (options.only !== undefined) words.push(`--only ${options.only}`);
  if (options.peers !== undefined) {
    words.push(options.peers === true ? '--peers' : `--peers ${options.peers}`);
  }
  if (options.budget !== undefined) words.push(`--budget ${options.budget}`);
  words.push(`--seed ${seed}`);
  return words.join(' ');
}

/**
 * What later comparisons cite and go by.
 *
 * @param {StoredCalibration} done
 * @param {Io} io
 */
function remember({ calibration, trials }, io) {
  const blanks = calibration.modes.find(({ mode }) => mode === 'default')?.falsePositives.of ?? 0;
  if (blanks < LEAST_TRIALS) {
    io.stderr.write(
      `note: ${blanks} A/A comparisons in default mode are too few to be cited by later reports; ${LEAST_TRIALS} are enough\n`,
    );
    return;
  }
  writeProfile(makeProfile(calibration, trials));
}
