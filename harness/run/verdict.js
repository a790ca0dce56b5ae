import { FORMAT_VERSION } from '../formats/format-version.js';
import { compareMemory } from '../stats/memory.js';
import { compareRun } from '../stats/compare.js';
import { contractViolations } from '../stats/verdicts.js';
import { judgeLayouts } from '../stats/placement.js';

/** @import { CellComparison, Difference, Explanation, FailedJob, HostNoise, LayoutObservation, Manifest, MemoryObservation, Observation, ProfileObservation, ReplayRecord, VariantIdentity, ResolvedVariant, Verdict } from '../formats/types.ts' */
/** @import { CellProfiles } from '../../reports/types.ts' */
/** @import { StoredRun } from './store.js' */

/** What there is to say of time in a run that measures memory alone. */
const NOTHING_TIMED = Object.freeze({ cells: [], summaries: [], warnings: [], interimLooks: {} });

/** @typedef {Parameters<typeof buildVerdict>[0]} RunResult */

/**
 * What only the sessions of a run knew; the rest of a verdict follows from its directory.
 *
 * @typedef {Pick<RunResult, 'ended' | 'hostNoise' | 'differences' | 'wallMs' | 'checkMs' | 'interimLooks'>}
 *   SessionTotals
 */

/**
 * Makes verdict.json from what a run left behind. Asking again gives the same answer, so a run can
 * be judged and rendered anew without measuring.
 *
 * @param {object} run
 * @param {Manifest} run.manifest
 * @param {Observation[]} run.observations
 * @param {MemoryObservation[]} run.memoryObservations
 * @param {ProfileObservation[]} run.profileObservations
 * @param {LayoutObservation[]} run.layoutObservations
 * @param {(comparison: { cells: CellComparison[], firstNumber: number }) => Explanation | null} [run.explain]
 *   says why, once it is known what differs
 * @param {Verdict['ended']} run.ended
 * @param {HostNoise} run.hostNoise
 * @param {Difference[]} run.differences what the gate found
 * @param {number} run.wallMs all sessions together
 * @param {number} run.checkMs life of the workers of the gate
 * @param {Record<string, number[]>} [run.interimLooks] of earlier sessions, by cell id
 * @returns {Verdict}
 */
export function buildVerdict(run) {
  const { manifest, observations, ended, differences } = run;
  const { memory } = manifest.question;
  const comparison = memory === 'only' && ended !== 'refused' ? NOTHING_TIMED : compareTimes(run);
  const jobs = listJobs(run);
  const summedMs = countBusyMs(jobs) + run.checkMs;
  // To the microsecond, so that a sum made again in other order is the same.
  const workerMs = Math.round(summedMs * 1000) / 1000;
  const cells = refuseCells(comparison.cells, manifest, differences);
  const memoryVerdict = memory === 'none' ? null : judgeMemory(run, comparison.warnings.length);
  const warningCount = comparison.warnings.length + (memoryVerdict?.warnings.length ?? 0);
  const hasInterimLooks = Object.keys(comparison.interimLooks).length > 0;
  const explanation = run.explain?.({ cells, firstNumber: warningCount + 1 }) ?? null;
  return {
    formatVersion: FORMAT_VERSION,
    runId: manifest.runId,
    ended,
    cells,
    summaries: comparison.summaries,
    warnings: comparison.warnings,
    differences,
    failedJobs: listFailedJobs(observations),
    hostNoise: run.hostNoise,
    ...(manifest.calibration === undefined ? {} : { calibration: manifest.calibration }),
    ...(hasInterimLooks ? { interimLooks: comparison.interimLooks } : {}),
    timing: { wallMs: run.wallMs, workerMs, observations: jobs.length },
    ...(memoryVerdict === null ? {} : { memory: memoryVerdict }),
    ...(explanation === null ? {} : { explanation }),
    replay: makeReplayRecord(manifest, cells, run.hostNoise),
  };
}

/**
 * What took time, of every kind.
 *
 * @param {Pick<RunResult, 'observations' | 'memoryObservations' | 'profileObservations' | 'layoutObservations'>} run
 */
export function listJobs(run) {
  return [
    ...run.observations,
    ...run.memoryObservations,
    ...run.profileObservations,
    ...run.layoutObservations,
  ];
}

/**
 * Time in which at least one job ran; both sides are profiled at once.
 *
 * @param {{ startedAtMs: number, workerMs: number }[]} jobs
 * @returns {number} milliseconds
 */
export function countBusyMs(jobs) {
  let busyMs = 0;
  let endMs = -Infinity;
  for (const { startedAtMs, workerMs } of jobs.toSorted((a, b) => a.startedAtMs - b.startedAtMs)) {
    const jobEndMs = startedAtMs + workerMs;
    busyMs += Math.max(0, jobEndMs - Math.max(startedAtMs, endMs));
    endMs = Math.max(endMs, jobEndMs);
  }
  return busyMs;
}

/**
 * @param {Pick<RunResult, 'manifest' | 'observations' | 'layoutObservations' | 'ended' | 'hostNoise' | 'interimLooks'>} run
 */
function compareTimes(run) {
  const { manifest, observations, ended, hostNoise, interimLooks = {} } = run;
  const { question, expectedDigests, environment, parts, thresholds } = manifest;
  const host = { environment, hostNoise, parts, thresholds };
  const comparison = compareRun({
    question,
    observations,
    expectedDigests,
    ended,
    interimLooks,
    ...host,
  });
  if (ended === 'refused') return comparison;
  return { ...comparison, ...judgeLayouts(comparison, run) };
}

/**
 * @param {Pick<RunResult, 'manifest' | 'memoryObservations' | 'ended'>} run
 * @param {number} warningCount of the times
 */
