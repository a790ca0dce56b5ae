/** How pages of a site name changes and verdicts. */

/** @import { FollowedChange, RatioInterval, VerdictWord } from '../../../harness/formats/types.ts' */
/** @import { Inline, Tone } from '../../document/model.ts' */
/** @import { Site } from './map.js' */

import { isAlert } from '../../../harness/stats/alarms.js';
import { USUAL } from '../../../harness/stats/usual.js';
import { VERDICTS } from '../../../harness/stats/verdicts.js';
import { describeCells, formatChanges } from '../trend.js';

/** @type {(ratio: number) => 'good' | 'bad' | 'plain'} plain within the minimum effect that is usual */
export function toneOfRatio(ratio) {
  if (Math.abs(Math.log(ratio)) < Math.log1p(USUAL.minimumEffect)) return 'plain';
  return ratio > 1 ? 'bad' : 'good';
}

/** @type {(ratio: RatioInterval | null) => 'good' | 'bad' | 'plain'} plain where the interval includes 1 */
export function toneOfInterval(ratio) {
  if (ratio === null || (ratio.low <= 1 && ratio.high >= 1)) return 'plain';
  return ratio.low > 1 ? 'bad' : 'good';
}

/** The axis of intervals goes from 1 / this to this, or further. */
const MIN_REACH = 1.1;
const MAX_REACH = 2;

/** @type {(ratios: (RatioInterval | null)[]) => number} what an axis of all of them reaches on either side of 1 */
export function reachOf(ratios) {
  const ends = ratios.flatMap((ratio) => (ratio === null ? [] : [ratio.high, 1 / ratio.low]));
  return Math.min(MAX_REACH, Math.max(MIN_REACH, ...ends.filter(Number.isFinite)));
}

/** @type {(change: FollowedChange) => Tone} quiet once it is no alert any more */
export function toneOfChange(change) {
  if (isAlert(change)) return 'bad';
  if (change.state === 'suspected') return 'doubtful';
  return change.state === 'open' ? 'good' : 'quiet';
}

/** @type {(change: FollowedChange) => Inline} `▲ open` */
export function badgeOfState(change) {
  const tone = toneOfChange(change);
  return {
    badge: {
      sign: signOf(change),
      tone: tone === 'quiet' ? 'plain' : tone,
      text: nameState(change),
    },
  };
}

/** @type {(change: FollowedChange) => string} */
function signOf(change) {
  if (change.state === 'suspected') return '?';
  if (change.state !== 'open') return '✓';
  return change.direction === 'slower' ? '▲' : '▼';
}

/** @type {(change: FollowedChange) => string} */
export function nameState({ state, direction, acknowledged }) {
  switch (state) {
    case 'open':
      return direction === 'slower' ? 'alert' : 'faster';
    case 'acknowledged':
      return acknowledged?.answer === 'wontfix' ? 'won’t fix' : 'expected';
    case 'suspected':
      return 'to be confirmed';
    default:
      return state;
  }
}

/** @type {(change: FollowedChange) => string} `+20 %`, `+5 % to +20 %` */
export function sizeOf({ cells }) {
  return formatChanges(cells.map(({ ratio }) => ratio.estimate));
}

/** @type {(change: FollowedChange, site: Site) => string} `serialize flat, deep`, `all 6` */
export function cellsOfChange({ cells }, { following }) {
  return describeCells(
    cells,
    following.cells.map((cell) => ({ ...cell, id: cell.cellId })),
  );
}

/** @type {(change: FollowedChange) => Inline} what follows its merge, if it may be at others too */
export function otherCommits({ commits }) {
  return commits === 1 ? '' : { tone: 'quiet', text: ` or ${commits - 1} before it` };
}

/** @type {(word: VerdictWord) => Inline} */
export function badgeOfVerdict(word) {
  const { sign, tone } = VERDICTS[word];
  return { badge: { sign, tone, text: word } };
}
