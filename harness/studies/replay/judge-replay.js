import { countOf } from '../../lib/numbers.js';
import { judgeCell } from './judge-cell.js';

/** @import { CellComparison, ReplayRecord, Verdict } from '../../formats/types.ts' */
/** @import { EnvironmentDifference } from './compare-environments.js' */
/** @import { CellAnswer, CellFinding } from './judge-cell.js' */

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
