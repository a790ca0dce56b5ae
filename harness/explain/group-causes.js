import { findBuiltinWords } from './builtin-words.js';
import { selfSamples } from './compare-functions.js';
import { addSamples, compareSamples, excludesZero, meanOfSamples } from './compare-samples.js';

/** @import { Cause, Interval } from '../types.ts' */
/** @import { CauseGroup, PairedFunction, ScaledSides, Side } from './types.ts' */

/** A change below this share of the larger side gets no heading of its own. */
const MIN_SHARE = 0.01;
/** A function that sinks below this share of its usual self time in one process was inlined there, so
 * that its time is told under its caller. */
const INLINED_BELOW = 0.25;
/** Functions that the heading of own functions names on either side. */
const MAX_NAMES = 2;

const OWN = "the variants' own functions";
const OTHERS = Object.freeze({
  function: 'other functions',
  builtins: 'other builtins',
});

/**
 * Splits the difference by what is responsible. Every function belongs to one cause, so the changes
 * sum to the difference of the two levels.
 *
 * Functions in files that only one side runs stand against each other under one heading, with those
 * that only one side shows: the compiler may have inlined them into the former. Of the other
 * functions of JavaScript, those with a clear change stand alone.
 *
 * @param {ScaledSides} sides
 * @returns {CauseGroup[]} the largest change first
 */
export function groupCauses(sides) {
  const shared = listSharedFiles(sides.functions);
  /** @type {Map<string, { kind: CauseGroup['kind'], members: PairedFunction[] }>} */
  const headings = new Map();
  for (const pair of sides.functions) {
    const { name, kind } = findHeading(pair, shared);
    const heading = headings.get(name) ?? { kind, members: [] };
    headings.set(name, heading);
    heading.members.push(pair);
  }
  const groups = [...headings].map(([name, heading]) => makeGroup(name, heading, sides));
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
 * @param {PairedFunction} pair
 * @param {Set<string>} sharedFiles
 * @returns {{ name: string, kind: CauseGroup['kind'] }}
 */
function findHeading({ frame, baseline, candidate }, sharedFiles) {
  const { name, kind, file } = frame;
  if (kind === 'gc') return { name: 'garbage collection', kind: 'gc' };
  if (kind === 'builtin') return { name: findBuiltinWords(name) ?? name, kind: 'builtins' };
  if (kind === 'kernel') return { name: 'the operating system', kind: 'builtins' };
  if (kind === 'program') return { name: 'native code without a name', kind: 'builtins' };
  if (kind === 'native') return { name, kind: 'builtins' };
  const isOneSided = baseline === null || candidate === null;
  if (isOneSided || (file !== null && !sharedFiles.has(file))) return { name: OWN, kind: 'own' };
  return { name, kind: 'function' };
}

/**
 * @param {PairedFunction[]} functions
 * @returns {Set<string>} files of JavaScript that both sides run
 */
function listSharedFiles(functions) {
  /** @param {Side} side */
  const filesOf = (side) =>
    new Set(
      functions.flatMap((pair) => {
        const file = pair[side]?.frame.file ?? null;
        return pair.frame.kind === 'js' && file !== null ? [file] : [];
      }),
    );
  const candidate = filesOf('candidate');
  return new Set([...filesOf('baseline')].filter((file) => candidate.has(file)));
}

/**
 * @param {string} name
 * @param {Pick<CauseGroup, 'kind' | 'members'>} heading
 * @param {ScaledSides} sides
 * @returns {CauseGroup}
 */
function makeGroup(name, { kind, members }, { processes, timingError }) {
  /** @param {Side} side */
  const sumOf = (side) =>
    addSamples(
      members.map((pair) => selfSamples(pair, side, processes)),
      processes[side],
    );
  const samples = { baseline: sumOf('baseline'), candidate: sumOf('candidate') };
  return {
    name,
    kind,
    change: compareSamples(samples.baseline, samples.candidate, timingError),
    selfNs: {
      baseline: meanOfSamples(samples.baseline),
      candidate: meanOfSamples(samples.candidate),
    },
    members,
  };
}

/**
 * @param {CauseGroup} group
 * @param {ScaledSides} sides
 * @returns {boolean}
 */
function isWorthAHeading({ kind, change, members }, { levelNs }) {
  if (kind === 'gc' || kind === 'own') return true;
  const least = MIN_SHARE * Math.max(levelNs.baseline, levelNs.candidate);
  if (Math.abs(change.estimate) < least) return false;
  return kind === 'builtins' || (excludesZero(change) && members.every(isNeverInlined));
}

/**
 * @param {PairedFunction} pair
 * @returns {boolean} whether all processes of a side show about as much of it
 */
function isNeverInlined(pair) {
  return [pair.baseline, pair.candidate].every((side) => {
    const values = (side?.self ?? []).map(({ value }) => value);
    return Math.min(...values) >= INLINED_BELOW * Math.max(...values);
  });
}

/**
 * @param {CauseGroup[]} groups without a heading of their own
 * @param {ScaledSides} sides
 * @returns {CauseGroup[]}
 */
function gatherOthers(groups, sides) {
  return /** @type {const} */ (['function', 'builtins']).flatMap((kind) => {
    const members = groups.filter((group) => group.kind === kind).flatMap((group) => group.members);
    return members.length === 0
      ? []
      : [makeGroup(OTHERS[kind], { kind: /** @type {const} */ ('rest'), members }, sides)];
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
  return { ...group, name: `${OWN} (${names})` };
}

/**
 * @param {CauseGroup} group
 * @param {Side} side
 */
function nameHeaviest({ members }, side) {
  const found = listHeaviest(members, side).map(({ name }) => name);
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
