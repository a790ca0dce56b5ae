import { countOf, formatP, formatRatio, formatRoughShare, formatTime } from '../../lib/numbers.js';
import { contrastOf } from '../contrast.js';
import { MIN_PROCESSES, widestOf } from '../decision-rule.js';
import { MIN_HOSTS } from './hosts.js';
import { figureOf } from '../figure.js';
import { MAX_DISTURBED_SHARE, USUAL_THRESHOLDS } from '../host/state.js';
import { sumOf } from '../means.js';
import { ARMS, countPerVariant } from '../plan.js';
import { isWithoutNoise } from '../robust.js';
import { isDirection, ratioOf } from '../verdicts.js';

/** @import { CellComparison, Question, Thresholds } from '../../formats/types.ts' */
/** @import { CellDescription } from './description.js' */
/** @import { CellNoteKind } from '../notes.js' */
/** @import { JobRecord } from './samples.js' */

/** One job in ten whose warm-up never settled can shift a trimmed mean; fewer are trimmed away. */
const MAX_UNSETTLED_SHARE = 0.1;
/** The trend test runs for every cell; at 1 % it stays quiet in most undisturbed runs. */
const DRIFT_LEVEL = 0.01;
/** A loop without input or output that waits this much had to wait for a CPU that something else used. */
const MAX_WAITING_SHARE = 0.05;
/** Arms that differ more in CPU time ÷ wall time do not differ by chance. */
const MAX_CPU_DIFFERENCE = 0.25;
/** Calls that wait longer than they work hide what their code costs. */
const MOSTLY = 0.5;
/** Beyond it the schedule of the garbage collector decides the time, not the code under test. */
const MAX_GC_SHARE = 0.3;
/** A difference in jitter that chance produces this seldom, in any cell of a run. */
const JITTER_LEVEL = 0.001;
/** The second opinion contradicts "no difference" only when it is this clear. */
const CLEAR_SECOND_OPINION = 0.001;

/**
 * All notes on single cells, in the order in which they are numbered.
 *
 * @type {readonly CellNoteKind<CellDescription, [Question, Thresholds]>[]}
 */
