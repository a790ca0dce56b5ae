import { accessSync, constants, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareThenLock } from '../../host/lock.js';
import { AssayError, EXIT, MachineError } from '../../lib/errors.js';
import { describeError } from '../../lib/failures.js';
import { makeDirectory } from '../../lib/files.js';
import { writeNote } from '../../lib/messages.js';
import { omitUndefined } from '../../lib/records.js';
import { CheckError } from '../../run/gate.js';
import { createRun, describeExperiment, findSessionRecorders, resumeRun } from '../../run/run.js';
import { sharedIdOf } from '../../stats/plan.js';
import { hasProgram } from '../../variants/build-family.js';
import { isPassingFailure } from '../../variants/npm.js';
import { describeRefusal } from '../bisect/step.js';
import { findInterruptedRun } from '../history/earlier.js';
import { addRecord, makeRecord } from '../history/store.js';
import { listRefused, passCandidate, prepareUsable } from '../trend/measure.js';
import { specOf } from './commits.js';
import { describeStep } from './follow.js';
import { askTask } from './question.js';

/** @import { Io } from '../../lib/io.ts' */
/** @import { LoadedFile, Question, ResolvedVariant } from '../../formats/types.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { StoredRun } from '../../run/store.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { PreparedComparison } from '../trend/measure.js' */
/** @import { FollowOutcome, FollowState, FollowStepTask } from './follow.js' */

/**
 * @typedef {object} FollowContext
 * @property {Question} question of all cells, common to all comparisons
 * @property {string} directory of the checkout, as typed
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {string} storePath of the result store
 * @property {string} runsPath
 * @property {Omit<Session, 'recorders'>} session
 * @property {(question: Question) => string} formatCommand that repeats a comparison
 * @property {Io} io
 */

const STORE_REMEDY = 'name another directory with --store';

/**
 * Measures one comparison as a run with all its reports, and records it.
 *
 * @param {FollowStepTask} task
 * @param {FollowState} state
 * @param {FollowContext} context
 * @returns {Promise<FollowOutcome | null>} null where it was interrupted
 * @throws {AssayError} when the reference cannot be fetched, built, loaded or checked, or another process measures
 */
export async function measureTask(task, state, context) {
  try {
    return await measurePair(task, state, context);
  } catch (error) {
    if (task.before === null || !(await isOfBaseline(error, task, state, context))) throw error;
    return {
      record: null,
      reason: describeError(/** @type {AssayError} */ (error)),
      isBefore: true,
      sessionSeconds: 0,
    };
  }
}

/**
 * What could be measured once may not be for ever: its build needs what the host no longer has, or its bytes are wrong by a
 * newer family.
 *
 * @param {unknown} error
 * @param {FollowStepTask} task
 * @param {FollowState} state
 * @param {FollowContext} context
 * @returns {Promise<boolean>} whether the commit before is to blame, and not what all comparisons share
 */
async function isOfBaseline(error, task, state, context) {
  const { signal } = context.io;
  if (!(error instanceof AssayError) || isPassingFailure(error) || signal.aborted) return false;
  const question = askTask(task, state, context);
  const { baseline } = question;
  if (error.exitStatus === EXIT.wrongBytes) return true;
  if (error instanceof CheckError) return error.spec === baseline;
  const alone = { ...question, baseline: state.reference, candidates: [baseline] };
  return (await prepareUsable(alone, context)).prepared === null;
}

/** @type {typeof measureTask} */
async function measurePair(task, state, context) {
  const { storePath, runsPath, session, io } = context;
  requireStore(storePath);
  const question = askTask(task, state, context);
  const command = context.formatCommand(question);
  const request = { command, where: runsPath, waits: session.waits };
  const prepare = async () => ({
    // Nothing is measured then, and that is said.
    ...(await prepareUsable(question, { ...context, expectsSameCode: task.purpose === 'merge' })),
    unchanged: task.purpose === 'confirmation' ? await findUnchanged(task, state, context) : [],
  });
  return prepareThenLock(request, io, prepare, async ({ prepared, skipped, unchanged }) => {
    if (prepared === null) {
      return { record: null, reason: skipped[0].reason, sessionSeconds: 0 };
    }
    if (task.purpose === 'merge' && hasSameCode(prepared)) {
      return { record: null, isUnchanged: true, sessionSeconds: 0 };
    }
    const startMs = performance.now();
    const run = await passCandidate(measureRun(prepared, command, context), question.candidates);
    if (run instanceof CheckError) {
      return { record: null, reason: describeError(run), sessionSeconds: 0 };
    }
    await session.publish(run);
    const { verdict } = run;
    if (verdict.ended === 'interrupted') return null;
    const sessionSeconds = (performance.now() - startMs) / 1000;
    if (verdict.ended === 'refused') {
      const reason = listRefused(run)[0]?.reason ?? describeRefusal(run);
      return { record: null, reason, sessionSeconds };
    }
    const causes = (verdict.explanation?.cells ?? []).flatMap(({ cell, summary }) =>
      summary === undefined ? [] : { cellId: sharedIdOf(cell), text: summary },
    );
    const { identity, ...measured } = makeRecord(run);
    // A run that was resumed names the budget of its first session; how much another confirmation needs follows from the last one.
    const asked = { ...identity.question, budgetSeconds: question.budgetSeconds };
    const record = {
      ...{ ...measured, identity: { ...identity, question: asked } },
      followed: {
        ...describeStep(task, { ...state, unchanged: [...state.unchanged, ...unchanged] }),
        ...omitUndefined({ causes: causes.length === 0 ? undefined : causes }),
      },
    };
    addRecord(storePath, record);
    if (task.purpose === 'confirmation') keepReport(run, storePath);
    return { record, sessionSeconds, unchanged };
  });
}

