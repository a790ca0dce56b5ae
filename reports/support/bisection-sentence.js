/** The one sentence on a bisection. */

/** @import { Bisection } from '../../harness/formats/types.ts' */

import { showInvisible } from '../../harness/lib/escape.js';
import { formatInterval, formatRatio } from '../../harness/lib/numbers.js';

/**
 * What a bisection found, or how far it came.
 *
 * @param {Bisection} bisection whose ends differ, or that was interrupted before that was known
 * @returns {string}
 */
export function tellBisection(bisection) {
  const { ended, cell, candidates, lastGood, firstBad, passedOver, change } = bisection;
  if (ended !== 'found') return tellProgress(bisection);
  const good = nameCandidate(lastGood, candidates);
  const bad = nameCandidate(firstBad, candidates);
  const size = describeChange(change);
  if (passedOver.length === 0) {
    return `${showInvisible(cell.id)} is slower from ${bad} on: ${size} against ${good}, the one before.`;
  }
  const names = passedOver.map(({ spec }) => nameCandidate(spec, candidates));
  return `${showInvisible(cell.id)} is slower from ${bad} on, or from one of those before it that cannot be measured (${names.join(', ')}): ${size} against ${good}, the last good one.`;
}

/**
 * @param {Bisection} bisection that ended before the search did
 * @returns {string}
 */
function tellProgress({ ended, boundary, cell, candidates, lastGood, firstBad }) {
  const cause = ended === 'interrupted' ? 'Interrupted' : 'Not settled';
  const id = showInvisible(cell.id);
  const good = nameCandidate(lastGood, candidates);
  const bad = nameCandidate(firstBad, candidates);
  if (boundary === null) {
    return `${cause} before it was known whether ${id} is slower in ${bad} than in ${good}.`;
  }
  const between =
    candidates.findIndex(({ spec }) => spec === firstBad) -
    candidates.findIndex(({ spec }) => spec === lastGood) -
    1;
  return `${cause}: ${id} became slower after ${good}, in ${bad} at the latest, with ${between} in between.`;
}

/** @param {Bisection['change']} change */
function describeChange(change) {
  if (change === null || change.ratio === null) return 'by how much could not be measured';
  const figures = `×${formatRatio(change.ratio.estimate)} [${formatInterval(change.ratio)}]`;
  return change.verdict === 'slower' ? figures : `${change.verdict}, ${figures}`;
}

/**
 * @param {string} spec
 * @param {Bisection['candidates']} candidates
 * @returns {string} how the log calls it
 */
export function nameCandidate(spec, candidates) {
  return showInvisible(candidates.find((one) => one.spec === spec)?.name ?? spec);
}
