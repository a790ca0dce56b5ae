import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beginCalibration } from '../../studies/calibration/begin-calibration.js';
import { publishCalibration, publishPeers, showPath } from '../publish.js';
import {
  CALIBRATION_RESUMED,
  isPeersComparison,
  readCalibration,
  readPeers,
} from '../../studies/calibration/store.js';
import { describeEnvironment } from '../../host/environment.js';
import { assertSameExperiment } from '../../run/identity.js';
import { choosePeers } from '../../studies/calibration/peers/list-peers.js';
import { makeProfile, writeProfile } from '../../host/calibration-record.js';
import { openBench, requireCalibration } from '../../studies/calibration/trial.js';
import { runCalibration } from '../../studies/calibration/run-calibration.js';
import { EXIT } from '../../lib/exit-status.js';
import { makeDirectory } from '../../lib/files.js';
import { nameMoment } from '../../run/run.js';
import { openSession } from '../terminal.js';
import { prepareComparison } from '../../run/prepare.js';
import { describeAssay, PROJECT } from '../../lib/project.js';
import { chooseFamily, listFamilies } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { prepareAndTakeTurn } from '../../host/lock.js';
import { makeQuestion } from '../../run/question/question.js';
import { parseSeed } from '../../run/question/parse-options.js';
import { formatCommand, readTask } from '../calibration-task.js';
import { requireNothingElse } from '../arguments.js';

/** @import { Command } from 'commander' */
/** @import { Io } from '../cli.js' */
/** @import { PeersComparison, Question } from '../../formats/types.ts' */
/** @import { StoredCalibration } from '../../studies/calibration/store.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { CalibrateOptions, Task } from '../calibration-task.js' */

const REMEDY = 'free some space or mend the permissions, and calibrate again';
/** With fewer A/A comparisons nothing is cited of a calibration. */
const LEAST_TRIALS = 20;
/** What can be said of a calibration that is gone on with. */
const RESUME_OPTIONS = ['--resume', '--for', '--only', '--mode', '--wait'];

/**
 * `just calibrate`: measures the instrument itself on this host.
 *
 * @param {[string | undefined]} args
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @param {Command} program
 * @returns {Promise<number>} exit status
 * @throws {import('../../lib/errors.js').UsageError} when something is asked that makes no sense
 */
export async function runCommand(args, options, io, program) {
  const { resume } = options;
  if (resume !== undefined) requireNothingElse(args, program, RESUME_OPTIONS);
  const begun = resume === undefined ? null : await readBegun(resolve(io.workingPath, resume));
  const families = await listFamilies(PROJECT.experimentsPath);
  const spec = begun?.told.variant ?? args[0] ?? findUsualVariant(families);
  const family = chooseFamily([parseVariantSpec(spec)], families, undefined, io.workingPath);
  const seed = begun?.told.seed ?? chooseSeed(options.seed);
  const question = await makeCalibrationQuestion(spec, { family, families }, options, seed);
  const tellCommand = (changes = {}) => formatCommand(args[0], { ...options, ...changes }, seed);
  const command = tellCommand();
  const asked = { family, families, question, seed, command, tellCommand };
  const isOfPeers = options.peers !== undefined || begun?.peers != null;
  const task = readTask(isOfPeers ? { peers: true, ...options } : options);
  const runsPath =
    options.out === undefined ? PROJECT.runsPath : resolve(io.workingPath, options.out);
  const where = showPath(begun?.path ?? runsPath, io.workingPath);
  const turn = { command, where, waits: options.wait };
  // What is found or built here is found at once when the bench is opened.
  const prepare = () => prepareComparison(question, { families, family, io });
  return prepareAndTakeTurn(turn, io, prepare, async () => {
    const path = begun?.path ?? makeOwnDirectory(runsPath, isOfPeers ? 'peers' : 'calibration');
    try {
      return isOfPeers
        ? await holdPeers({ ...asked, path, stored: begun?.peers ?? null }, task, options, io)
        : await calibrateInstrument({ ...asked, path, stored: begun?.stored ?? null }, task, io);
    } finally {
      removeIfBare(path);
    }
  });
}

/**
 * @typedef {object} Asked
 * @property {FoundFamily} family
 * @property {FoundFamily[]} families
 * @property {Question} question
 * @property {number} seed
 * @property {string} path absolute, of its directory
 * @property {string} command
 * @property {(changes?: Partial<CalibrateOptions>) => string} tellCommand with other options
 */