/**
 * Measures a comparison, or what is missing of one that was interrupted.
 *
 * @param {PreparedComparison} prepared
 * @param {string} command
 * @param {FollowContext} context
 * @returns {ReturnType<typeof createRun>}
 */
async function measureRun(prepared, command, { family, runsPath, session, io }) {
  const { question } = prepared;
  const now = describeExperiment(prepared, session.environment);
  const earlier = await findInterruptedRun(now, runsPath);
  if (earlier !== null) {
    writeNote(io.stderr, `goes on with ${earlier.manifest.runId}, which was interrupted`);
    const { sandbox = null } = prepared;
    return resumeRun(earlier.path, question.budgetSeconds, { family, sandbox }, session);
  }
  const isProgram = await hasProgram(family);
  const { recorders, states } = await findSessionRecorders(question, session, isProgram);
  const whole = { ...prepared, command, runsPath, recorderStates: states };
  return createRun(whole, { ...session, recorders });
}

/**
 * What cannot be recorded is lost, so it is not measured.
 *
 * @param {string} path
 * @throws {MachineError} when no record can be written there
 */
function requireStore(path) {
  makeDirectory(path, STORE_REMEDY);
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`cannot write to the result store: ${message}`, {
      ...{ cause, remedy: STORE_REMEDY },
    });
  }
}

/** Of more commits, the search builds only those that it needs. */
const MOST_BUILT = 16;

/**
 * Builds the commits of a change that covers several, because most of them may have changed no code.
 *
 * @param {FollowStepTask} task
 * @param {FollowState} state
 * @param {FollowContext} context
 * @returns {Promise<string[]>} hashes of those with the code of the commit before them
 */
async function findUnchanged(task, state, context) {
  const { commits } = describeStep(task, state);
  if (commits.length < 2 || commits.length > MOST_BUILT) return [];
  const question = askTask(task, state, context);
  /** @type {string[]} */
  const unchanged = [];
  let before = question.baseline;
  for (const { revision } of commits) {
    const after = specOf(context.directory, revision);
    const pair = { ...question, baseline: before, candidates: [after] };
    const { prepared } = await prepareUsable(pair, { ...context, expectsSameCode: true });
    if (prepared === null) continue;
    if (hasSameCode(prepared)) unchanged.push(revision);
    before = after;
  }
  return unchanged;
}

/**
 * Keeps the report beside the records, for pages that link it.
 *
 * @param {Pick<StoredRun, 'path' | 'manifest'>} run
 * @param {string} storePath
 */
function keepReport({ path, manifest }, storePath) {
  const page = join(path, 'report.html');
  if (!existsSync(page)) return;
  const reportsPath = makeDirectory(join(storePath, 'reports'), 'free some space');
  copyFileSync(page, join(reportsPath, `${manifest.runId}.html`));
}

/**
 * Whether both variants are built to the same code. Manifests of packages only decide which files are loaded, and all of
 * these are compared.
 *
 * @param {PreparedComparison} prepared of two variants
 * @returns {boolean}
 */
function hasSameCode({ variants: { baseline, candidates }, code }) {
  const [candidate] = candidates;
  if (baseline.digest === candidate.digest) return true;
  const [before, after] = [baseline, candidate].map((variant) => listCode(variant, code.files));
  return before !== '' && before === after;
}

/** @type {(variant: Pick<ResolvedVariant, 'spec'>, files: LoadedFile[]) => string} what a variant loads, but for manifests */
function listCode(variant, files) {
  return files
    .filter(({ spec, name }) => spec === variant.spec && !/(?:^|\/)package\.json$/.test(name))
    .map(({ name, digest }) => `${name}\0${digest}`)
    .sort()
    .join('\n');
}
