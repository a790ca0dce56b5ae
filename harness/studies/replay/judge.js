import { countOf } from '../../lib/numbers.js';
import { noteNoise } from '../../stats/notes.js';
import { USUAL_THRESHOLDS } from '../../stats/thresholds.js';
import { VERDICTS, isDecided, isDirection } from '../../stats/verdicts.js';

/** @import { CellComparison, Environment, HostNoise, RatioInterval, ReplayRecord, ReplayVariant, Verdict, VerdictWord } from '../../formats/types.ts' */

/**
 * @typedef {object} CellReplay
 * @property {string} cellId
 * @property {CellFinding} recorded
 * @property {CellFinding} here
 * @property {CellAnswer} answer `direction-only`: the same way, but another size
 * @property {string | null} reason
 */

/** @typedef {'reproduced' | 'not-reproduced' | 'environment-differs' | 'inconclusive'} ReplayAnswer */

/**
 * replay.json: what became of a report on this host.
 *
 * @typedef {object} ReplayResult
 * @property {number} formatVersion
 * @property {string} runId of the run made here, in whose directory it lies
 * @property {string} createdAt
 * @property {string} command as typed
 * @property {Pick<ReplayRecord, 'runId' | 'createdAt' | 'assay' | 'environment'> & { baseline: string, candidate: string }} report
 * @property {ReplayRecord['assay']} assay that measured here
 * @property {ReplayRecord['environment']} environment here
 * @property {Verdict['ended']} ended how measuring here ended
 * @property {ReplayAnswer} answer
 * @property {CellReplay[]} cells
 * @property {EnvironmentDifference[]} differences
 * @property {string[]} notes what was done otherwise than in the report
 */

const NOTHING = Object.freeze({ verdict: /** @type {const} */ ('inconclusive'), ratio: null });

/**
 * Holds what a report says against what was measured here.
 *
 * @param {Pick<ReplayRecord, 'question' | 'results'>} record
 * @param {Pick<Verdict, 'cells'>} verdict of the run made here
 * @param {EnvironmentDifference[]} differences between the hosts
 * @returns {{ answer: ReplayAnswer, cells: CellReplay[] }}
 */
export function judgeReplay({ question, results }, { cells: measured }, differences) {
  const cells = question.cells.map(({ id }) => {
    const { verdict, ratio } = results.find(({ cellId }) => cellId === id) ?? NOTHING;
    const comparison = measured.find(({ cell }) => cell.id === id);
    const here = toFinding(comparison);
    const recorded = { verdict, ratio };
    const judged = judgeCell(recorded, here, question.minimumEffect);
    const reason = judged.reason ?? tellNeed(judged.answer, comparison);
    return { cellId: id, recorded, here, answer: judged.answer, reason };
  });
  return { answer: sumUp(cells, differences), cells };
}

/**
 * @param {CellReplay[]} cells
 * @param {EnvironmentDifference[]} differences
 * @returns {ReplayAnswer}
 */
function sumUp(cells, differences) {
  const isMissed = cells.some(
    ({ answer }) => answer === 'not-reproduced' || answer === 'direction-only',
  );
  if (isMissed) return differences.length > 0 ? 'environment-differs' : 'not-reproduced';
  return cells.every(({ answer }) => answer === 'reproduced') ? 'reproduced' : 'inconclusive';
}

/**
 * @param {CellAnswer} answer
 * @param {CellComparison | undefined} comparison
 * @returns {string | null} what would settle it
 */
function tellNeed(answer, comparison) {
  if (answer !== 'inconclusive' || comparison?.processesNeeded == null) return null;
  const { processesNeeded, processes } = comparison;
  return `about ${countOf(Math.ceil(processesNeeded), 'process', 'processes')} a side would settle it; there were ${processes.candidate}`;
}

/**
 * @param {CellComparison | undefined} comparison
 * @returns {CellFinding}
 */
function toFinding(comparison) {
  if (comparison === undefined) return NOTHING;
  return { verdict: comparison.verdict, ratio: comparison.effect?.ratio ?? null };
}

/**
 * What was found of a cell: in the report, or here.
 *
 * @typedef {{ verdict: VerdictWord, ratio: RatioInterval | null }} CellFinding
 */

/** @typedef {'reproduced' | 'direction-only' | 'not-reproduced' | 'inconclusive'} CellAnswer */

/**
 * Holds what a report says of a cell against what was measured here (decision 0012 has the rule).
 *
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @param {number} minimumEffect as a share
 * @returns {{ answer: CellAnswer, reason: string | null }}
 */
