import { countOf } from '../lib/numbers.js';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { explainRun as explainCells } from './explain/explain-cell.js';
import { chooseCellsToExplain, countUnexplained } from './plan-profiles.js';
import { PROJECT } from '../lib/project.js';
import { readEvidence } from './evidence.js';
import { loadFamilyWorker } from '../variants/build-family.js';
import { digestSources } from '../variants/cache.js';
import { viewProfiles } from './view-profiles.js';

/** @import { CellProfiles } from '../../reports/types.ts' */
/** @import { CellComparison, Explanation, Manifest } from '../formats/types.ts' */
/** @import { StoredRun } from '../run/store.js' */

/**
 * Says why the cells of a run differ, by what recorders left in its directory.
 *
 * @param {StoredRun} run
 * @param {{ cells: CellComparison[], firstNumber: number }} comparison
 * @param {boolean} isSourceSame whether this checkout has the sources that were measured
 * @returns {{ explanation: Explanation, profiles: CellProfiles[] }}
 */
export function explainRun(run, { cells, firstNumber }, isSourceSame) {
  const { manifest, profileObservations } = run;
  const recorded = new Set(profileObservations.map(({ cellId }) => cellId));
  const order = chooseCellsToExplain(manifest.question, cells).map(({ id }) => id);
  const comparisons = cells
    .filter(({ cell }) => recorded.has(cell.id))
    .sort((a, b) => rankOf(a, order) - rankOf(b, order));
  const read = comparisons.map((comparison) => {
    const { evidence, reads } = readEvidence(run, comparison, order.includes(comparison.cell.id));
    const views = viewProfiles(reads, comparison, isSourceSame);
    return { evidence, profiles: { cellId: comparison.cell.id, views } };
  });
  const explanation = explainCells(
    read.map(({ evidence }) => evidence),
    firstNumber,
  );
  const leftOut = countUnexplained(manifest.question, cells, recorded);
  if (leftOut > 0) {
    explanation.warnings.push({
      number: firstNumber + explanation.warnings.length,
      kind: 'not-explained',
      text: `${countOf(leftOut, 'more cell differs', 'more cells differ')}, by less, and ${leftOut === 1 ? 'was' : 'were'} not profiled. Profile all cells with --explain all.`,
    });
  }
  return {
    explanation,
    profiles: read.map(({ profiles }) => profiles).filter(({ views }) => views.length > 0),
  };
}

/**
 * @param {Pick<Manifest, 'question' | 'variants'>} manifest
 * @returns {Promise<boolean>} whether the family in this checkout is the one that was measured
 */
export async function hasSameSources({ question, variants }) {
  const sides = [variants.baseline, variants.candidate];
  const builtIn = sides.filter(({ kind }) => kind === 'built-in');
  if (builtIn.length === 0) return true;
  const { experimentsPath } = PROJECT;
  // The run may be a stranger's: its family never makes a path but that of a folder that is listed.
  const families = existsSync(experimentsPath) ? readdirSync(experimentsPath) : [];
  if (!families.includes(question.family)) return false;
  const path = join(experimentsPath, question.family);
  const digest = digestSources(path, (await loadFamilyWorker({ path }))?.sources);
  return builtIn.every((variant) => variant.digest === digest);
}

/**
 * @param {CellComparison} comparison
 * @param {string[]} order
 */
function rankOf({ cell }, order) {
  const rank = order.indexOf(cell.id);
  return rank === -1 ? order.length : rank;
}