/**
 * What is gone on with: a calibration, or a comparison of tools.
 *
 * @typedef {object} Begun
 * @property {string} path absolute
 * @property {{ variant: string, seed: number }} told
 * @property {StoredCalibration | null} stored
 * @property {PeersComparison | null} peers
 */

/**
 * @param {string} path absolute
 * @returns {Promise<Begun>}
 * @throws {import('../../lib/errors.js').UsageError} when it is neither
 */
async function readBegun(path) {
  if (isPeersComparison(path)) {
    const peers = await readPeers(path);
    return { path, told: peers, stored: null, peers };
  }
  const stored = await readCalibration(path);
  return { path, told: stored.calibration, stored, peers: null };
}

/**
 * @param {Asked & Pick<Begun, 'stored'>} asked
 * @param {Task} typed
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function calibrateInstrument(asked, typed, io) {
  const { question, family, families, path, command, stored, seed } = asked;
  const task = { ...typed, seed };
  const session = openSession(io);
  const begun =
    stored ??
    beginCalibration(path, {
      question,
      command,
      budgetSeconds: typed.budgetSeconds,
      variables: io.environment,
    });
  const { cells } = begun.calibration;
  const bench = await openBench(
    { question: { ...question, cells }, family, families, outputPath: join(path, 'artefacts') },
    session,
    io,
  );
  if (stored === null) begun.calibration.settings = bench.manifest.settings;
  else {
    const { settings } = bench.manifest;
    assertSameExperiment(stored.calibration, describeInstrument(settings), CALIBRATION_RESUMED);
  }
  const done = await runCalibration(begun, task, bench, session);
  await publishCalibration(path, done.calibration, io);
  remember(done, io);
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/** @param {StoredCalibration['calibration']['settings']} settings of timed jobs */
function describeInstrument(settings) {
  return { settings, environment: describeEnvironment(), assay: describeAssay() };
}

/**
 * @param {Asked & { stored: PeersComparison | null }} asked
 * @param {Task} typed
 * @param {CalibrateOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function holdPeers({ question, tellCommand, ...asked }, typed, options, io) {
  const { stored } = asked;
  const { calibratePeers } = await import('../../studies/calibration/calibrate-peers.js');
  return calibratePeers(
    {
      ...asked,
      session: openSession(io),
      publish: (path, peers) => publishPeers(path, peers, io),
      question: {
        ...question,
        cells: stored === null ? question.cells.slice(0, 1) : [stored.cell],
      },
      peers: stored === null ? typed.peers : choosePeers(stored.tools.map(({ name }) => name)),
      isBlank: options.only !== undefined,
      forMs: typed.forMs,
      budgetSeconds: stored?.budgetSeconds ?? typed.budgetSeconds,
      tellCommand: (name) => tellCommand({ peers: name }),
    },
    io,
  );
}

/**
 * @param {string} spec
 * @param {{ family: FoundFamily, families: FoundFamily[] }} found
 * @param {CalibrateOptions} options
 * @param {number} seed
 * @returns {Promise<Question>} as `compare` would have it of the variant and itself
 */
function makeCalibrationQuestion(spec, { family, families }, { op, corpus }, seed) {
  const { corpora } = requireCalibration(family, families);
  return makeQuestion([spec, spec], family, {
    ...(op === undefined ? {} : { op }),
    corpus: corpus ?? corpora.join(','),
    mei: '3',
    processes: '96',
    explain: 'none',
    seed: String(seed),
  });
}

/**
 * @param {FoundFamily[]} families
 * @returns {string} what is compared with itself where no variant is named
 */
function findUsualVariant(families) {
  const variants = families.flatMap(({ calibration }) => calibration?.variant ?? []);
  return variants[0];
}

/**
 * @param {string | undefined} text as typed
 * @returns {number}
 */
function chooseSeed(text) {
  return text === undefined ? randomInt(2 ** 32) : parseSeed(text);
}

/**
 * @param {string} runsPath
 * @param {string} kind
 */
function makeOwnDirectory(runsPath, kind) {
  return makeDirectory(join(runsPath, `${nameMoment(new Date())}-${kind}`), REMEDY);
}

/**
 * What holds nothing but outputs of the gate is of no use to anybody.
 *
 * @param {string} path
 */
function removeIfBare(path) {
  const isBare = existsSync(path) && readdirSync(path).every((name) => name === 'artefacts');
  if (isBare) rmSync(path, { recursive: true });
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
      `note: later reports cite a calibration from ${LEAST_TRIALS} A/A comparisons in default mode on; this one has ${blanks}\n`,
    );
    return;
  }
  writeProfile(makeProfile(calibration, trials));
}
