import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { STUDIES } from '../formats/registry.js';
import { readDocument } from '../formats/schemas.js';
import { identifyEnvironment } from '../host/environment.js';
import { AssayError, UsageError } from '../lib/errors.js';
import { escapeJson } from '../lib/escape.js';
import { makeNewDirectory, writeAtomic } from '../lib/files.js';
import { omitUndefined } from '../lib/records.js';
import { PROGRAM } from '../lib/program.js';
import { RUNS, identifyAssay } from '../lib/project.js';
import { quoteWords } from '../lib/words.js';
import { assertSameExperiment, REFUSED } from '../run/identity.js';
import { prepareResume } from '../run/prepare.js';
import { pickCompared } from '../run/question-fields.js';
import { createRun, nameMoment, resumeRun } from '../run/run.js';
import { removePartialWrites } from '../run/store.js';
import { writeLine } from '../lib/messages.js';

/** @import { Io } from '../lib/io.ts' */
/** @import { Formats, Manifest, Question, ResolvedVariant } from '../formats/types.ts' */
/** @import { ErrorContext } from '../lib/files.js' */
/** @import { Resumed } from '../run/identity.js' */
/** @import { StoredRun } from '../run/store.js' */
/** @import { Prepared, Session } from '../run/run.js' */
/** @import { AnalyzedRun } from '../run/verdict.js' */

/** @typedef {keyof typeof STUDIES} StudyName */

/**
 * A kind of study. It keeps its record in one file of its directory, and can be resumed.
 *
 * @typedef {object} StudyKind
 * @property {StudyName} format of the record
 * @property {string} file that holds it: `bisection.json`
 * @property {string} command `just bisect`
 * @property {Readonly<ErrorContext>} owner of its files, for messages
 * @property {Readonly<Resumed>} resumed
 */

/** @type {(format: StudyName) => Readonly<StudyKind>} */
export function findKind(format) {
  const { name, command, again } = STUDIES[format];
  const owner = { name: `the ${name}`, resume: `resume with: ${PROGRAM} ${command} --resume DIR` };
  return {
    format,
    file: `${format}.json`,
    command: `${PROGRAM} ${command}`,
    owner,
    resumed: { name: owner.name, again, refused: REFUSED.resumeStudy },
  };
}

/**
 * Reads the record of a study, to resume it or to render it again.
 *
 * @template {StudyName} Name
 * @param {Name} format
 * @param {string} path absolute
 * @returns {Formats[Name]}
 * @throws {UsageError} when it is not such a study
 * @throws {import('../lib/errors.js').FormatError} when its file is broken or of another format version
 */
export function readStudy(format, path) {
  const { file, command } = findKind(format);
  if (!existsSync(join(path, file))) {
    throw new UsageError(`'${path}' is not a ${STUDIES[format].name}: it has no ${file}`, {
      remedy: `name its directory, which is in ${RUNS} unless --out named another`,
    });
  }
  const remedy = `restore the file from a copy, or start again with: ${command}`;
  return readDocument(join(path, file), format, remedy);
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
  return makeNewDirectory(runsPath, name, 'free some space or name another directory with --out');
}

/**
 * A study measures one thing after the other; what comes next depends on the results so far. Only `measure` does
 * anything but compute.
 *
 * @template State, Task, Result
 * @typedef {object} Study
 * @property {(state: State, session: StudySession<Result>) => Task | null} next what to measure; null at the end
 * @property {(task: Task, state: State, session: StudySession<Result>) => Promise<Result | null>} measure null where
 *   it was interrupted before there was a result
 * @property {(state: State, measured: { task: Task, result: Result, ms: number }) => State} absorb adds a result
 * @property {(state: State, session: StudySession<Result> & { isOver: boolean }) => State} conclude the state at the
 *   end of a session; `isOver`: nothing more is to be measured
 * @property {(task: Task, state: State) => string} [announce] a line before a task is measured
 * @property {(state: State, task: Task, result: Result) => string | undefined} [comment] a line when its result is in the state
 */

/**
 * An uninterrupted stretch of a study.
 *
 * @template Result
 * @typedef {object} StudySession
 * @property {string} path absolute, of the directory of the study
 * @property {readonly Result[]} results of this session
 * @property {() => number} elapsedMs since it began
 * @property {() => boolean} isInterrupted
 */

/**
 * Measures until nothing is left or the user interrupts. The state is saved after each result, and at the end.
 *
 * @template State, Task, Result
 * @param {Study<State, Task, Result>} study
 * @param {State} opened
 * @param {object} context
 * @param {string} [context.path]
 * @param {AbortSignal} context.signal
 * @param {(state: State) => void} context.save
 * @param {(line: string) => void} [context.say]
 * @param {() => number} [context.nowMs]
 * @returns {Promise<{ state: State, results: Result[] }>} the last state, and the results of this session
 */
