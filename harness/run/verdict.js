import { group } from 'd3-array';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { contrastOf } from '../stats/contrast.js';
import { compareMemory } from '../stats/memory/compare.js';
import { compareRun } from '../stats/compare.js';
import { armsOf, sharedIdOf } from '../stats/plan.js';
import { contractViolations, isNamed, ratioOf } from '../stats/verdicts.js';
import { judgePlacements } from '../stats/placement.js';
import { addSizes } from '../stats/sizes.js';

/** @import { CellComparison, Difference, Explanation, FailedJob, FleetHost, HostNoise, HostShare, Manifest, Observation, ReplayRecord, VariantIdentity, ResolvedVariant, Verdict } from '../formats/types.ts' */
/** @import { CellProfiles } from '../formats/profile-types.ts' */
/** @import { Observations, StoredRun } from './store.js' */

/** The comparison of times in a run that measures only memory. */
const NOTHING_TIMED = Object.freeze({ cells: [], summaries: [], warnings: [], interimLooks: {} });

/**
 * What is known of the sessions of a run besides its observations.
 *
 * @typedef {object} SessionTotals
 * @property {Verdict['ended']} ended
 * @property {HostNoise} hostNoise
 * @property {Difference[]} differences that the correctness gate found
 * @property {number} wallMs of all sessions
 * @property {number} checkMs worker time of the gate
 * @property {Record<string, number[]>} [interimLooks] unplanned looks of earlier sessions, by cell
 */

/** @typedef {Observations & SessionTotals & Pick<StoredRun, 'manifest' | 'hosts'>} RunResult */

/**
 * Computes verdict.json from what a run has observed. The same input gives the same verdict, so a run
 * can be analyzed and rendered again without measuring.
 *
 * @param {RunResult & { explain?: (comparison: { cells: CellComparison[], firstNumber: number }) => Explanation | null }} run
 *   `explain` explains the differences from the profiles
 * @returns {Verdict}
 */
export function buildVerdict(run) {
  const { manifest, observations, ended, differences } = run;
  const { memory } = manifest.question;
  const comparison = memory === 'only' && ended !== 'refused' ? NOTHING_TIMED : compareTimes(run);
  const jobs = listJobs(run);
  const summedMs = countBusyMs(jobs) + run.checkMs;
  // To the microsecond, so that a sum in another order is the same.
  const workerMs = Math.round(summedMs * 1000) / 1000;
  const cells = addSizes(refuseCells(comparison.cells, manifest, differences), manifest);
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
    ...(run.hosts === undefined ? {} : { hosts: shareAmongHosts(run.hosts, run) }),
    ...(manifest.calibration === undefined ? {} : { calibration: manifest.calibration }),
    ...(hasInterimLooks ? { interimLooks: comparison.interimLooks } : {}),
    timing: { wallMs: run.wallMs, workerMs, observations: jobs.length },
    ...(memoryVerdict === null ? {} : { memory: memoryVerdict }),
    ...(explanation === null ? {} : { explanation }),
    replay: makeReplayRecord(manifest, cells, run.hostNoise),
  };
}

/**
 * All jobs of a run, of every pass.
 *
 * @param {Observations} run
 */
export function listJobs(run) {
  return [
    ...run.observations,
    ...run.memoryObservations,
    ...run.profileObservations,
    ...run.placementObservations,
  ];
}

/**
 * @param {FleetHost[]} hosts
 * @param {Pick<Observations, 'observations' | 'profileObservations'>} run
 * @returns {HostShare[]}
 */
function shareAmongHosts(hosts, { observations, profileObservations }) {
  const byHost = group([...observations, ...profileObservations], ({ host }) => host);
  return hosts.map(({ host, environment: { cpuModel, cpuCount, kernel, node } }) => {
    const own = byHost.get(host) ?? [];
    const failed = own.filter(({ outcome }) => outcome === 'failed').length;
    return { host, observations: own.length, failed, cpuModel, cpuCount, kernel, node };
  });
}

/**
 * The time in which at least one job ran; both arms are profiled at the same time.
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
 * @param {RunResult} run
 */
function compareTimes(run) {
  const { manifest, observations, ended, hostNoise, interimLooks = {} } = run;
  const { question, expectedDigests, environment, parts, thresholds, runtimes } = manifest;
  const host = { environment, hostNoise, parts, thresholds, runtimes };
  const comparison = compareRun({
    question,
    observations,
    expectedDigests,
    ended,
    interimLooks,
    ...host,
  });
  if (ended === 'refused' || !contrastOf(question).takesPlacements) return comparison;
  return { ...comparison, ...judgePlacements(comparison, run) };
}

/**
 * @param {RunResult} run
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
 * A violation of the behaviour contract refuses every cell of the variant, wrong output only its own cell.
 *
 * @param {CellComparison[]} cells
 * @param {Manifest} manifest
 * @param {Difference[]} differences
 * @returns {CellComparison[]}
 */
