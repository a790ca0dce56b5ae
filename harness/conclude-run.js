import { compareRun } from './compare.js';
import { FORMAT_VERSION } from './format-version.js';
import { listBreaches } from './list-breaches.js';

/** @import { CellComparison, Difference, FailedJob, HostNoise, Manifest, Observation, Verdict } from './types.ts' */

/**
 * Makes verdict.json from what a run left behind. Asking again gives the same answer, so a run can
 * be judged and rendered anew without measuring.
 *
 * @param {object} run
 * @param {Manifest} run.manifest
 * @param {Observation[]} run.observations
 * @param {Verdict['ended']} run.ended
 * @param {HostNoise} run.hostNoise
 * @param {Difference[]} run.differences what the gate found
 * @param {number} run.wallMs all sessions together
 * @param {number} run.checkMs life of the workers of the gate
 * @returns {Verdict}
 */
export function concludeRun(run) {
  const { manifest, observations, ended, hostNoise, differences } = run;
  const { question, expectedDigests, environment } = manifest;
  const comparison = compareRun({
    question,
    observations,
    expectedDigests,
    ended,
    environment,
    hostNoise,
  });
  const workerMs = observations.reduce((sum, { workerMs: ms }) => sum + ms, run.checkMs);
  return {
    formatVersion: FORMAT_VERSION,
    runId: manifest.runId,
    ended,
    cells: refuseCells(comparison.cells, manifest, differences),
    summaries: comparison.summaries,
    warnings: comparison.warnings,
    differences,
    failedJobs: listFailedJobs(observations),
    hostNoise,
    timing: { wallMs: run.wallMs, workerMs, observations: observations.length },
  };
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
  const isBreached = listBreaches(contracts, question.acceptedRows).length > 0;
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
