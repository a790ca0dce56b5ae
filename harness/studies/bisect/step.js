import { AssayError, EXIT, MachineError, UsageError } from '../../lib/errors.js';
import { describeFailure } from '../../lib/failures.js';
import { countOf, formatRatioInterval } from '../../lib/numbers.js';
import { prepareComparison } from '../../run/prepare.js';
import { MIN_PROCESSES } from '../../stats/decision-rule.js';
import { countPerVariant } from '../../stats/plan.js';
import { contractViolations, isDecided, isFaster, isSlower } from '../../stats/verdicts.js';
import { measureRun } from '../study.js';
import { INTERRUPTED } from './bisection.js';

/** @import { Bisection, BisectionStep, Candidate, CellComparison, Manifest, Question, RatioInterval, StepAnswer, StepOutcome, Verdict } from '../../formats/types.ts' */
/** @import { StepTask } from './bisection.js' */
/** @import { Io } from '../../lib/io.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

/**
 * What judging a step looks at.
 *
 * @typedef {object} MeasuredStep
 * @property {Pick<Verdict, 'ended' | 'cells' | 'differences' | 'failedJobs'>} verdict
 * @property {Pick<Manifest, 'contracts' | 'question'>} manifest
 */

/**
 * Judges the candidate of a step by the comparison of its cell.
 *
 * @param {MeasuredStep} step
 * @param {number | null} boundary ratio that separates good from bad; null for the usual rule
 * @returns {Omit<StepOutcome, 'runId'>}
 */
export function judgeStep({ verdict, manifest }, boundary) {
  const [cell] = verdict.cells;
  const processes = countPerVariant(cell.processes);
  const common = { verdict: cell.verdict, ratio: cell.effect?.ratio ?? null, processes };
  const obstacle = findObstacle({ verdict, manifest }, cell);
  if (obstacle !== null) return { ...common, ...obstacle };
  const answer =
    boundary === null ? answerByRule(cell) : answerByBoundary(common.ratio, processes, boundary);
  return {
    ...common,
    answer,
    reason: answer === 'unsettled' ? 'the interval is too wide' : null,
  };
}

/**
 * Finds a reason to ignore the measured ratio.
 *
 * @param {MeasuredStep} step
 * @param {CellComparison} cell
 * @returns {{ answer: StepAnswer, reason: string } | null}
 */
function findObstacle({ verdict, manifest }, cell) {
  if (cell.verdict === 'refused') {
    return { answer: 'unusable', reason: describeRefusal({ verdict, manifest }) };
  }
  if (verdict.ended === 'interrupted') return { answer: 'unsettled', reason: INTERRUPTED };
  const lost = verdict.failedJobs.find(({ measured }) => !measured);
  if (lost !== undefined) {
    return { answer: 'unusable', reason: `the job ${lost.jobId} ${describeFailure(lost.failure)}` };
  }
  if (cell.verdict !== 'untrusted') return null;
  return { answer: 'unsettled', reason: 'the control differs as well: the host was disturbed' };
}

/** @type {(cell: CellComparison) => StepAnswer} */
function answerByRule({ verdict }) {
  if (!isDecided(verdict)) return 'unsettled';
  return isSlower(verdict) ? 'bad' : 'good';
}

/** @type {(ratio: RatioInterval | null, processes: number, boundary: number) => StepAnswer} */
export function answerByBoundary(ratio, processes, boundary) {
  if (ratio === null || processes < MIN_PROCESSES) return 'unsettled';
  if (ratio.low > boundary) return 'bad';
  return ratio.high < boundary ? 'good' : 'unsettled';
}

/**
 * @param {{ verdict: Pick<Verdict, 'differences'>, manifest: MeasuredStep['manifest'] }} step
 * @returns {string} why it was refused
 */
export function describeRefusal({ verdict, manifest }) {
  const breaches = contractViolations(manifest.contracts, manifest.question.acceptedRows);
  if (breaches.length > 0) {
    const specs = [...new Set(breaches.map(({ spec }) => spec))];
    const broken = specs.map((spec) => {
      const rows = breaches.filter((breach) => breach.spec === spec).map(({ row }) => row.name);
      // In the form that `--accept` takes.
      return `${rows.join(',')} (${spec})`;
    });
    return `breaks the behaviour contract: ${broken.join('; ')}`;
  }
  const [difference] = verdict.differences;
  if (difference === undefined) return 'wrong output in a timed job';
  const { variant, document, path } = difference;
  return `output differs from that of the reference (${variant}, document ${document}, ${path})`;
}

/**
 * @typedef {object} CompareContext
 * @property {Question} question common to all steps
 * @property {Candidate[]} candidates
 * @property {string} command for the manifests
 * @property {string} runsPath directory of the bisection, which holds the runs of the steps
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {Session} session
 * @property {Io} io
 */

/**
 * Measures one step as a run with all its reports, or the rest of one that was interrupted.
 *
 * @param {StepTask} task
 * @param {CompareContext} context
 * @returns {Promise<StepOutcome>}
 * @throws {import('../../lib/errors.js').AssayError} when an arm cannot be fetched, built, loaded or checked
 */
export async function compareCandidates(task, context) {
  const { candidates, families, family, session, io } = context;
  const { baseline, candidate, seed, alpha, boundary } = task;
  /** @type {Question} */
  const question = {
    ...context.question,
    baseline: candidates[baseline].spec,
    candidates: [candidates[candidate].spec],
    seed,
    alpha,
    ...(boundary === null ? {} : { boundary }),
  };
  const prepared = await prepareComparison(question, { families, family, io });
  const { command, runsPath } = context;
  const run = await measureRun({ ...prepared, command, runsPath, recorderStates: [] }, session, {
    kind: 'bisection',
    io,
  });
  return { ...judgeStep(run, boundary), runId: run.manifest.runId };
}

/**
 * Throws if the bad end is not slower than the good end.
 *
 * @param {Bisection} bisection that has ended
 * @param {string} where its runs are, for the message
 * @throws {UsageError} when the bad end is not slower
 * @throws {MachineError} when that could not be settled
 * @throws {AssayError} when an end is refused
 */
export function requireRegression({ ended, boundary, steps, cell }, where) {
  const last = steps.at(-1);
  if (boundary !== null || last === undefined || ended === 'interrupted') return;
  const arms = `'${last.candidate}' against '${last.baseline}' on ${cell.id}`;
  if (ended === 'no-regression') {
    throw new UsageError(`no regression: ${arms} is ${last.verdict}, ${describeRatio(last)}`, {
      remedy: `${last.verdict !== null && isFaster(last.verdict) ? 'bisect searches for what became slower, not faster; ' : ''}name an older good end or a later bad one; the run is in ${where}`,
    });
  }
  if (ended === 'failed') {
    throw new AssayError(`${arms} cannot be compared: ${last.reason}`, {
      exitStatus: last.verdict === 'refused' ? EXIT.wrongBytes : EXIT.failed,
      remedy: 'name another end; --accept ROW,ROW lets rows of the contract fail',
    });
  }
  if (ended === 'not-settled') {
    throw new MachineError(
      `not settled whether there is a regression: ${arms}, ${describeRatio(last)} in the last of ${countOf(steps.length, 'attempt')} (${last.reason})`,
      { remedy: `use more --processes or a quieter host; the runs are in ${where}` },
    );
  }
}

/** @param {BisectionStep} step */
function describeRatio({ ratio, processes, alpha }) {
  if (ratio === null) return 'without figures';
  return `${formatRatioInterval(ratio, alpha)} from ${countOf(processes, 'process', 'processes')} per variant`;
}