function refuseCells(cells, manifest, differences) {
  const { contracts, question } = manifest;
  const violations = contractViolations(contracts, question.acceptedRows);
  return cells.map((comparison) => {
    const arms = Object.values(armsOf(manifest, comparison.cell));
    const isViolated = violations.some((row) => arms.some((arm) => isNamed(row.spec, arm.spec)));
    const isDifferent = differences.some(
      ({ cellId, variant }) =>
        cellId === sharedIdOf(comparison.cell) && arms.some(({ spec }) => spec === variant),
    );
    return isViolated || isDifferent ? { ...comparison, verdict: 'refused' } : comparison;
  });
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
    const { id: jobId, failure } = observation;
    const failedAttempts = (failed.get(jobId)?.failedAttempts ?? 0) + 1;
    failed.set(jobId, { jobId, failedAttempts, measured: false, failure });
  }
  if (failed.size > 0) {
    for (const { id, outcome } of observations) {
      const job = failed.get(id);
      if (job !== undefined && outcome === 'done') job.measured = true;
    }
  }
  return [...failed.values()];
}

/**
 * @typedef {object} AnalyzedRun
 * @property {Verdict} verdict
 * @property {CellProfiles[]} profiles of the profiled cells, for renderers
 */

/**
 * Analyzes a run from what is in its directory: times, memory, placement, profiles.
 * @type {(run: StoredRun, session: SessionTotals) => Promise<AnalyzedRun>}
 */
export async function analyzeRun(run, session) {
  const { manifest, profileObservations } = run;
  const common = { ...run, ...session };
  if (profileObservations.length === 0) return { verdict: buildVerdict(common), profiles: [] };
  // A run without profiles need not load the code that reads and compares them.
  const { explainRun, findFamilySources } = await import('../profiling/explain-run.js');
  const sources = await findFamilySources(manifest);
  /** @type {CellProfiles[]} */
  let profiles = [];
  const verdict = buildVerdict({
    ...common,
    explain(comparison) {
      const explained = explainRun(run, comparison, sources);
      profiles = explained.profiles;
      return explained.explanation;
    },
  });
  return { verdict, profiles };
}

/** @type {Verdict['hostNoise']} */
const UNKNOWN_NOISE = Object.freeze({ stealShare: null, othersShare: null, throttledMs: null });

/**
 * Restores the totals of earlier sessions from the verdict that the last of them wrote or, in a run that
 * was killed before it wrote one, estimates them from the observations.
 * @type {(run: StoredRun) => Required<SessionTotals>}
 */
export function restoreSessionTotals(run) {
  const { verdict } = run;
  const jobs = listJobs(run);
  if (verdict === null) {
    const ends = jobs.map(({ startedAtMs, workerMs }) => startedAtMs + workerMs);
    const wallMs = ends.reduce((last, end) => Math.max(last, end), 0);
    const unknown = { hostNoise: UNKNOWN_NOISE, differences: [], checkMs: 0, interimLooks: {} };
    return { ended: 'interrupted', wallMs, ...unknown };
  }
  const { ended, hostNoise, differences, timing, interimLooks = {} } = verdict;
  const checkMs = Math.max(0, timing.workerMs - countBusyMs(jobs));
  return { ended, hostNoise, differences, wallMs: timing.wallMs, checkMs, interimLooks };
}

/**
 * The part of a report from which it can be replayed: everything that decides what is measured, the
 * results, and where they were measured.
 * @type {(manifest: Manifest, cells: CellComparison[], hostNoise: HostNoise) => ReplayRecord}
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
      candidates: variants.candidates.map(describeVariant),
    },
    corpora: manifest.corpora.map(({ label, digest, documentCount }) => ({
      label,
      digest,
      documentCount,
    })),
    runtimes: manifest.runtimes.map(
      ({ executable: _path, bufferPath: _other, lacks: _lacks, ...identity }) => identity,
    ),
    environment,
    hostNoise,
    results: cells.map((comparison) => ({
      cellId: comparison.cell.id,
      verdict: comparison.verdict,
      ratio: ratioOf(comparison),
    })),
  };
}

/** @type {(variant: ResolvedVariant) => VariantIdentity} */
function describeVariant({ spec, kind, digest, ...variant }) {
  const { version, integrity, revision, build, toolchain, runtime } = variant;
  return {
    spec,
    kind,
    digest,
    ...(version === undefined ? {} : { version }),
    ...(integrity === undefined ? {} : { integrity }),
    ...(revision === undefined ? {} : { revision }),
    ...(build === undefined ? {} : { build }),
    ...(toolchain === undefined ? {} : { toolchain }),
    ...(runtime === undefined ? {} : { runtime }),
  };
}
