/**
 * Years of a followed branch. A year of thousands of merges of many cells takes too long to simulate, so its parts are simulated by the
 * real rule: merges that change nothing, merges that do, and series of points. `harness/stats/alarms.js` puts years together.
 */

import { isAlert, isConfirmed } from '../../stats/alarms.js';
import { drawIndex, seedGenerator } from '../../stats/random.js';
import { isDirection } from '../../stats/verdicts.js';
import { readFollowing } from '../follow/following.js';
import { openBranch } from './branch.js';
import { BUSY, SPREADS, makeCells, plant } from './scenarios/continuous.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { FollowedPurpose, YearHost, YearPart, YearResult } from '../../formats/types.ts' */
/** @import { FollowState } from '../follow/follow.js' */
/** @import { BranchTruth } from './branch.js' */
/** @import { Planted } from './scenarios/continuous.js' */

/** The cells, and where they are measured. @type {Record<YearHost, { spreads: readonly number[], busy: number }>} */
const HOSTS = {
  differing: { spreads: SPREADS, busy: BUSY },
  calm: { spreads: [0.005], busy: 0 },
};
/** Levels at which false confirmations happen often enough to be counted, and how often the suspicions of a merge are confirmed. */
const COUNTED = [
  { level: 0.05, repeats: 1 },
  { level: 0.01, repeats: 2 },
  { level: 0.002, repeats: 5 },
];
/** Merges before a change and after it, in which a drift may be seen. */
const BEFORE = 12;
const AFTER = 30;
const SIZES = [0.03, 0.05, 0.08, 0.1, 0.2];

/**
 * @param {number} runs merges of six cells that change nothing; the others are fewer, by what they cost
 * @returns {YearPart[]} in the order in which they are simulated
 */
export function listParts(runs) {
  const count = (/** @type {number} */ share) => Math.max(1, Math.round(share * runs));
  /** @type {(host: YearHost, cells: number, share: number, levels: number[]) => YearPart[]} */
  const listChanged = (host, cells, share, levels) =>
    SIZES.flatMap((size) =>
      [1, 3].map((changed) => ({
        ...{ kind: /** @type {const} */ ('changed'), host, cells, size, changed, levels },
        count: count(share),
      })),
    );
  return [
    { kind: 'unchanged', host: 'differing', cells: 6, count: count(1.5) },
    { kind: 'unchanged', host: 'differing', cells: 60, count: count(0.1) },
    { kind: 'unchanged', host: 'differing', cells: 200, count: count(0.03) },
    { kind: 'unchanged', host: 'calm', cells: 6, count: count(0.6) },
    { kind: 'unchanged', host: 'calm', cells: 60, count: count(0.15) },
    { kind: 'unchanged', host: 'calm', cells: 200, count: count(0.05) },
    { kind: 'series', host: 'differing', cells: 6, points: 200, count: count(0.02) },
    { kind: 'series', host: 'calm', cells: 6, points: 200, count: count(0.02) },
    { kind: 'series', host: 'differing', cells: 60, points: 100, count: count(0.005) },
    ...listChanged('differing', 6, 0.1, [0.04, 0.018, 1.8e-3]),
    ...listChanged('differing', 60, 0.04, [1.6e-3, 1.6e-4, 1.6e-5]),
    ...listChanged('differing', 200, 0.012, [8e-4, 8e-5, 8e-6]),
    ...listChanged('calm', 6, 0.06, [0.04, 0.015]),
    ...listChanged('calm', 60, 0.03, [0.01, 7e-3, 2e-5]),
    ...SIZES.map((size) => ({
      ...{ kind: /** @type {const} */ ('delay'), host: /** @type {const} */ ('differing') },
      ...{ cells: 6, size, changed: 1, levels: [0.018], mergesPerNight: 3, count: count(0.06) },
    })),
  ];
}

/** @type {(part: YearPart) => string} unique: `unchanged: differing, 6 cells` */
export function nameOfPart({ kind, host, cells, size, changed }) {
  const change = size === undefined ? '' : `, ${changed} × ${size}`;
  return `${kind}: ${host}, ${cells} cells${change}`;
}

/**
 * @param {YearPart} part
 * @param {number} seed equal seeds give equal results, whatever other parts are simulated
 * @returns {YearResult}
 */
export function playPart(part, seed) {
  const random = seedGenerator(seed);
  const { size = 0, changed = 0, levels = [], points = 0, mergesPerNight = 1 } = part;
  switch (part.kind) {
    case 'unchanged':
      return playUnchanged(part, random);
    case 'series':
      return playSeries({ ...part, points }, random);
    case 'changed':
      return playChanged({ ...part, size, changed, levels }, random);
    case 'delay':
      return playDelay({ ...part, size, changed, mergesPerNight, level: levels[0] }, random);
  }
}

/** @typedef {{ host: YearHost, cells: number, count: number }} Sampled */

/** @type {(of: Sampled, planted: Planted[]) => BranchTruth} */
function describeTruth({ host, cells }, planted) {
  const { spreads, busy } = HOSTS[host];
  return { ...plant(makeCells(cells, spreads), planted), busy };
}

