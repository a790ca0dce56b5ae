import { FORMAT_VERSION } from '../formats/format-version.js';
import { describeJobNode, describeJobVariant } from './job-variant.js';

/** @import { Cell, Failure, Manifest, MeasureJob, MeasureReport, PreparedCorpus, ResolvedVariant } from '../formats/types.ts' */
/** @import { WorkerOutcome } from './run-worker.js' */

/**
 * The job that times a variant on a cell.
 *
 * @param {string} id
 * @param {Cell} cell
 * @param {object} side
 * @param {ResolvedVariant} side.variant
 * @param {{ name: string, path: string }} side.family whose operations go with the variant
 * @param {Pick<Manifest, 'corpora' | 'settings' | 'packages'>} manifest
 * @returns {MeasureJob}
 */
export function makeMeasureJob(id, cell, { variant, family }, { corpora, settings, packages }) {
  const corpus = corpora.find(({ label }) => label === cell.corpus);
  return {
    formatVersion: FORMAT_VERSION,
    id,
    kind: 'measure',
    family: family.name,
    familyPath: family.path,
    variant: describeJobVariant(variant),
    ...describeJobNode(variant, cell),
    operation: cell.operation,
    corpus: /** @type {PreparedCorpus} */ (corpus),
    settings,
    packages,
  };
}

/**
 * What such a job brought.
 *
 * @typedef {{ workerMs: number } & (
 *   | { outcome: 'failed', failure: Failure }
 *   | ({ outcome: 'done' } & Pick<MeasureReport, 'outputDigest' | 'measurement'>)
 * )} Measured
 */

/**
 * @param {WorkerOutcome} outcome of such a job
 * @returns {Measured} as observations have it
 */
export function describeMeasured(outcome) {
  const { workerMs } = outcome;
  if ('failure' in outcome) return { workerMs, outcome: 'failed', failure: outcome.failure };
  const { outputDigest, measurement } = /** @type {MeasureReport} */ (outcome.report);
  return { workerMs, outcome: 'done', outputDigest, measurement };
}