export const CELL_NOTES = [
  {
    kind: 'wrong-output',
    figure({ record: { wrongArms, fault } }, question) {
      if (wrongArms.length === 0) return null;
      const names = wrongArms.map(contrastOf(question).nameArm).join(', ');
      return fault === null ? names : `${names}, ${fault}`;
    },
    text: (cells) =>
      `Jobs gave another result than the reference: ${cells}. Times of wrong results mean nothing, so the verdict is refused.`,
  },
  {
    kind: 'unchecked',
    figure: ({ comparison: { cell } }) => cell.unchecked ?? null,
    text: (cells) => `Nothing was checked about the results of: ${cells}.`,
    countsMany: true,
  },
  { kind: 'failed-jobs', figure: countFailures, text: (cells) => `Jobs failed: ${cells}.` },
  {
    kind: 'too-few-figures',
    figure: ({ comparison }) => (hasTooFew(comparison) ? countFigures(comparison) : null),
    text: (cells) =>
      `Too few processes gave a usable figure: ${cells}. A ratio needs ${MIN_PROCESSES} figures per variant, or ${MIN_PROCESSES} complete pairs where processes run in pairs.`,
  },
  {
    kind: 'equal-figures',
    figure: ({ comparison }) => (hasEqualFigures(comparison) ? countFigures(comparison) : null),
    text: (cells) =>
      `The processes of each variant gave the same figure, which says nothing about the noise: ${cells}. There is neither an interval nor a verdict; a coarse clock does that.`,
  },
  {
    kind: 'few-processes',
    figure({ comparison }, { looks, earlyLook = looks[0] }) {
      if (hasTooFew(comparison)) return null;
      // Disturbed processes have a separate note.
      const fewest = countPerVariant(comparison.processes);
      return fewest < earlyLook && comparison.failedJobs === 0 ? `${fewest}` : null;
    },
    text: (cells, { looks, earlyLook = looks[0] }) =>
      `Fewer processes per variant than the first planned look (${earlyLook}): ${cells}. The interval is wide, and assumes nearly normal noise.`,
  },
  {
    kind: 'no-control',
    figure: ({ comparison: { control, effect } }) =>
      effect !== null && control === null ? '' : null,
    text: (cells) =>
      `The baseline or its control has fewer than two figures, too few to check a verdict with: ${cells}.`,
  },
  {
    kind: 'control-differs',
    figure({ judgement, comparison: { control, verdict } }) {
      if (!judgement.controlDiffers || control === null) return null;
      const consequence = verdict === 'untrusted' ? 'verdict untrusted' : 'verdict stands';
      return `${formatChange(control.ratio.estimate)}, ${consequence}`;
    },
    text: (cells, question) =>
      `${contrastOf(question).controlDiffers}: ${cells}. Chance alone does that in at most ${formatRoughShare(question.alpha)} of cells; otherwise something besides the variants changes the times, and a quieter machine is needed.`,
  },
  {
    kind: 'host-disagrees',
    figure({ comparison: { hosts } }) {
      const named = (hosts?.effects ?? []).filter(({ disagrees }) => disagrees);
      if (named.length === 0) return null;
      return named.map(({ host, ratio }) => `${host} ${formatRatio(ratio.estimate)}`).join(', ');
    },
    text: (cells) =>
      `A host has another effect than the others, beyond chance: ${cells}. The interval allows for it as for any choice of hosts.`,
  },
  {
    kind: 'few-hosts',
    figure({ comparison: { hosts } }) {
      const count = hosts?.effects.length ?? MIN_HOSTS;
      return count < MIN_HOSTS ? countOf(count, 'host') : null;
    },
    text: (cells) =>
      `Fewer than ${MIN_HOSTS} hosts say little about others: ${cells}. The interval is about these, and too narrow for all hosts if effects differ between them.`,
  },
  {
    kind: 'ranked-on-hosts',
    figure({ record }, question) {
      if (contrastOf(question).allowsForHosts) return null;
      const hosts = new Set(record.arms.candidate.map(({ host }) => host));
      return hosts.size > 1 ? countOf(hosts.size, 'host') : null;
    },
    text: (cells) =>
      `Ranked on several hosts: ${cells}. The intervals allow for the noise between processes, not for effects that differ between hosts.`,
  },
  {
    kind: 'multiplicity',
    figure: ({ judgement, comparison: { effect } }) =>
      judgement.heldBackByHolm && effect !== null ? `p ${formatP(effect.pAdjusted)}` : null,
    text: (cells, question) =>
      `The interval excludes 1, but among ${countOf(question.cells.length, 'cell')} that can happen by chance: ${cells} after Holm's adjustment. Inconclusive until more processes confirm it.`,
  },
  {
    kind: 'mann-whitney-disagrees',
    figure: findDisagreement,
    text: (cells) =>
      `The Mann–Whitney test disagrees: ${cells}. Look at the distribution before relying on the verdict.`,
  },
  {
    kind: 'unsettled-warm-up',
    figure: ({ comparison: { unsettledShare } }) =>
      unsettledShare !== null && unsettledShare > MAX_UNSETTLED_SHARE
        ? `${formatRoughShare(unsettledShare)} of the jobs`
        : null,
    text: (cells) =>
      `The code was still getting faster or slower when measuring began: ${cells}. The figures mix warm-up with steady state.`,
  },
  {
    kind: 'heavy-spread',
    figure({ comparison: { cell, processSpread } }, _question, thresholds) {
      if (!figureOf(cell).hasUsualSpread) return null;
      const widest = Math.max(processSpread.baseline ?? 0, processSpread.candidate ?? 0);
      return widest > thresholds.processSpread ? formatRoughShare(widest) : null;
    },
    text: (cells, _question, thresholds) =>
      `The standard deviation between processes is above ${nameUsualSpread(thresholds)}: ${cells}. The interval allows for it, but a quieter machine would need fewer processes.`,
  },
  {
    kind: 'bimodal',
    figure({ clusters }, question) {
      if (clusters.length === 0) return null;
      const phrases = clusters.map(({ arm, gap, smallerShare }) => {
        const name = contrastOf(question).nameArm(arm);
        return `${name === '' ? '' : `${name}: `}${formatRoughShare(smallerShare)} of the processes lie ${formatRoughShare(Math.expm1(gap))} apart`;
      });
      return phrases.join('; ');
    },
    text: (cells) =>
      `Processes fall into two groups: ${cells}. The mean describes neither; look for a choice that the compiler makes once per process.`,
  },
  {
    kind: 'drift',
    figure: ({ drift }, { minimumEffect }) =>
      drift !== null && drift.p < DRIFT_LEVEL && Math.abs(drift.overRun) > Math.log1p(minimumEffect)
        ? `${formatChange(Math.exp(drift.overRun))} over the run`
        : null,
    text: (cells) =>
      `The time of the baseline drifted: ${cells}. Mirrored blocks cancel a steady drift, at the cost of a wider interval.`,
  },
  {
    kind: 'cpu-wall-gap',
    figure: ({ waitingShare, comparison: { cell } }) =>
      waitingShare !== null && waitingShare > MAX_WAITING_SHARE && figureOf(cell).isElapsedTime
        ? formatRoughShare(waitingShare)
        : null,
    text: (cells) =>
      `Part of the measured time was spent waiting for a CPU: ${cells}. Something else was running.`,
  },
  {
    kind: 'mostly-waiting',
    figure: ({ idleShare }) =>
      idleShare !== null && idleShare > MOSTLY ? formatRoughShare(idleShare) : null,
    text: (cells) =>
      `Most of the time is waiting, for timers or other threads, not work of the measured thread: ${cells}. Faster code changes the ratio by no more than the rest; the section Resources compares the CPU time.`,
  },
  {
    kind: 'other-threads',
    figure({ cpuShares: { baseline, candidate } }) {
      if (baseline === null || candidate === null) return null;
      return Math.abs(candidate - baseline) > MAX_CPU_DIFFERENCE
        ? `baseline ${formatRoughShare(baseline)} of the wall time, candidate ${formatRoughShare(candidate)}`
        : null;
    },
    text: (cells) =>
      `One arm uses more CPU time beside the measured thread: ${cells}. Work on other threads, mostly of the garbage collector, is not in the figures, so the arm costs more than its time shows.`,
  },
  {
    kind: 'shared-core',
    figure: countDisturbed,
    text: (cells) =>
      `The processor ran slower than its undisturbed speed: ${cells}. The cause is its frequency, or another load that shares the core, its caches or its power, also where no stolen time is reported. Such batches are excluded, and a process with hardly any others gives no figure, unless the ratio is of all processes: the interval holds, but from fewer values.`,
  },
  {
    kind: 'all-processes',
    figure({ judgement: { effect }, comparison: { disturbedShare } }) {
      if (effect?.isRough !== true || (disturbedShare ?? 0) <= MAX_DISTURBED_SHARE) return null;
      return `±${formatRoughShare(Math.expm1(widestOf(effect.allowance)))}`;
    },
    text: (cells) =>
      `The ratio is of all processes, whose times are corrected by the reference loop, and the interval allows for what the correction may miss: ${cells}. It shows large differences early; their size is known better from a calmer host.`,
  },
  {
    kind: 'uneven-batches',
    figure({ jitter, comparison: { cell } }, { minimumEffect }) {
      if (jitter === null || jitter.p >= JITTER_LEVEL) return null;
      if (Math.abs(jitter.difference) <= Math.log1p(minimumEffect) / 2) return null;
      return `${figureOf(cell).leavesOut} would change the ratio by ${formatChange(Math.exp(jitter.difference))}`;
    },
    text: (cells) =>
      `The batches of one arm have more jitter: ${cells}. The figure of a process is that of its faster batches, so it misses delays that the arm itself causes now and then.`,
  },
  {
    kind: 'coarse-clock',
    figure({ record: { arms } }) {
      const done = Object.values(arms).flatMap((jobs) => jobs.flatMap((job) => job.done ?? []));
      const stepNs = Math.max(0, ...done.map(({ measurement }) => measurement.clockStepNs ?? 0));
      return stepNs === 0 ? null : `steps of ${formatTime(stepNs)}`;
    },
    text: (cells) =>
      `The clock of the runtime is coarse: ${cells}. Batches last 1000 steps at least; first calls may be a few steps long.`,
  },
  {
    kind: 'gc-dominates',
    figure({ comparison: { gcShare } }) {
      const most = Math.max(gcShare.baseline ?? 0, gcShare.candidate ?? 0);
      return most > MAX_GC_SHARE ? formatRoughShare(most) : null;
    },
    text: (cells) =>
      `Garbage collection takes a large part of the time: ${cells}. A difference here may come from what is allocated, and change with the size of the heap.`,
  },
];