function judgeMemory({ manifest, memoryObservations, ended }, warningCount) {
  return compareMemory({
    manifest,
    observations: memoryObservations,
    ended,
    firstNumber: warningCount + 1,
  });
}

/**
 * A breach of the behaviour contract refuses every cell, wrong bytes refuse their own.
 *
 * @param {CellComparison[]} cells
 * @param {Manifest} manifest
 * @param {Difference[]} differences
 * @returns {CellComparison[]}
 */
function refuseCells(cells, { contracts, question }, differences) {
  const isBreached = contractViolations(contracts, question.acceptedRows).length > 0;
  const differing = new Set(differences.map(({ cellId }) => cellId));
  return cells.map((comparison) =>
    isBreached || differing.has(comparison.cell.id)
      ? { ...comparison, verdict: 'refused' }
      : comparison,
  );
}

/**
 * @param {Observation[]} observations
 * @returns {FailedJob[]} in the order in which they first failed
 */
function listFailedJobs(observations) {
  /** @type {Map<string, FailedJob>} */
  const failed = new Map();
  for (const observation of observations) {
    if (observation.outcome !== 'failed') continue;
    const { jobId, failure } = observation;
    const failedAttempts = (failed.get(jobId)?.failedAttempts ?? 0) + 1;
    failed.set(jobId, { jobId, failedAttempts, measured: false, failure });
  }
  if (failed.size > 0) {
    for (const { jobId, outcome } of observations) {
      const job = failed.get(jobId);
      if (job !== undefined && outcome === 'done') job.measured = true;
    }
  }
  return [...failed.values()];
}

/**
 * @typedef {object} AnalyzedRun
 * @property {Verdict} verdict
 * @property {CellProfiles[]} profiles of the cells that were profiled, for renderers
 */

/**
 * Judges a run by what lies in its directory: times, memory, profiles.
 *
 * @param {StoredRun} run
 * @param {SessionTotals} session
 * @returns {Promise<AnalyzedRun>}
 */
export async function analyzeRun(run, session) {
  const { manifest, profileObservations } = run;
  const common = { ...run, ...session };
  if (profileObservations.length === 0) return { verdict: buildVerdict(common), profiles: [] };
  // Reading and comparing profiles is code that a run without any need not load.
  const { explainRun, hasSameSources } = await import('../profiling/explain-run.js');
  const isSourceSame = await hasSameSources(manifest);
  /** @type {CellProfiles[]} */
  let profiles = [];
  const verdict = buildVerdict({
    ...common,
    explain(comparison) {
      const explained = explainRun(run, comparison, isSourceSame);
      profiles = explained.profiles;
      return explained.explanation;
    },
  });
  return { verdict, profiles };
}

/** @type {Verdict['hostNoise']} */
const UNKNOWN_NOISE = Object.freeze({ stealShare: null, othersShare: null, throttledMs: null });

/**
 * What only the sessions of a run knew, from the verdict that the last of them wrote. A run that was
 * killed has none: what can be told from its jobs is.
 *
 * @param {StoredRun} run
 * @returns {Required<SessionTotals>}
 */
export function restoreSessionTotals(run) {
  const { verdict } = run;
  const jobs = listJobs(run);
  if (verdict === null) {
    const ends = jobs.map(({ startedAtMs, workerMs }) => startedAtMs + workerMs);
    const wallMs = ends.reduce((last, end) => Math.max(last, end), 0);
    const untold = { hostNoise: UNKNOWN_NOISE, differences: [], checkMs: 0, interimLooks: {} };
    return { ended: 'interrupted', wallMs, ...untold };
  }
  const { ended, hostNoise, differences, timing, interimLooks = {} } = verdict;
  const checkMs = Math.max(0, timing.workerMs - countBusyMs(jobs));
  return { ended, hostNoise, differences, wallMs: timing.wallMs, checkMs, interimLooks };
}

/**
 * What travels with a report, so that it can be replayed from that alone: all that decides what is
 * measured, what it came to, and where it was measured.
 *
 * @param {Manifest} manifest
 * @param {CellComparison[]} cells
 * @param {HostNoise} hostNoise
 * @returns {ReplayRecord}
 */
export function makeReplayRecord(manifest, cells, hostNoise) {
  const { formatVersion, runId, createdAt, assay, question, variants, environment } = manifest;
  return {
    formatVersion,
    runId,
    createdAt,
    assay,
    question,
    variants: {
      baseline: describeVariant(variants.baseline),
      candidate: describeVariant(variants.candidate),
    },
    corpora: manifest.corpora.map(({ label, digest, documentCount }) => ({
      label,
      digest,
      documentCount,
    })),
    runtimes: manifest.runtimes.map(({ node, packageName, integrity }) => ({
      node,
      packageName,
      integrity,
    })),
    environment,
    hostNoise,
    results: cells.map(({ cell, verdict, effect }) => ({
      cellId: cell.id,
      verdict,
      ratio: effect?.ratio ?? null,
    })),
  };
}

/**
 * @param {ResolvedVariant} variant
 * @returns {VariantIdentity}
 */
function describeVariant({ spec, kind, digest, ...variant }) {
  const { version, integrity, revision, build, toolchain, node } = variant;
  return {
    spec,
    kind,
    digest,
    ...(version === undefined ? {} : { version }),
    ...(integrity === undefined ? {} : { integrity }),
    ...(revision === undefined ? {} : { revision }),
    ...(build === undefined ? {} : { build }),
    ...(toolchain === undefined ? {} : { toolchain }),
    ...(node === undefined ? {} : { node }),
  };
}
