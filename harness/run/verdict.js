import { isDeepStrictEqual } from 'node:util';
import { group } from 'd3-array';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { contrastOf } from '../stats/contrast.js';
import { compareMemory } from '../stats/memory/compare.js';
import { compareRun } from '../stats/compare.js';
import { armsOf, findCell, sharedIdOf } from '../stats/plan.js';
import { contractViolations, isNamed, ratioOf } from '../stats/verdicts.js';
import { judgePlacements } from '../stats/placement.js';
import { addSizes } from '../stats/sizes.js';
import { addThroughput } from '../stats/throughput.js';
import { omitUndefined } from '../lib/records.js';
import { measuredCells, partitionCells } from '../stats/parts.js';
import { countBusyMs } from './execute.js';
import { UNKNOWN_NOISE, sumSessions } from './sessions.js';

/** @import { CellComparison, Difference, Explanation, FailedJob, HostNoise, HostRecord, HostShare, Manifest, Observation, ReplayRecord, RunPart, VariantIdentity, ResolvedVariant, Verdict } from '../formats/types.ts' */
/** @import { CellProfiles } from '../formats/profile-types.ts' */
/** @import { SessionTotals } from './sessions.js' */
/** @import { Observations, StoredRun } from './store.js' */

/** The comparison of times in a run that measures only memory. */
const NOTHING_TIMED = Object.freeze({
  ...{ cells: [], summaries: [], sweeps: undefined, warnings: [], interimLooks: {} },
});

/** @typedef {StoredRun & { totals: SessionTotals }} RunResult */

/**
 * Computes verdict.json from what a run has observed. The same input gives the same verdict, so a run
 * can be analyzed and rendered again without measuring.
 *
 * @param {RunResult & { explain?: (comparison: { cells: CellComparison[], firstNumber: number }) => Explanation | null }} run
 *   `explain` explains the differences from the profiles
 * @returns {Verdict}
 */
export function buildVerdict(run) {
  const { manifest, observations, totals } = run;
  const { differences } = run.gate;
  const { ended, left = [], wallMs, hostNoise } = totals;
  const { memory } = manifest.question;
  const comparison = memory === 'only' && ended !== 'refused' ? NOTHING_TIMED : compareTimes(run);
  const jobs = listJobs(run);
  const summedMs = countBusyMs(jobs) + run.gate.workerMs;
  // To the microsecond, so that a sum in another order is the same.
  const workerMs = Math.round(summedMs * 1000) / 1000;
  const judged = refuseCells(comparison.cells, manifest, differences);
  const cells = addThroughput(addSizes(judged, manifest), manifest);
  const parts = listParts(run);
  const memoryVerdict = memory === 'none' ? null : judgeMemory(run, comparison.warnings.length);
  const warningCount = comparison.warnings.length + (memoryVerdict?.warnings.length ?? 0);
  const hasInterimLooks = Object.keys(comparison.interimLooks).length > 0;
  const explanation = run.explain?.({ cells, firstNumber: warningCount + 1 }) ?? null;
  return {
    formatVersion: FORMAT_VERSION,
    runId: manifest.runId,
    ended,
    ...(left.length === 0 ? {} : { left }),
    cells,
    summaries: comparison.summaries,
    ...omitUndefined({ sweeps: comparison.sweeps }),
    warnings: comparison.warnings,
    differences: [...differences, ...listHotDifferences(run)],
    failedJobs: listFailedJobs(observations),
    hostNoise,
    ...(isOfHosts(run) ? { hosts: shareAmongHosts(run.hosts, run) } : {}),
    ...omitUndefined({ parts }),
    ...(manifest.calibration === undefined ? {} : { calibration: manifest.calibration }),
    ...(hasInterimLooks ? { interimLooks: comparison.interimLooks } : {}),
    timing: { wallMs, workerMs, observations: jobs.length },
    ...(memoryVerdict === null ? {} : { memory: memoryVerdict }),
    ...(explanation === null ? {} : { explanation }),
    replay: makeReplayRecord(manifest, cells, hostNoise),
  };
}

/**
 * Variants that wrote something else after the last batch than the reference did in the check. A runtime whose optimized
 * code is wrong makes all variants differ in the same way.
 *
 * @param {Pick<RunResult, 'manifest' | 'observations'>} run
 * @returns {Difference[]} one for each variant of a cell
 */
function listHotDifferences({ manifest, observations }) {
  const { question, expectedDigests } = manifest;
  /** Wrong outputs by cell, then by variant. @type {Map<string, Map<string, Set<string>>>} */
  const wrong = new Map();
  /** What spot checks found first, by cell and variant. @type {Map<string, string>} */
  const faults = new Map();
  for (const observation of observations) {
    if (observation.outcome === 'failed') continue;
    const { arm, outputDigest, faults: [fault] = [] } = observation;
    const cell = findCell(question.cells, observation);
    const cellId = sharedIdOf(cell);
    if (expectedDigests[cellId] === undefined || outputDigest === expectedDigests[cellId]) continue;
    const { spec } = armsOf(manifest, cell)[arm];
    const bySpec = wrong.get(cellId) ?? new Map();
    const key = `${cellId} ${spec}`;
    if (fault !== undefined && !faults.has(key)) faults.set(key, fault);
    wrong.set(cellId, bySpec.set(spec, (bySpec.get(spec) ?? new Set()).add(outputDigest)));
  }
  return [...wrong].flatMap(([cellId, bySpec]) =>
    [...bySpec].map(([variant, digests]) => {
      const sameAs = [...bySpec.keys()].filter(
        (other) => other !== variant && isDeepStrictEqual(bySpec.get(other), digests),
      );
      return {
        ...{ variant, cellId, document: 0, path: '(whole corpus)' },
        expected: 'the output of the check',
        found: faults.get(`${cellId} ${variant}`) ?? 'another output after the last batch',
        ...omitUndefined({ sameAs: sameAs.length === 0 ? undefined : sameAs }),
      };
    }),
  );
}