/** @param {CellComparison} comparison */
function hasTooFew({ processes, figures, pairs }) {
  const isMeasured = ARMS.some((arm) => processes[arm] > 0);
  return isMeasured && (pairs ?? countPerVariant(figures)) < MIN_PROCESSES;
}

/** @type {(comparison: CellComparison) => boolean} whether there is no ratio because the figures of each variant are equal */
export function hasEqualFigures(comparison) {
  const { figures, processSpread } = comparison;
  if (ratioOf(comparison) !== null || hasTooFew(comparison)) return false;
  const arms = ARMS.filter((arm) => figures[arm] > 1);
  return arms.length > 0 && arms.every((arm) => isWithoutNoise(processSpread[arm] ?? 0));
}

/** @type {(comparison: CellComparison) => string} `2 pairs`, `3 figures of 16 processes` */
function countFigures({ processes, figures, pairs }) {
  const per = countOf(countPerVariant(processes), 'process', 'processes');
  return `${pairs === undefined ? countOf(countPerVariant(figures), 'figure') : countOf(pairs, 'pair')} of ${per}`;
}

/** @type {(description: CellDescription) => string | null} */
function countDisturbed({ comparison: { disturbedShare }, judgement, record: { arms } }) {
  if (disturbedShare === null || disturbedShare <= MAX_DISTURBED_SHARE) return null;
  const jobs = Object.values(arms).flat();
  const lost = jobs.filter(({ done, logFigure }) => done !== null && logFigure === null).length;
  const processes =
    lost === 0 || judgement.effect?.isRough === true
      ? ''
      : `; ${lost} of ${countProcesses(jobs)} gave no figure for that reason`;
  return `${formatRoughShare(disturbedShare)} of the batches${processes}`;
}

