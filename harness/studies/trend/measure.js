import { AssayError, MachineError } from '../../lib/errors.js';
import { describeError } from '../../lib/failures.js';
import { CheckError } from '../../run/gate.js';
import { prepareComparison } from '../../run/prepare.js';
import { agreeOn } from '../../run/question-fields.js';
import { describeExperiment } from '../../run/run.js';
import { withCandidates } from '../../stats/plan.js';
import { contractViolations, isNamed } from '../../stats/verdicts.js';
import { isPassingFailure } from '../../variants/npm.js';
import { describeRefusal } from '../bisect/step.js';
import { isSameExperiment } from '../history/earlier.js';
import { addRecord, makeRecord, readRecords } from '../history/store.js';
import { assertSameAsRuns, findKind, measureRun } from '../study.js';
import { askStep } from './question.js';
import { toResults } from './series.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../../lib/io.ts' */
/** @import { ComparisonRecord, Question, Trend, TrendStep } from '../../formats/types.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { StoredRun } from '../../run/store.js' */
/** @import { AnalyzedRun } from '../../run/verdict.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { TrendOutcome, TrendStepTask } from './trend.js' */

/** @typedef {Awaited<ReturnType<typeof prepareComparison>>} PreparedComparison */

/**
 * @typedef {object} TrendContext
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {string} storePath of the result store
 * @property {Io} io
 */

/**
 * Measures one step as a run with all its reports, or the rest of one that was interrupted, and records it.
 *
 * @param {TrendStepTask} task
 * @param {Trend} trend
 * @param {TrendContext & { runsPath: string, session: Session }} context `runsPath`: directory of the trend
 * @returns {Promise<TrendOutcome>}
 * @throws {AssayError} when the baseline cannot be fetched, built, loaded or checked, or what was measured has changed
 */
export async function measureStep(task, trend, context) {
  const { io, runsPath, session, storePath } = context;
  const { prepared, skipped } = await prepareUsable(askStep(trend, task), context);
  if (prepared === null) {
    return { results: [], skipped, runId: null, ended: 'complete', seconds: 0, sessionSeconds: 0 };
  }
  // Of points that were measured before, the code may have changed.
  await assertSameAsRuns(findKind('trend'), runsPath, prepared);
  const whole = { ...prepared, command: trend.command, runsPath, recorderStates: [] };
  const startMs = performance.now();
  const sessionSeconds = () => (performance.now() - startMs) / 1000;
  const run = await passCandidate(
    measureRun(whole, session, { kind: 'trend', io }),
    prepared.question.candidates,
  );
  if (run instanceof CheckError) {
    const own = { spec: run.spec, reason: describeError(run) };
    const seconds = { seconds: 0, sessionSeconds: sessionSeconds() };
    return { results: [], skipped: [own], runId: null, ended: 'complete', ...seconds };
  }
  const { runId, question } = run.manifest;
  const { ended } = run.verdict;
  const record = makeRecord(run);
  const { seconds } = record;
  const common = { runId, seconds, sessionSeconds: sessionSeconds() };
  if (ended === 'refused') {
    return { ...common, results: [], skipped: listRefused(run), ended: 'complete' };
  }
  if (ended !== 'interrupted') tryToRecord(record, storePath, io);
  return {
    ...common,
    results: toResults(record.cells),
    skipped: [],
    ...keepBreaches(record, question.candidates),
    ended: ended === 'budget' || ended === 'interrupted' ? ended : 'complete',
  };
}

/**
 * @template Run
 * @param {Promise<Run>} measuring
 * @param {string[]} candidates
 * @returns {Promise<Run | CheckError>} the error where a candidate cannot be loaded or ends its worker, which concerns no other variant
 */
export async function passCandidate(measuring, candidates) {
  try {
    return await measuring;
  } catch (error) {
    if (error instanceof CheckError && candidates.includes(error.spec)) return error;
    throw error;
  }
}

/**
 * Adds a record to the store. The run is there, whether it can be recorded or not.
 *
 * @param {ComparisonRecord} record
 * @param {string} storePath
 * @param {Pick<Io, 'stderr'>} io
 */
function tryToRecord(record, storePath, { stderr }) {
  try {
    addRecord(storePath, record);
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    writeNote(stderr, `not recorded: ${error.message}`);
  }
}

/**
 * Prepares a comparison, or finds out which candidates cannot be fetched or built.
 *
 * @param {Question} question
 * @param {Omit<TrendContext, 'storePath'> & { expectsSameCode?: boolean }} context
 * @returns {Promise<{ prepared: PreparedComparison | null, skipped: Trend['skipped'] }>}
 * @throws {AssayError} when it is not for a candidate: the baseline, the network or an interruption
 */
export async function prepareUsable(question, context) {
  const prepare = (/** @type {string[]} */ candidates) =>
    prepareComparison({ ...question, candidates }, context);
  const describeProblem = (/** @type {unknown} */ error) => {
    const isLasting =
      error instanceof AssayError && !isPassingFailure(error) && !context.io.signal.aborted;
    if (!isLasting) throw error;
    return describeError(error);
  };
  try {
    return { prepared: await prepare(question.candidates), skipped: [] };
  } catch (error) {
    describeProblem(error);
    // Throws where no candidate is to blame.
    await prepare([question.baseline]);
    /** @type {Trend['skipped']} */
    const skipped = [];
    for (const spec of question.candidates) {
      await prepare([spec]).catch((reason) => {
        skipped.push({ spec, reason: describeProblem(reason) });
      });
    }
    if (skipped.length === 0) throw error;
    return { prepared: null, skipped };
  }
}

/**
 * @param {StoredRun & AnalyzedRun} run that was refused
 * @returns {Trend['skipped']} the candidates that were
 * @throws {AssayError} when it was the baseline
 */