/** All jobs of a run, of every pass. @param {Observations} run */
function listJobs(run) {
  return [
    ...run.observations,
    ...run.memoryObservations,
    ...run.profileObservations,
    ...run.placementObservations,
  ];
}

/**
 * @param {Pick<StoredRun, 'manifest' | 'hosts'>} run
 * @returns {boolean} whether other hosts measured it than the one that asked
 */
export function isOfHosts({ manifest, hosts }) {
  return manifest.fleet !== undefined || hosts.length > 0;
}

/**
 * @param {Pick<StoredRun, 'manifest' | 'gate'>} run
 * @returns {boolean} whether the correctness check found a fault, so that nothing is timed
 */
export function isRefused({ manifest, gate }) {
  const violations = contractViolations(manifest.contracts, manifest.question.acceptedRows);
  return gate.differences.length > 0 || violations.length > 0;
}

/**
 * @param {Pick<StoredRun, 'manifest' | 'hosts'>} run
 * @returns {RunPart[] | undefined} the parts of a merged run
 */
function listParts({ manifest, hosts }) {
  if (manifest.merged !== true) return undefined;
  const cells = partitionCells(manifest.question, hosts.length);
  return hosts.map(({ runId = '', environment, hostNoise = UNKNOWN_NOISE }, index) => ({
    runId,
    shard: index + 1,
    cellIds: cells[index].map(({ id }) => id),
    environment,
    hostNoise,
  }));
}

/** @type {(hosts: HostRecord[], run: Observations) => HostShare[]} */
function shareAmongHosts(hosts, run) {
  const byHost = group(listJobs(run), ({ host }) => host);
  return hosts.map(({ host, environment: { cpuModel, cpuCount, kernel, node } }) => {
    const own = byHost.get(host) ?? [];
    const failed = own.filter(({ outcome }) => outcome === 'failed').length;
    return { host, observations: own.length, failed, cpuModel, cpuCount, kernel, node };
  });
}

/** @param {RunResult} run */
function compareTimes(run) {
  const { manifest, observations } = run;
  const { ended, hostNoise, interimLooks } = run.totals;
  const { question, expectedDigests, environment, thresholds, runtimes } = manifest;
  const { variants, corpora } = manifest;
  const host = { environment, hostNoise, parts: listParts(run), thresholds, runtimes };
  const comparison = compareRun({
    question,
    observations,
    expectedDigests,
    ended,
    interimLooks,
    measured: measuredCells(manifest),
    variants,
    corpora,
    ...host,
  });
  if (ended === 'refused' || !contrastOf(question).takesPlacements) return comparison;
  return { ...comparison, ...judgePlacements(comparison, { ...run, ended }) };
}

/**
 * @param {RunResult} run
 * @param {number} warningCount of the times
 */
function judgeMemory({ manifest, memoryObservations, totals: { ended } }, warningCount) {
  return compareMemory({
    manifest,
    observations: memoryObservations,
    ended,
    firstNumber: warningCount + 1,
  });
}

/**
 * A violation of the behaviour contract refuses every cell of the variant, wrong output only its
 * own cell.
 * @type {(cells: CellComparison[], manifest: Manifest, differences: Difference[]) => CellComparison[]}
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

/** @type {(observations: Observation[]) => FailedJob[]} in the order in which they first failed */
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
 * Analyzes a run from what is in its directory: times, memory, placement, profiles. The same files give the same
 * verdict, whatever verdict.json says.
 *
 * @param {StoredRun} run
 * @param {SessionTotals} [totals] by default those of its sessions
 * @returns {Promise<AnalyzedRun>}
 */
export async function analyzeRun(run, totals = sumSessions(run)) {
  const { profileObservations } = run;
  const common = { ...run, totals };
  if (profileObservations.length === 0) return { verdict: buildVerdict(common), profiles: [] };
  // A run without profiles need not load the code that reads and compares them.
  const { explainRun } = await import('../profiling/explain-run.js');
  /** @type {CellProfiles[]} */
  let profiles = [];
  const verdict = buildVerdict({
    ...common,
    explain(comparison) {
      const explained = explainRun(run, comparison);
      profiles = explained.profiles;
      return explained.explanation;
    },
  });
  return { verdict, profiles };
}

/**
 * The part of a report from which it can be replayed: everything that decides what is measured, the
 * results, and where they were measured.
 * @type {(manifest: Manifest, cells: CellComparison[], hostNoise: HostNoise) => ReplayRecord}
 */
export function makeReplayRecord(manifest, cells, hostNoise) {
  const { formatVersion, runId, createdAt, assay, variants, environment } = manifest;
  const question = { ...manifest.question, cells: measuredCells(manifest) };
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
  const { version, integrity, dependencies, revision, build, toolchain, runtime } = variant;
  return {
    spec,
    kind,
    digest,
    ...(version === undefined ? {} : { version }),
    ...(integrity === undefined ? {} : { integrity }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(revision === undefined ? {} : { revision }),
    ...(build === undefined ? {} : { build }),
    ...(toolchain === undefined ? {} : { toolchain }),
    ...(runtime === undefined ? {} : { runtime }),
  };
}
