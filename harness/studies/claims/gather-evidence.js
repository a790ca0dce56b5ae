/** @import { Cell, Claim, Manifest, MemoryVerdict, Question, Verdict } from '../../formats/types.ts' */
/** @import { ClaimEvidence } from './judge-claim.js' */

/**
 * What a run has to say about a claim.
 *
 * @param {Claim} claim
 * @param {{ verdict: Verdict, manifest: Manifest, question: Question }} run
 * @returns {ClaimEvidence}
 */
export function gatherEvidence(claim, { verdict, manifest, question }) {
  const { cells } = question;
  const cellId = findCellId(claim, cells);
  const { workerMs, observations } = verdict.timing;
  return {
    cell: verdict.cells.find(({ cell }) => cell.id === cellId) ?? null,
    retained: findRetained(claim, verdict.memory),
    contract: manifest.contracts[claim.candidate] ?? null,
    isSameOutput: isSameOutput(claim, verdict.differences, cells),
    minimumEffect: question.minimumEffect,
    processMs: observations === 0 ? null : workerMs / observations,
    failure: tellShortfall(verdict),
  };
}

/**
 * @param {Claim} claim
 * @param {Verdict['differences']} differences that the gate found
 * @param {Cell[]} cells
 * @returns {boolean} whether there is none on the cell of the claim
 */
export function isSameOutput(claim, differences, cells) {
  const cellId = findCellId(claim, cells);
  return differences.every((difference) => difference.cellId !== cellId);
}

/**
 * @param {Verdict} verdict
 * @returns {string | null} what the worker that could not be run said, or that there was no time
 */
function tellShortfall({ failedJobs, ended }) {
  const lost = failedJobs.find(({ measured }) => !measured);
  if (lost !== undefined) return `${lost.jobId}: ${lost.failure.detail}`;
  return ended === 'budget'
    ? 'the time ran out before there was a figure; try a longer --budget'
    : null;
}

/**
 * @param {Claim} claim
 * @param {Cell[]} cells
 * @returns {string}
 */
function findCellId({ operation, corpus }, cells) {
  const cell = cells.find((one) => one.operation === operation && one.corpus === corpus);
  return cell?.id ?? `${operation} ${corpus}`;
}

/**
 * @param {Claim} claim
 * @param {MemoryVerdict | undefined} memory
 */
function findRetained({ figure, corpus }, memory) {
  if (figure.formula !== 'retained-bytes') return null;
  const held = memory?.corpora.find((one) => one.corpus === corpus);
  if (figure.of === 'document') {
    return held?.metrics.find(({ name }) => name === 'retained') ?? null;
  }
  return held?.groups.find(({ name }) => name === figure.of)?.metric ?? null;
}