export function listRefused({ manifest, verdict }) {
  const { baseline, candidates } = manifest.question;
  const reasonFor = (/** @type {string} */ spec) => {
    const differences = verdict.differences.filter(({ variant }) => variant === spec);
    const contracts = Object.fromEntries(
      Object.entries(manifest.contracts).filter(([name]) => isNamed(name, spec)),
    );
    const isRefused =
      differences.length > 0 ||
      contractViolations(contracts, manifest.question.acceptedRows).length > 0;
    if (!isRefused) return null;
    return describeRefusal({ verdict: { differences }, manifest: { ...manifest, contracts } });
  };
  const own = reasonFor(baseline);
  if (own !== null) {
    throw new AssayError(`'${baseline}' ${own}`, {
      exitStatus: 3,
      remedy: 'name another baseline; --accept ROW,ROW lets rows of the contract fail',
    });
  }
  return candidates.flatMap((spec) => {
    const reason = reasonFor(spec);
    return reason === null ? [] : { spec, reason };
  });
}

/**
 * Finds earlier comparisons of the same points on this host, under the same identity.
 *
 * @param {Trend} trend
 * @param {TrendContext} context
 * @returns {Promise<{ steps: TrendStep[], notes: string[] }>}
 */
export async function recallSteps(trend, context) {
  const { records, notes } = readRecords(context.storePath);
  /** @type {Map<string, Promise<Experiment | null>>} */
  const known = new Map();
  const describe = (/** @type {[string, string]} */ specs) => {
    const key = JSON.stringify(specs);
    const now = known.get(key) ?? describeNow(specs, trend, context);
    known.set(key, now);
    return now;
  };
  const { baseline: common } = trend.question;
  /** @type {TrendStep[]} */
  const steps = [];
  for (const { record } of records) {
    const found = selectCells(record, trend);
    if (found.length === 0) continue;
    // Nothing is fetched or built for a record of other sources or of another host.
    const usual = await describe([common, common]);
    if (usual === null || !isSameExperiment(record, usual)) continue;
    const [{ baseline }] = found;
    /** @type {string[]} */
    const candidates = [];
    for (const candidate of new Set(found.map((cell) => cell.candidate))) {
      const now = await describe([baseline, candidate]);
      if (now !== null && isSameExperiment(record, now, candidate)) candidates.push(candidate);
    }
    const results = toResults(found.filter((cell) => candidates.includes(cell.candidate)));
    if (results.length > 0)
      steps.push(describeStored(record, { baseline, candidates, results }, trend));
  }
  return { steps, notes };
}

/**
 * @param {ComparisonRecord} record
 * @param {Pick<TrendStep, 'baseline' | 'candidates' | 'results'>} used of it
 * @param {Trend} trend
 * @returns {TrendStep}
 */
function describeStored(record, { baseline, candidates, results }, trend) {
  const isOfPoints = trend.points.some(({ spec }) => spec === baseline);
  const cellIds = listCellIds(results);
  const used = (candidates.length + 1) * cellIds.length;
  const all = (record.identity.question.candidates.length + 1) * listCellIds(record.cells).length;
  return {
    purpose: isOfPoints && decidesAsNow(record, trend) ? 'neighbours' : 'first',
    baseline,
    candidates,
    cellIds,
    seconds: (record.seconds * used) / all,
    runId: null,
    isStored: true,
    isComplete: true,
    ...keepBreaches(record, candidates),
    results,
  };
}

/** @type {(cells: { cellId: string }[]) => string[]} */
function listCellIds(cells) {
  return [...new Set(cells.map(({ cellId }) => cellId))];
}

/**
 * @param {Pick<ComparisonRecord, 'breaches'>} record
 * @param {string[]} candidates
 * @returns {Pick<TrendStep, 'breaches'>} those of the candidates
 */
function keepBreaches({ breaches = [] }, candidates) {
  const own = breaches.filter(({ variant }) => candidates.some((spec) => isNamed(variant, spec)));
  return own.length === 0 ? {} : { breaches: own };
}

/**
 * @param {ComparisonRecord} record
 * @param {Trend} trend
 * @returns {ComparisonRecord['cells']} that compare a point with the baseline, or decide between two points
 */
function selectCells(record, trend) {
  const { question, points } = trend;
  const specs = new Set(points.map(({ spec }) => spec));
  const ids = new Set(question.cells.map(({ id }) => id));
  const decides = decidesAsNow(record, trend);
  return record.cells.filter(
    ({ cellId, baseline, candidate }) =>
      ids.has(cellId) &&
      specs.has(candidate) &&
      (baseline === question.baseline || (decides && specs.has(baseline))),
  );
}

/**
 * @param {ComparisonRecord} record
 * @param {Pick<Trend, 'question'>} trend
 * @returns {boolean} whether its verdicts are those that neighbours would have now
 */
function decidesAsNow({ ended, identity }, { question }) {
  return (
    ended === 'complete' &&
    identity.question.placements === question.placements &&
    agreeOn('rule', identity.question, question)
  );
}

/** @typedef {ReturnType<typeof describeExperiment>} Experiment */

/**
 * @param {[baseline: string, candidate: string]} specs
 * @param {Trend} trend
 * @param {TrendContext} context
 * @returns {Promise<Experiment | null>} what comparing them would be now; null if they cannot be prepared
 */
async function describeNow([baseline, candidate], { question }, context) {
  const candidates = [candidate];
  const asked = {
    ...question,
    baseline,
    candidates,
    cells: withCandidates(question.cells, candidates),
  };
  try {
    return describeExperiment(await prepareComparison(asked, context), context.io.environment);
  } catch (error) {
    if (error instanceof AssayError && !context.io.signal.aborted) return null;
    throw error;
  }
}
