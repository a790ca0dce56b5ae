/** How the time for all claims is shared among the comparisons that they need. */

/** @import { ClaimGroup } from './claims.js' */

import { holdSmallDifference } from './claims.js';

/** Roughly what a group takes besides timing: the gate, and a pass over memory, which no budget
 * cuts short. Measured with the claims of js-bson on two cores. */
const GATE_MS = 1_500;
const GATE_MS_PER_CELL = 300;
const MEMORY_MS = 60_000;
/** Roughly what a timed cell takes at most: 96 processes of each of three arms. */
const LONGEST_CELL_MS = 90_000;
const LEAST_MS = 1_000;
/** What a timed cell gets on average where the user names no time: most are settled sooner. */
const USUAL_CELL_MS = 19_000;
/** How long a process of such a cell lives. A family whose processes live longer gets as much more. */
const USUAL_PROCESS_MS = 250;
/** A small difference takes more processes, which count as so many cells. */
const SMALL_WEIGHT = 2;

/**
 * Groups in the order in which they are best measured: those that hold a small difference come last,
 * since what the others do not need goes to them.
 *
 * @param {ClaimGroup[]} groups
 * @returns {ClaimGroup[]}
 */
export function orderGroups(groups) {
  return [...groups.filter((group) => !isSmall(group)), ...groups.filter(isSmall)];
}

/**
 * The part of the time that the next group gets, by the weight of its timed cells, after what those
 * that follow need besides timing: what one does not use goes to those after it.
 *
 * @param {number} leftMs
 * @param {ClaimGroup[]} groups the next one and those after it
 * @returns {number | null} seconds; null where nothing is timed
 */
export function shareBudget(leftMs, groups) {
  const [next] = groups;
  if (next === undefined || next.kind !== 'time') return null;
  // However short the time, half of it is for timing.
  const timedMs = Math.max(leftMs / 2, leftMs - sum(groups.map(estimateUntimedMs)));
  const share = weighTimedCells(next) / sum(groups.map(weighTimedCells));
  return Math.max(LEAST_MS, timedMs * share) / 1000;
}

/**
 * The time for all of it where the user names none.
 *
 * @param {ClaimGroup[]} groups
 * @returns {number} milliseconds
 */
export function chooseBudgetMs(groups) {
  const timedMs = sum(groups.map(weighTimedCells)) * USUAL_CELL_MS;
  return sum(groups.map(estimateUntimedMs)) + Math.max(timedMs, LONGEST_CELL_MS);
}

/**
 * @param {ClaimGroup[]} groups
 * @param {number} budgetMs
 * @returns {number} milliseconds after which they are through at the latest, packages apart
 */
export function estimateLongestMs(groups, budgetMs) {
  const untimedMs = sum(groups.map(estimateUntimedMs));
  const timedMs = sum(groups.map(weighTimedCells)) * LONGEST_CELL_MS;
  const leastMs = untimedMs + groups.length * LEAST_MS;
  return Math.max(leastMs, Math.min(budgetMs, untimedMs + timedMs));
}

/** @param {ClaimGroup} group */
function estimateUntimedMs(group) {
  const gateMs = GATE_MS + GATE_MS_PER_CELL * countCells(group);
  return (group.kind === 'memory' ? gateMs + MEMORY_MS : gateMs) * stretch(group);
}

/** @param {ClaimGroup} group */
function countTimedCells(group) {
  return group.kind === 'time' ? countCells(group) : 0;
}

/** @param {ClaimGroup} group */
function weighTimedCells(group) {
  return countTimedCells(group) * (isSmall(group) ? SMALL_WEIGHT : 1) * stretch(group);
}

/** @param {ClaimGroup} group */
function stretch({ processMs = USUAL_PROCESS_MS }) {
  return processMs / USUAL_PROCESS_MS;
}

/** @param {ClaimGroup} group */
function isSmall({ kind, claims }) {
  return kind === 'time' && holdSmallDifference(claims);
}

/** @param {ClaimGroup} group */
function countCells({ claims }) {
  return new Set(claims.map(({ operation, corpus }) => `${operation} ${corpus}`)).size;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