/** @type {(description: CellDescription) => string | null} */
function countFailures({ record, comparison }) {
  const jobs = Object.values(record.arms).flat();
  const failures = jobs.flatMap((job) => job.failures);
  if (failures.length === 0 && comparison.failedJobs === 0) return null;
  const reasons = [...new Set(failures.map(({ failure }) => failure.reason))].sort();
  const { failedJobs } = comparison;
  return [
    ...(failures.length === 0
      ? []
      : [`${failures.length} of ${countProcesses(jobs)} failed: ${reasons.join(', ')}`]),
    ...(failedJobs === 0
      ? []
      : [`${failedJobs} of ${countOf(jobs.length, 'job')} without a measurement`]),
  ].join('; ');
}

/** @param {JobRecord[]} jobs */
function countProcesses(jobs) {
  return countOf(sumOf(jobs.map(({ processes }) => processes)), 'process', 'processes');
}

/** @type {(description: CellDescription, question: Question) => string | null} */
function findDisagreement({ comparison: { verdict, mannWhitneyP, effect } }, { alpha }) {
  if (mannWhitneyP === null || effect === null) return null;
  const zeroInside = effect.ratio.low <= 1 && effect.ratio.high >= 1;
  const disagrees = isDirection(verdict)
    ? mannWhitneyP > alpha
    : zeroInside && mannWhitneyP < CLEAR_SECOND_OPINION;
  return disagrees ? `p ${formatP(mannWhitneyP)}` : null;
}

/** @param {Thresholds} thresholds */
function nameUsualSpread({ processSpread }) {
  if (processSpread === USUAL_THRESHOLDS.processSpread) return 'the usual 4 %';
  return `the ${formatRoughShare(processSpread)} that calibration allows on this host`;
}

/** @type {(ratio: number) => string} `+3.1 %`, `−2.0 %` */
function formatChange(ratio) {
  return `${ratio < 1 ? '−' : '+'}${formatRoughShare(Math.abs(ratio - 1))}`;
}
