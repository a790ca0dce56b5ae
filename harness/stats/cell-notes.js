import { countOf, formatRoughShare } from '../lib/numbers.js';
import { MIN_PROCESSES } from './decision-rule.js';
import { MAX_DISTURBED_SHARE, USUAL_THRESHOLDS } from './thresholds.js';
import { isDirection } from './verdicts.js';

/** @import { CellDescription } from './cell-description.js' */
/** @import { CellComparison, Question, Thresholds } from '../formats/types.ts' */

/** One job in ten that never settled can shift a trimmed mean noticeably; fewer are cut off. */
const MAX_UNSETTLED_SHARE = 0.1;
/** The trend test runs for every cell; at 1 % it stays quiet in most undisturbed runs. */
const DRIFT_LEVEL = 0.01;
/** A loop without input or output that waits this much was kept off the CPU by something else. */
const MAX_WAITING_SHARE = 0.05;
/** Beyond it the collector's schedule, more than the code under test, decides the time. */
const MAX_GC_SHARE = 0.3;
/** So unlikely by chance that the batches of one side are more uneven, in any cell of a run. */
const UNEVEN_LEVEL = 0.001;
/** The second opinion counts as a contradiction of "no difference" only when it is this clear. */
const CLEAR_SECOND_OPINION = 0.001;

/**
 * A reason for caution. `look` gives the figure that belongs behind the cell's name, an empty text
 * for none, or null when the cell gives no reason; `tell` makes the note of the cells it concerns.
 *
 * @typedef {object} CellWarningKind
 * @property {string} kind
 * @property {(description: CellDescription, question: Question, thresholds: Thresholds) => string | null} look
 * @property {(cells: string, question: Question, thresholds: Thresholds) => string} tell
 */

/** All kinds that concern single cells, in the order in which they are numbered. */
export const CELL_WARNING_KINDS = Object.freeze(
  /** @type {CellWarningKind[]} */ ([
    {
      kind: 'wrong-output',
      look: ({ record }) => (record.wrongArms.length > 0 ? record.wrongArms.join(', ') : null),
      tell: (cells) =>
        `Jobs wrote other bytes than the reference: ${cells}. Their times say nothing, so the verdict is refused.`,
    },
    { kind: 'failed-jobs', look: tellFailures, tell: (cells) => `Jobs failed: ${cells}.` },
    {
      kind: 'too-few-processes',
      look: ({ comparison }) => (isTooFew(comparison) ? `${countFewest(comparison)}` : null),
      tell: (cells) =>
        `Fewer than ${MIN_PROCESSES} usable processes a side, too few for a verdict, whatever the interval: ${cells}.`,
    },
    {
      kind: 'few-processes',
      look: ({ comparison, record: { arms } }, { looks }) => {
        if (isTooFew(comparison)) return null;
        // Those that were disturbed have a note of their own.
        const fewest = Math.min(arms.baseline.length, arms.candidate.length);
        return fewest < (looks[0] ?? 0) && comparison.failedJobs === 0 ? `${fewest}` : null;
      },
      tell: (cells, { looks }) =>
        `Fewer processes a side than the first planned look (${looks[0]}): ${cells}. The interval is wide, and rests on the assumption of nearly normal noise.`,
    },
    {
      kind: 'no-control',
      look: ({ comparison: { control, effect } }) =>
        effect !== null && control === null ? '' : null,
      tell: (cells) => `The control has fewer than two processes, so nothing checks: ${cells}.`,
    },
    {
      kind: 'control-differs',
      look: ({ judgement, comparison: { control, verdict } }) => {
        if (!judgement.controlDiffers || control === null) return null;
        const fate = verdict === 'untrusted' ? 'verdict not to be trusted' : 'verdict stands';
        return `${formatChange(control.ratio.estimate)}, ${fate}`;
      },
      tell: (cells) =>
        `The baseline measured a second time came out different: ${cells}. Chance does that in at most one cell in twenty; otherwise something besides the variants changes the times, and a quieter machine is needed.`,
    },
    {
      kind: 'multiplicity',
      look: ({ judgement, comparison: { effect } }) =>
        judgement.heldBackByHolm && effect !== null ? `p ${formatP(effect.pAdjusted)}` : null,
      tell: (cells, { cells: own, shard }) =>
        `The interval excludes 1, but among ${countOf((shard?.cells ?? own).length, 'cell')} that can happen by chance: ${cells} after Holm's adjustment. Inconclusive until more processes say so.`,
    },
    {
      kind: 'mann-whitney-disagrees',
      look: tellSecondOpinion,
      tell: (cells) =>
        `The Mann–Whitney test sees it otherwise: ${cells}. Look at the distribution before relying on the verdict.`,
    },
    {
      kind: 'unsettled-warm-up',
      look: ({ comparison: { unsettledShare } }) =>
        unsettledShare !== null && unsettledShare > MAX_UNSETTLED_SHARE
          ? `${formatRoughShare(unsettledShare)} of the jobs`
          : null,
      tell: (cells) =>
        `The code was still getting faster or slower when measuring began: ${cells}. The figures mix warm-up with steady state.`,
    },
    {
      kind: 'heavy-spread',
      look: ({ comparison: { processSpread } }, _question, thresholds) => {
        const widest = Math.max(processSpread.baseline ?? 0, processSpread.candidate ?? 0);
        return widest > thresholds.processSpread ? formatRoughShare(widest) : null;
      },
      tell: (cells, _question, thresholds) =>
        `The standard deviation between processes is above ${tellUsualSpread(thresholds)}: ${cells}. The interval allows for it, but a quieter machine would need fewer processes.`,
    },
    {
      kind: 'bimodal',
      look: ({ clusters }) =>
        clusters.length === 0
          ? null
          : clusters
              .map(
                ({ arm, gap, smallerShare }) =>
                  `${arm}: ${formatRoughShare(smallerShare)} of the processes lie ${formatRoughShare(Math.expm1(gap))} apart`,
              )
              .join('; '),
      tell: (cells) =>
        `Processes fall into two groups: ${cells}. A mean of two kinds of run describes neither; look for a choice the compiler makes once per process.`,
    },
    {
      kind: 'drift',
      look: ({ drift }, { minimumEffect }) =>
        drift !== null &&
        drift.p < DRIFT_LEVEL &&
        Math.abs(drift.overRun) > Math.log1p(minimumEffect)
          ? `${formatChange(Math.exp(drift.overRun))} over the run`
          : null,
      tell: (cells) =>
        `The baseline's own time drifted: ${cells}. Mirrored blocks cancel a steady drift, at the cost of a wider interval.`,
    },
    {
      kind: 'cpu-wall-gap',
      look: ({ waitingShare }) =>
        waitingShare !== null && waitingShare > MAX_WAITING_SHARE
          ? formatRoughShare(waitingShare)
          : null,
      tell: (cells) =>
        `Part of the measured time was spent waiting for a CPU: ${cells}. Something else was running.`,
    },
    {
      kind: 'shared-core',
      look: tellDisturbance,
      tell: (cells) =>
        `The processor ran slower than its own calm pace: ${cells}. A neighbour on the same core does that, or the frequency. Such batches do not count, nor do processes with hardly any others, so the interval holds, but fewer are left.`,
    },
    {
      kind: 'uneven-batches',
      look: ({ unevenness }, { minimumEffect }) =>
        unevenness !== null &&
        unevenness.p < UNEVEN_LEVEL &&
        Math.abs(unevenness.difference) > Math.log1p(minimumEffect) / 2
          ? `its ratio by the mean of calm batches is ${formatChange(Math.exp(unevenness.difference))} off`
          : null,
      tell: (cells) =>
        `Batches of one side are more uneven: ${cells}. A figure goes by the faster ones, so it leaves out what slows a side now and then by its own doing.`,
    },
    {
      kind: 'gc-dominates',
      look: ({ comparison: { gcShare } }) => {
        const most = Math.max(gcShare.baseline ?? 0, gcShare.candidate ?? 0);
        return most > MAX_GC_SHARE ? formatRoughShare(most) : null;
      },
      tell: (cells) =>
        `Garbage collection takes a large part of the time: ${cells}. A difference here may come from what is allocated, and change with the heap's size.`,
    },
  ]),
);

