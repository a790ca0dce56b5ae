import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readDocument } from '../formats/schemas.js';
import { describeEnvironment } from '../host/environment.js';
import { UsageError } from '../lib/errors.js';
import { escapeJson } from '../lib/escape.js';
import { makeDirectory, writeAtomic } from '../lib/files.js';
import { PROGRAM } from '../lib/program.js';
import { RUNS, describeAssay } from '../lib/project.js';
import { quoteWords } from '../lib/words.js';
import { assertSameExperiment, REFUSED } from '../run/identity.js';
import { prepareResume } from '../run/prepare.js';
import { pickCompared } from '../run/question-fields.js';
import { createRun, nameMoment, resumeRun } from '../run/run.js';
import { removePartialWrites } from '../run/store.js';

/** @import { Io } from '../lib/io.ts' */
/** @import { Bisection, Calibration, Manifest, PeersComparison, Question, Reproduction, ResolvedVariant, Trend } from '../formats/types.ts' */
/** @import { ErrorContext } from '../lib/files.js' */
/** @import { Resumed } from '../run/identity.js' */
/** @import { StoredRun } from '../run/store.js' */
/** @import { Prepared, Session } from '../run/run.js' */
/** @import { AnalyzedRun } from '../run/verdict.js' */

/**
 * A kind of study. A study measures several runs, keeps its state in one file of its directory, and can be
 * resumed.
 *
 * @template State
 * @typedef {object} StudyKind
 * @property {string} file that holds its state: `bisection.json`
 * @property {import('../formats/types.ts').FormatKind} format of that file
 * @property {string} command `just bisect`
 * @property {Readonly<ErrorContext>} owner of its files, for messages
 * @property {Readonly<Resumed>} resumed
 * @property {State} [state] never set: carries the type of the state
 */

/** @type {StudyKind<Bisection>} */
export const BISECTION = defineStudy(
  'bisection',
  'the bisection',
  `${PROGRAM} bisect`,
  'a new bisection',
);
/** @type {StudyKind<Trend>} */
export const TREND = defineStudy('trend', 'the trend', `${PROGRAM} trend`, 'a new trend');
/** @type {StudyKind<Reproduction>} */
export const REPRODUCTION = defineStudy(
  'reproduction',
  'the reproduction',
  `${PROGRAM} reproduce`,
  'a new reproduction',
);
/** @type {StudyKind<Calibration>} */
export const CALIBRATION = defineStudy(
  'calibration',
  'the calibration',
  `${PROGRAM} calibrate`,
  'a new calibration',
);
/** @type {StudyKind<PeersComparison>} */
export const PEERS = defineStudy(
  'peers',
  'the comparison of tools',
  `${PROGRAM} calibrate`,
  `a new one with: ${PROGRAM} calibrate --peers`,
);

/**
 * @param {'bisection' | 'trend' | 'reproduction' | 'calibration' | 'peers'} format
 * @param {string} name
 * @param {string} command
 * @param {string} again
 * @returns {StudyKind<any>}
 */
function defineStudy(format, name, command, again) {
  return Object.freeze({
    file: `${format}.json`,
    format,
    command,
    owner: Object.freeze({ name, resume: `resume with: ${command} --resume DIR` }),
    resumed: Object.freeze({ name, again, refused: REFUSED.resumeStudy }),
  });
}

/**
 * @param {StudyKind<any>} kind
 * @param {string} path absolute
 * @returns {boolean} whether it is the directory of such a study
 */
export function isStudy({ file }, path) {
  return existsSync(join(path, file));
}

/**
 * Reads the state of a study, to resume it or to render it again.
 *
 * @template State
 * @param {StudyKind<State>} kind
 * @param {string} path absolute
 * @returns {Promise<State>}
 * @throws {UsageError} when it is not such a study
 * @throws {import('../lib/errors.js').FormatError} when its file is broken or of another format version
 */
export async function readStudy({ file, format, command, owner }, path) {
  if (!existsSync(join(path, file))) {
    throw new UsageError(`'${path}' is not ${owner.name.replace(/^the/, 'a')}: it has no ${file}`, {
      remedy: `name its directory, which is in ${RUNS} unless --out named another`,
    });
  }
  const remedy = `restore the file from a copy, or start again with: ${command}`;
  return /** @type {State} */ (readDocument(join(path, file), format, remedy));
}

/**
 * Makes the directory of a new study.
 *
 * @param {string} runsPath absolute
 * @param {string} label of its name, after the moment: `bisect-main-serialize-flat`
 * @returns {string} absolute path
 * @throws {import('../lib/errors.js').MachineError} when it cannot be made
 */
export function createStudyDirectory(runsPath, label) {
  const name = `${nameMoment(new Date())}-${label.replaceAll(/[^\w@.-]+/g, '-')}`.slice(0, 120);
  let path = join(runsPath, name);
  for (let again = 2; existsSync(path); again++) path = join(runsPath, `${name}-${again}`);
  return makeDirectory(path, 'free some space or name another directory with --out');
}

/**
 * A study while it measures.
 *
 * @template State
 * @typedef {object} Study
 * @property {string} path absolute, of its directory
 * @property {() => State} current state
 * @property {(changes?: Partial<State>) => State} begin writes the state before anything is measured; the
 *   directory is still removed if nothing is
 * @property {(changes: Partial<State>) => State} save writes the changed state
 * @property {() => number} sessionMs since this session began
 */

