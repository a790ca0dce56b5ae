import { selfSamples } from './functions.js';
import { addSamples, compareSamples, excludesZero, meanOfSamples } from './samples.js';
import { OWN, isInlinedAtTimes, sortIntoHeadings } from './headings.js';

/** @import { Cause, Interval } from '../../formats/types.ts' */
/** @import { CauseGroup, PairedFunction, ScaledSides, Side } from './types.ts' */
/** @import { Heading } from './headings.js' */

/** A change below this share of the larger side gets no heading of its own. */
const MIN_SHARE = 0.01;
/** Functions that the heading of own functions names on either side. */
const MAX_NAMES = 2;

const OTHERS = Object.freeze({
  function: 'other functions (small or unclear)',
  builtins: 'other builtins (small or unclear)',
});

/**
 * Splits the difference by what is responsible. Every function belongs to one cause, so the changes
 * sum to the difference of the two levels. Headings with little under them are gathered.
 *
 * @param {ScaledSides} sides
 * @returns {CauseGroup[]} the largest change first
 */
export function groupCauses(sides) {
  const groups = sortIntoHeadings(sides).map((heading) => makeGroup(heading, sides));
  const kept = groups.filter((group) => isWorthAHeading(group, sides));
  const others = groups.filter((group) => !kept.includes(group));
  return [...kept.map(nameOwnFunctions), ...gatherOthers(others, sides)].sort(
    (one, two) => Math.abs(two.change.estimate) - Math.abs(one.change.estimate),
  );
}

/**
 * @param {CauseGroup[]} groups
 * @param {Interval | null} measured the difference that they share out
 * @returns {Cause[]}
 */
export function describeCauses(groups, measured) {
  const isShared = measured !== null && excludesZero(measured);
  return groups.map(({ name, change }) => ({
    name,
    change,
    share: isShared ? change.estimate / measured.estimate : null,
  }));
}

/**
 * @param {Heading} heading
 * @param {ScaledSides} sides
 * @returns {CauseGroup}
 */
function makeGroup({ label, kind, members, named }, { processes, timingError }) {
  /** @param {Side} side */
  const sumOf = (side) =>
    addSamples(
      members.map((pair) => selfSamples(pair, side, processes)),
      processes[side],
    );
  const samples = { baseline: sumOf('baseline'), candidate: sumOf('candidate') };
  return {
    name: label,
    label,
    kind,
    change: compareSamples(samples.baseline, samples.candidate, timingError),
    selfNs: {
      baseline: meanOfSamples(samples.baseline),
      candidate: meanOfSamples(samples.candidate),
    },
    members,
    named,
  };
}

/**
 * @param {CauseGroup} group
 * @param {ScaledSides} sides
 * @returns {boolean}
 */
function isWorthAHeading({ label, kind, change, members }, { levelNs }) {
  if (kind === 'gc' || label === OWN) return true;
  const least = MIN_SHARE * Math.max(levelNs.baseline, levelNs.candidate);
  if (Math.abs(change.estimate) < least) return false;
  if (kind === 'builtins') return true;
  return excludesZero(change) && (kind !== 'function' || !members.some(isInlinedAtTimes));
}

/**
 * @param {CauseGroup[]} groups without a heading of their own
 * @param {ScaledSides} sides
 * @returns {CauseGroup[]}
 */
function gatherOthers(groups, sides) {
  return /** @type {const} */ (['function', 'builtins']).flatMap((kind) => {
    const members = groups
      .filter((group) => (group.kind === 'builtins') === (kind === 'builtins'))
      .flatMap((group) => group.members);
    return members.length === 0
      ? []
      : [makeGroup({ label: OTHERS[kind], kind: 'rest', members, named: [] }, sides)];
  });
}

/**
 * Adds to the heading of own functions which they are.
 *
 * @param {CauseGroup} group
 * @returns {CauseGroup}
 */
function nameOwnFunctions(group) {
  if (group.kind !== 'own') return group;
  const [before, after] = [nameHeaviest(group, 'baseline'), nameHeaviest(group, 'candidate')];
  const names = [before, after].map((list) => (list === '' ? 'none' : list)).join(' → ');
  return { ...group, name: `${group.label} (${names})` };
}

/**
 * @param {CauseGroup} group
 * @param {Side} side
 */
function nameHeaviest({ named }, side) {
  const found = listHeaviest(named, side).map(({ name }) => name);
  return found.length > MAX_NAMES
    ? [...found.slice(0, MAX_NAMES), '…'].join(', ')
    : found.join(', ');
}

/**
 * @param {PairedFunction[]} members
 * @param {Side} side
 * @returns {{ name: string, selfNs: number }[]} with the most self time first
 */
export function listHeaviest(members, side) {
  return members
    .flatMap((pair) => {
      const one = pair[side];
      return one === null ? [] : [{ name: one.frame.name, selfNs: meanOfSamples(one.self) }];
    })
    .filter(({ selfNs }) => selfNs > 0)
    .sort((one, two) => two.selfNs - one.selfNs);
}