/** @param {CellComparison} comparison */
function isTooFew(comparison) {
  return comparison.effect !== null && countFewest(comparison) < MIN_PROCESSES;
}

/** @param {CellComparison} comparison */
function countFewest({ processes: { baseline, candidate } }) {
  return Math.min(baseline, candidate);
}

/**
 * @param {CellDescription} description
 * @returns {string | null}
 */
function tellDisturbance({ comparison: { disturbedShare }, record: { arms } }) {
  if (disturbedShare === null || disturbedShare <= MAX_DISTURBED_SHARE) return null;
  const measured = Object.values(arms)
    .flat()
    .filter(({ done }) => done !== null);
  const lost = measured.filter(({ logFigure }) => logFigure === null).length;
  const processes =
    lost === 0 ? '' : `, ${lost} of ${countOf(measured.length, 'process', 'processes')} throughout`;
  return `${formatRoughShare(disturbedShare)} of the batches${processes}`;
}

/**
 * @param {CellDescription} description
 * @returns {string | null}
 */
function tellFailures({ record, comparison }) {
  const jobs = Object.values(record.arms).flat();
  const failures = jobs.flatMap((job) => job.failures);
  if (failures.length === 0 && comparison.failedJobs === 0) return null;
  const reasons = [...new Set(failures.map(({ failure }) => failure.reason))].sort();
  const because = reasons.length === 0 ? 'no usable figure' : reasons.join(', ');
  return `${comparison.failedJobs} of ${jobs.length} without a measurement, ${failures.length} failed attempts, ${because}`;
}

/**
 * @param {CellDescription} description
 * @param {Question} question
 * @returns {string | null}
 */
function tellSecondOpinion({ comparison: { verdict, mannWhitneyP, effect } }, { alpha }) {
  if (mannWhitneyP === null || effect === null) return null;
  const zeroInside = effect.ratio.low <= 1 && effect.ratio.high >= 1;
  const disagrees = isDirection(verdict)
    ? mannWhitneyP > alpha
    : zeroInside && mannWhitneyP < CLEAR_SECOND_OPINION;
  return disagrees ? `p ${formatP(mannWhitneyP)}` : null;
}

/** @param {Thresholds} thresholds */
function tellUsualSpread({ processSpread }) {
  if (processSpread === USUAL_THRESHOLDS.processSpread) return 'the usual 4 %';
  return `the ${formatRoughShare(processSpread)} that calibration allows on this host`;
}

/**
 * @param {number} ratio
 * @returns {string} `+3.1 %`, `−2.0 %`
 */
function formatChange(ratio) {
  return `${ratio < 1 ? '−' : '+'}${formatRoughShare(Math.abs(ratio - 1))}`;
}

/** @param {number} p */
function formatP(p) {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