function judgeCell(recorded, here, minimumEffect) {
  const gate = judgeGate(recorded, here) ?? judgeTrust(recorded, here);
  if (gate !== null) return gate;
  const [then, now] = [recorded.ratio, here.ratio];
  if (then === null || now === null) {
    const whose = then === null ? 'the report has' : 'there is';
    return { answer: 'inconclusive', reason: `${whose} no figure` };
  }
  const isMet = now.low <= then.high && now.high >= then.low;
  const isSame = VERDICTS[here.verdict].finding === VERDICTS[recorded.verdict].finding;
  if (isDirection(recorded.verdict) && isDirection(here.verdict)) {
    if (!isSame) return { answer: 'not-reproduced', reason: `it is ${here.verdict} here` };
    return isMet
      ? { answer: 'reproduced', reason: null }
      : { answer: 'direction-only', reason: tellSize(then, now) };
  }
  // A report that settles nothing can be contradicted, but there is nothing to reproduce.
  const isSettled = isDecided(recorded.verdict);
  const isEquivalent = isSame && isDecided(here.verdict);
  if (isSettled && (isEquivalent || isWithin(now, then, minimumEffect))) {
    return { answer: 'reproduced', reason: null };
  }
  if (!isMet) return { answer: 'not-reproduced', reason: 'the intervals do not meet' };
  if (!isSettled) return { answer: 'inconclusive', reason: 'the report does not settle it' };
  if (!isDecided(here.verdict)) return { answer: 'inconclusive', reason: null };
  return { answer: 'not-reproduced', reason: `it is ${here.verdict} here` };
}

/**
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @returns {{ answer: CellAnswer, reason: string } | null} null where both passed the gate
 */
function judgeGate(recorded, here) {
  const [then, now] = [recorded.verdict === 'refused', here.verdict === 'refused'];
  if (!then && !now) return null;
  if (then && now) return { answer: 'reproduced', reason: 'a side does not pass the gate' };
  return {
    answer: 'not-reproduced',
    reason: now ? 'a side does not pass the gate here' : 'both sides pass the gate here',
  };
}

/**
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @returns {{ answer: CellAnswer, reason: string } | null} null where both can be trusted
 */
function judgeTrust(recorded, here) {
  if (here.verdict === 'untrusted') {
    return { answer: 'inconclusive', reason: 'the control differs from the baseline here' };
  }
  if (recorded.verdict !== 'untrusted') return null;
  return { answer: 'inconclusive', reason: 'the report itself does not trust its figure' };
}

/**
 * @param {RatioInterval} inner
 * @param {RatioInterval} outer
 * @param {number} minimumEffect by which the outer one is widened
 */
function isWithin(inner, outer, minimumEffect) {
  const factor = 1 + minimumEffect;
  return inner.low >= outer.low / factor && inner.high <= outer.high * factor;
}

/**
 * @param {RatioInterval} then
 * @param {RatioInterval} now
 */
function tellSize(then, now) {
  const isMore = Math.abs(Math.log(now.estimate)) > Math.abs(Math.log(then.estimate));
  return isMore ? 'more of it here' : 'less of it here';
}

/** Memory of two hosts of one kind differs by what their kernels keep. */
const MAX_MEMORY_SHARE = 0.1;
/** Load per CPU from which a host was not idle, as the notes of a run have it. */
const MAX_LOAD_PER_CPU = 0.5;
/** What disturbs a run, by the kind of its note. */
const NOISE = new Map([
  ['steal', 'a hypervisor took CPU time'],
  ['other-processes', 'other processes ran'],
  ['throttled', 'a CPU limit held processes back'],
]);
const NOT_KNOWN = 'not known';
const QUIET = 'none';

/**
 * @typedef {object} EnvironmentDifference
 * @property {string} part of the host: `processor`, `Node`, `load`
 * @property {string} recorded
 * @property {string} here
 */

/** @type {[part: string, tell: (environment: Environment) => string][]} */
const PARTS = [
  ['processor', ({ cpuModel }) => cpuModel],
  ['architecture', ({ arch }) => arch],
  ['CPUs', ({ cpuCount }) => String(cpuCount)],
  ['CPU limit', ({ cgroupCpuLimit }) => tell(cgroupCpuLimit, 'none')],
  ['operating system', ({ os }) => os],
  ['kernel', ({ kernel }) => kernel],
  ['virtualization', ({ virtualization }) => tell(virtualization, 'none')],
  ['frequency governor', ({ governor }) => tell(governor, NOT_KNOWN)],
  ['autogroup', ({ autogroup }) => tell(autogroup, NOT_KNOWN)],
];