/** @type {(state: FollowState, purpose: FollowedPurpose) => FollowState['records']} */
function listOf({ records }, purpose) {
  return records.filter(({ followed }) => followed.purpose === purpose);
}

/** @type {(state: FollowState) => boolean} */
function hasAlert({ records }) {
  return readFollowing(records)?.changes.some((one) => isConfirmed(one) && isAlert(one)) === true;
}

/** @type {(state: FollowState, level: number) => FollowState} before anything was confirmed */
function forgetConfirmations(state, level) {
  const records = state.records.filter(({ followed }) => followed.purpose !== 'confirmation');
  return { ...state, level, records };
}

/**
 * Merges that change nothing, each of a branch of its own, with a night after it.
 *
 * @param {Sampled} part
 * @param {RandomGenerator} random
 * @returns {YearResult}
 */
function playUnchanged(part, random) {
  /** @type {number[]} */
  const suspected = [];
  /** @type {number[]} */
  const confirmations = [];
  const levels = COUNTED.map(({ level }) => ({ level, confirmations: 0, alerts: 0 }));
  for (let merge = 0; merge < part.count; merge++) {
    const { start, push } = openBranch(describeTruth(part, []), random);
    const measured = push({ ...push(start(COUNTED[0].level), 1), isNightly: true }, 1);
    const [{ cells }] = listOf(measured, 'merge');
    suspected.push(cells.filter(({ verdict }) => isDirection(verdict)).length);
    const { length } = listOf(measured, 'confirmation');
    confirmations.push(length);
    for (const [index, { level, repeats }] of COUNTED.entries()) {
      for (let repeat = 0; length > 0 && repeat < repeats; repeat++) {
        const again = () => push(forgetConfirmations(measured, level), 0);
        const now = index === 0 ? measured : again();
        levels[index].confirmations += listOf(now, 'confirmation').length;
        levels[index].alerts += hasAlert(now) ? 1 : 0;
      }
    }
  }
  return { suspected, confirmations, levels };
}

/**
 * Series of points of merges that change nothing and are not compared themselves.
 *
 * @param {Sampled & { points: number }} part
 * @param {RandomGenerator} random
 * @returns {YearResult}
 */
function playSeries({ points, ...part }, random) {
  const found = { level: COUNTED[0].level, confirmations: 0, alerts: 0 };
  const isSettled = (/** @type {number} */ before, /** @type {number} */ after) =>
    before >= 0 && after === before + 1;
  for (let series = 0; series < part.count; series++) {
    const { start, push } = openBranch({ ...describeTruth(part, []), isSettled }, random);
    const state = Array(points).fill(1).reduce(push, start(found.level));
    found.confirmations += listOf(state, 'confirmation').length;
    found.alerts += hasAlert(state) ? 1 : 0;
  }
  return { levels: [found] };
}

/** @typedef {Sampled & { size: number, changed: number }} Changed `size`: a share; `changed`: cells that it makes slower */

/** @type {(commit: number, one: number, of: Changed) => Planted} other cells in every try */
function plantAt(commit, one, { cells, size, changed }) {
  const indices = Array.from({ length: changed }, (_, index) => (one + index) % cells);
  return { commit, ratios: Object.fromEntries(indices.map((index) => [index, 1 + size])) };
}

/**
 * Merges that make some cells slower, each of a branch of its own.
 *
 * @param {Changed & { levels: number[] }} part
 * @param {RandomGenerator} random
 * @returns {YearResult}
 */
function playChanged({ levels, ...part }, random) {
  const found = levels.map((level) => ({ level, atMerge: 0, byNight: 0 }));
  for (let one = 0; one < part.count; one++) {
    const { start, push } = openBranch(describeTruth(part, [plantAt(1, one, part)]), random);
    const measured = push(push(start(levels[0]), 1), 1);
    const later = push({ ...measured, isNightly: true }, 0);
    for (const each of found) {
      const isFound = (/** @type {FollowState} */ state) =>
        hasAlert(each === found[0] ? state : push(forgetConfirmations(state, each.level), 0));
      const isAtMerge = isFound(measured);
      each.atMerge += isAtMerge ? 1 : 0;
      each.byNight += isAtMerge || isFound(later) ? 1 : 0;
    }
  }
  return { found };
}

/**
 * A change among merges that change nothing, of which only the points are measured: how many pass until it is an alert.
 *
 * @param {Changed & { level: number, mergesPerNight: number }} part
 * @param {RandomGenerator} random
 * @returns {YearResult}
 */
function playDelay({ level, mergesPerNight, ...part }, random) {
  const isSettled = (/** @type {number} */ before, /** @type {number} */ after) =>
    before >= 0 && after === before + 1 && after !== BEFORE;
  const delays = Array.from({ length: part.count }, (_, one) => {
    const truth = describeTruth(part, [plantAt(BEFORE, one, part)]);
    const { start, push } = openBranch({ ...truth, isSettled }, random);
    const night = drawIndex(random, mergesPerNight);
    let state = Array(BEFORE).fill(1).reduce(push, start(level));
    for (let later = 0; later <= AFTER; later++) {
      const isNightly = later % mergesPerNight === night;
      state = push({ ...state, isNightly }, 1);
      if (hasAlert(state)) return later;
    }
    return null;
  });
  return { delays };
}
