/** The one sentence on a bisection. */

/** @import { Bisection } from '../../harness/bisect/types.ts' */

import { showInvisible } from './escape.js';
import { formatInterval, formatRatio } from './numbers.js';

/**
 * What a bisection found, or how far it came.
 *
 * @param {Bisection} bisection whose ends differ
 * @returns {string}
 */
export function tellBisection({ ended, cell, candidates, lastGood, firstBad, passedOver, change }) {
  const good = nameCandidate(lastGood, candidates);
  const bad = nameCandidate(firstBad, candidates);
  if (ended !== 'found') {
    const cause = ended === 'interrupted' ? 'Interrupted' : 'Not settled';
    const open =
      candidates.findIndex(({ spec }) => spec === firstBad) -
      candidates.findIndex(({ spec }) => spec === lastGood) -
      1;
    return `${cause}: ${showInvisible(cell.id)} became slower after ${good}, in ${bad} at the latest, with ${open} in between.`;
  }
  const size = describeChange(change);
  if (passedOver.length === 0) {
    return `${showInvisible(cell.id)} is slower from ${bad} on: ${size} against ${good}, the one before.`;
  }
  const names = passedOver.map(({ spec }) => nameCandidate(spec, candidates));
  return `${showInvisible(cell.id)} is slower from ${bad} on, or from one of those before it that cannot be measured (${names.join(', ')}): ${size} against ${good}, the last good one.`;
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