/** @type {typeof PARTS} */
const NODE_PARTS = [
  ['Node', ({ node }) => node],
  ['V8', ({ v8 }) => v8],
];

/**
 * In what the host of a report and this one differ, as far as figures may depend on it.
 *
 * @param {Environment} recorded
 * @param {Environment} here
 * @param {object} circumstances
 * @param {boolean} circumstances.isSameNode whether the figures come from the Node of the report,
 *   whatever runs Assay
 * @param {{ recorded: HostNoise | undefined, here: HostNoise }} circumstances.noise while jobs were
 *   timed; undefined where the report does not tell
 * @returns {EnvironmentDifference[]}
 */
export function compareEnvironments(recorded, here, { isSameNode, noise }) {
  const showsNode = !isSameNode || recorded.node === here.node;
  const parts = showsNode ? [...PARTS, ...NODE_PARTS] : PARTS;
  const differences = parts
    .map(([part, read]) => ({ part, recorded: read(recorded), here: read(here) }))
    .filter((difference) => difference.recorded !== difference.here);
  return [
    ...differences,
    ...compareMemory(recorded, here),
    ...compareLoad(recorded, here),
    ...compareNoise(noise.recorded, noise.here),
  ];
}

/**
 * @param {Environment} recorded
 * @param {Environment} here
 * @returns {EnvironmentDifference[]}
 */
function compareMemory({ memoryBytes: recorded }, { memoryBytes: here }) {
  if (Math.abs(recorded - here) <= MAX_MEMORY_SHARE * Math.max(recorded, here)) return [];
  return [{ part: 'memory', recorded: showGibibytes(recorded), here: showGibibytes(here) }];
}

/**
 * Load counts where one host was busy: a report tells of its own only from before the first job.
 *
 * @param {Environment} recorded
 * @param {Environment} here
 * @returns {EnvironmentDifference[]}
 */
function compareLoad(recorded, here) {
  if (isBusy(recorded) === isBusy(here)) return [];
  const [then, now] = [recorded, here].map(({ loadAverage }) => loadAverage.toFixed(1));
  return [{ part: 'load before the first job', recorded: then, here: now }];
}

/**
 * @param {HostNoise | undefined} recorded
 * @param {HostNoise} here
 * @returns {EnvironmentDifference[]} none where both hosts were quiet, or disturbed by the same
 */
function compareNoise(recorded, here) {
  const [then, now] = [recorded, here].map(describeNoise);
  const isNoisy = [then, now].some((text) => text !== QUIET && text !== NOT_KNOWN);
  return isNoisy && then !== now ? [{ part: 'noise', recorded: then, here: now }] : [];
}

/**
 * @param {HostNoise | undefined} noise
 * @returns {string} what would be a note in a report
 */
function describeNoise(noise) {
  if (noise === undefined || Object.values(noise).every((figure) => figure === null)) {
    return NOT_KNOWN;
  }
  const kinds = noteNoise(noise, USUAL_THRESHOLDS).flatMap(({ kind }) => NOISE.get(kind) ?? []);
  return kinds.length === 0 ? QUIET : kinds.join(', ');
}

/** @param {Environment} environment */
function isBusy({ loadAverage, cpuCount }) {
  return loadAverage > MAX_LOAD_PER_CPU * cpuCount;
}

/** @param {number} bytes */
function showGibibytes(bytes) {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/**
 * @param {string | number | boolean | null} value
 * @param {string} nothing what null means
 */
function tell(value, nothing) {
  if (value === null) return nothing;
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

/** @typedef {Record<'baseline' | 'candidate', Pick<ReplayVariant, 'toolchain'>>} Sides */

/**
 * Programs that built or run the variants in other versions than those of the report.
 *
 * @param {Sides} recorded
 * @param {Sides} here
 * @returns {EnvironmentDifference[]} one a program
 */
export function compareToolchains(recorded, here) {
  const [then, now] = [recorded, here].map(({ baseline, candidate }) => ({
    ...baseline.toolchain,
    ...candidate.toolchain,
  }));
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .map((part) => ({ part, recorded: then[part] ?? 'none', here: now[part] ?? 'none' }))
    .filter((difference) => difference.recorded !== difference.here);
}