/**
 * Conducts a study in its directory: removes what a killed session left, keeps the state, removes the
 * directory when nothing was measured, and prints how to resume after an interruption.
 *
 * @template State, Result
 * @param {StudyKind<State>} kind
 * @param {object} place
 * @param {string} place.path absolute, of its directory
 * @param {string} place.shownPath as messages name it
 * @param {State} place.state
 * @param {boolean} place.isResumed
 * @param {Pick<Io, 'signal' | 'stderr'>} place.io
 * @param {(study: Study<State>) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function conductStudy(kind, { path, shownPath, state, isResumed, io }, work) {
  const startMs = performance.now();
  let current = state;
  let isKept = isResumed;
  removeLeftovers(path);
  /** @param {Partial<State>} [changes] */
  const begin = (changes = {}) => {
    current = { ...current, ...changes };
    writeState(kind, path, current);
    return current;
  };
  try {
    return await work({
      path,
      current: () => current,
      begin,
      save(changes) {
        isKept = true;
        return begin(changes);
      },
      sessionMs: () => performance.now() - startMs,
    });
  } finally {
    if (!isKept && !(io.signal.aborted && listRunPaths(path).length > 0)) {
      rmSync(path, { recursive: true, force: true });
    } else if (io.signal.aborted) {
      io.stderr.write(`interrupted; resume with: ${formatResume(kind, shownPath)}\n`);
    }
  }
}

/**
 * @param {StudyKind<any>} kind
 * @param {string} path as typed or shown
 * @returns {string} the command that resumes a study
 */
export function formatResume({ command }, path) {
  return `${command} --resume ${quoteWords([path])}`;
}

/**
 * Writes the state of a study, whole or not at all.
 *
 * @template State
 * @param {StudyKind<State>} kind
 * @param {string} path of its directory
 * @param {State} state
 * @throws {import('../lib/errors.js').MachineError} when it cannot be written
 */
export function writeState({ file, owner }, path, state) {
  writeAtomic(join(path, file), `${escapeJson(JSON.stringify(state, null, 2))}\n`, owner);
}

/**
 * Removes temporary files, and directories of runs that were killed before anything was timed.
 *
 * @param {string} path of a study
 */
function removeLeftovers(path) {
  removePartialWrites(path);
  for (const name of readdirSync(path)) {
    const isUnstarted =
      existsSync(join(path, name, ARTEFACTS)) && !existsSync(join(path, name, MANIFEST));
    if (isUnstarted) rmSync(join(path, name), { recursive: true });
  }
}

const ARTEFACTS = 'artefacts';
const MANIFEST = 'manifest.json';

/** @param {string} path of a study */
function listRunPaths(path) {
  return readdirSync(path)
    .map((name) => join(path, name))
    .filter((runPath) => existsSync(join(runPath, MANIFEST)));
}

/**
 * @param {string} path of a study
 * @returns {Promise<{ path: string, manifest: Manifest }[]>} its runs, finished or not
 */
async function readManifests(path) {
  const runs = [];
  for (const runPath of listRunPaths(path)) {
    const remedy = 'restore the file from a copy, or remove the directory of that run';
    const manifest = readDocument(join(runPath, MANIFEST), 'manifest', remedy);
    runs.push({ path: runPath, manifest });
  }
  return runs;
}

/**
 * Refuses to resume a study whose runs would not be comparable with those that follow.
 *
 * @param {StudyKind<any>} kind
 * @param {string} path of the study
 * @param {Partial<Pick<Prepared, 'variants' | 'corpora' | 'runtimes'>>} [prepared] for the next run; without
 *   it only the host and Assay are compared
 * @throws {UsageError} naming what changed
 */
export async function assertSameAsRuns({ resumed }, path, prepared = {}) {
  const host = { environment: describeEnvironment(), assay: describeAssay() };
  for (const { manifest } of await readManifests(path)) {
    assertSameExperiment(
      { ...manifest, variants: pickSameSpecs(manifest, prepared) },
      { ...host, ...prepared },
      resumed,
    );
  }
}

/**
 * @param {Manifest} manifest
 * @param {Partial<Pick<Prepared, 'variants'>>} prepared
 * @returns {NonNullable<import('../run/identity.js').Identity['variants']>} variants of the manifest in the roles that
 *   those of the same spec have now
 */
function pickSameSpecs({ variants: { baseline, candidates } }, { variants }) {
  if (variants === undefined) return {};
  const findSame = (/** @type {ResolvedVariant} */ now) =>
    [baseline, ...candidates].find(({ spec }) => spec === now.spec);
  return {
    baseline: findSame(variants.baseline),
    candidates: variants.candidates.map(findSame),
  };
}

/**
 * Measures a run of a study: resumes the run with the same question if there is one, or creates it.
 *
 * @param {Prepared} prepared `runsPath` is the directory of the study
 * @param {Session} session
 * @param {{ kind: StudyKind<any>, io: Io }} context
 * @returns {Promise<StoredRun & AnalyzedRun>}
 * @throws {import('../lib/errors.js').AssayError} when it cannot be measured, or resumed
 */
export async function measureRun(prepared, session, { kind, io }) {
  const { question, runsPath } = prepared;
  const runs = await readManifests(runsPath);
  const earlier = runs.find(({ manifest }) => isSameQuestion(manifest.question, question));
  const run =
    earlier === undefined ? await createRun(prepared, session) : await resume(earlier.path);
  await session.publish(run);
  return run;

  /** @param {string} path */
  async function resume(path) {
    const resumed = { ...kind.resumed, refused: REFUSED.resumeRun };
    return resumeRun(path, question.budgetSeconds, await prepareResume(path, io, resumed), session);
  }
}

/**
 * @param {Question} before
 * @param {Question} now
 * @returns {boolean} whether they are the same apart from the budget
 */
function isSameQuestion(before, now) {
  const [left, right] = [before, now].map((question) => pickCompared(question, 'resumeStudy'));
  return isDeepStrictEqual(left, right);
}