export async function runStudy(
  study,
  opened,
  { path = '', signal, save, say = () => {}, nowMs = readClock },
) {
  const startMs = nowMs();
  /** @type {Result[]} */
  const results = [];
  const session = {
    path,
    results,
    elapsedMs: () => nowMs() - startMs,
    isInterrupted: () => signal.aborted,
  };
  let state = opened;
  let task = study.next(state, session);
  while (task !== null && !signal.aborted) {
    if (study.announce !== undefined) say(study.announce(task, state));
    const beginMs = nowMs();
    const result = await measure(task);
    if (result === null) break;
    results.push(result);
    state = study.absorb(state, { task, result, ms: nowMs() - beginMs });
    save(state);
    const comment = study.comment?.(state, task, result);
    if (comment !== undefined) say(comment);
    task = study.next(state, session);
  }
  state = study.conclude(state, { ...session, isOver: task === null });
  save(state);
  return { state, results };

  /** @param {Task} wanted */
  async function measure(wanted) {
    try {
      return await study.measure(wanted, state, session);
    } catch (error) {
      // An interruption ends processes, whose failure is no other news.
      if (signal.aborted && error instanceof AssayError) return null;
      if (results.length > 0) save(study.conclude(state, { ...session, isOver: false }));
      throw error;
    }
  }
}

/** @returns {number} */
function readClock() {
  return performance.now();
}

/**
 * Works in the directory of a study: removes what a killed session left, and the directory itself if nothing was
 * saved in it. After an interruption it prints how to resume.
 *
 * @template Result
 * @param {StudyKind} kind
 * @param {object} place
 * @param {string} place.path absolute
 * @param {string} place.shownPath as messages name it
 * @param {boolean} place.isResumed
 * @param {Pick<Io, 'signal' | 'stderr'>} place.io
 * @param {(keep: () => void) => Promise<Result>} work calls `keep` when the directory holds a result
 * @returns {Promise<Result>}
 */
export async function workInDirectory(kind, { path, shownPath, isResumed, io }, work) {
  let isKept = isResumed;
  removeLeftovers(path);
  try {
    return await work(() => {
      isKept = true;
    });
  } finally {
    if (!isKept && !(io.signal.aborted && listRunPaths(path).length > 0)) {
      rmSync(path, { recursive: true, force: true });
    } else if (io.signal.aborted) {
      writeLine(io.stderr, `interrupted; resume with: ${formatResume(kind, shownPath)}`);
    }
  }
}

/** @type {(kind: Pick<StudyKind, 'command'>, path: string) => string} the command that resumes a study */
export function formatResume({ command }, path) {
  return `${command} --resume ${quoteWords([path])}`;
}

/**
 * Writes the record of a study, whole or not at all.
 *
 * @param {StudyKind} kind
 * @param {string} path of its directory
 * @param {object} record
 * @throws {import('../lib/errors.js').MachineError} when it cannot be written
 */
export function writeRecord({ file, owner }, path, record) {
  writeAtomic(join(path, file), `${escapeJson(JSON.stringify(record, null, 2))}\n`, owner);
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
 * Refuses to resume a study on a host, or with an Assay, whose results would not be comparable with the earlier ones.
 *
 * @param {StudyKind} kind
 * @param {string} path of the study
 * @param {{ assay: Manifest['assay'], environment?: Manifest['environment'] | undefined }} record of it
 * @throws {UsageError} naming what changed
 */
export async function assertSameHost(kind, path, record) {
  const before = omitUndefined({ assay: record.assay, environment: record.environment });
  const now = { environment: identifyEnvironment(), assay: identifyAssay() };
  assertSameExperiment(before, now, kind.resumed);
  await assertSameAsRuns(kind, path, {});
}

/**
 * Refuses to resume a study whose runs would not be comparable with those that follow.
 *
 * @param {StudyKind} kind
 * @param {string} path of the study
 * @param {Partial<Prepared>} prepared for the next run
 * @throws {UsageError} naming what changed
 */
export async function assertSameAsRuns({ resumed }, path, prepared) {
  const { variants, corpora, runtimes } = prepared;
  const host = { environment: identifyEnvironment(), assay: identifyAssay() };
  for (const { manifest } of await readManifests(path)) {
    assertSameExperiment(
      { ...manifest, variants: pickSameSpecs(manifest, prepared) },
      { ...host, ...omitUndefined({ variants, corpora, runtimes }) },
      resumed,
    );
  }
}

/**
 * @param {Manifest} manifest
 * @param {Partial<Prepared>} prepared
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
 * @param {{ kind: StudyName, io: Io }} context
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
    const resumed = { ...findKind(kind).resumed, refused: REFUSED.resumeRun };
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
