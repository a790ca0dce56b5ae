/** Allocates the time budget of a reproduction to its comparisons. */

import { sumOf } from '../../stats/means.js';
import { hasSmallDifference } from './claims.js';

/** @import { ClaimGroup } from './claims.js' */

/** Approximate time of a group apart from timing: the correctness gate, and the memory pass, which no budget
 * limits. Measured with the claims of js-bson on two cores. */
const GATE_MS = 1_500;
const GATE_MS_PER_CELL = 300;
const MEMORY_MS = 120_000;
/** Approximate maximum of a timed cell: 96 processes per variant. */
const LONGEST_CELL_MS = 70_000;
const LEAST_MS = 1_000;
/** Default time of a timed cell: about 40 processes per variant. Those with a wide tolerance need half as many, those
 * with a narrow one more (decision 0026). */
const USUAL_CELL_MS = 21_000;
/** Duration of a process of such a cell. A family with longer processes gets proportionally more. */
const USUAL_PROCESS_MS = 250;
/** A cell with a small claimed difference counts as so many cells, since it takes more processes. */
const SMALL_WEIGHT = 2;

/**
 * Orders groups for measuring. Those with a small difference come last, because they get the time that the
 * others leave.
 * @type {(groups: ClaimGroup[]) => ClaimGroup[]}
 */
export function orderGroups(groups) {
  return [...groups.filter((group) => !isSmall(group)), ...groups.filter(isSmall)];
}

/**
 * Allocates a part of the remaining time to the next group, by the weight of its timed cells, after what
 * the following groups need apart from timing. Time that a group does not use is left to the others.
 *
 * @param {number} leftMs
 * @param {ClaimGroup[]} groups the next one and the following
 * @returns {number | null} seconds; null if nothing is timed
 */
export function allocateBudget(leftMs, groups) {
  const [next] = groups;
  if (next === undefined || next.kind !== 'time') return null;
  // However short the time, half of it is for timing.
  const timedMs = Math.max(leftMs / 2, leftMs - sumOf(groups.map(estimateUntimedMs)));
  const share = weighTimedCells(next) / sumOf(groups.map(weighTimedCells));
  return Math.max(LEAST_MS, timedMs * share) / 1000;
}

/**
 * The default budget.
 *
 * @param {ClaimGroup[]} groups
 * @returns {number} milliseconds
 */
export function chooseBudgetMs(groups) {
  const timedMs = sumOf(groups.map(weighTimedCells)) * USUAL_CELL_MS;
  return sumOf(groups.map(estimateUntimedMs)) + Math.max(timedMs, LONGEST_CELL_MS);
}

/**
 * @param {ClaimGroup[]} groups
 * @param {number} budgetMs
 * @returns {number} the most milliseconds that they take, without installing packages
 */
export function estimateLongestMs(groups, budgetMs) {
  const untimedMs = sumOf(groups.map(estimateUntimedMs));
  const timedMs = sumOf(groups.map(weighTimedCells)) * LONGEST_CELL_MS;
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

/**
 * How much longer a process of a family takes than one that runs JavaScript.
 *
 * @param {Pick<ClaimGroup, 'processMs'>} family
 */
export function stretch({ processMs = USUAL_PROCESS_MS }) {
  return processMs / USUAL_PROCESS_MS;
}

/** @param {ClaimGroup} group */
function isSmall({ kind, claims }) {
  return kind === 'time' && hasSmallDifference(claims);
}

/** @param {ClaimGroup} group */
function countCells({ claims }) {
  return new Set(claims.map(({ operation, corpus }) => `${operation} ${corpus}`)).size;
}
