/** @import { Question, ReplayRecord } from '../../formats/types.ts' */

/**
 * The question of a report as it is asked again: same cells, seed, looks and flags; nothing is
 * profiled, memory is left out, and a part of a plan stands for itself.
 *
 * @param {Pick<ReplayRecord, 'question'>} record checked
 * @param {Record<'baseline' | 'candidate', string>} specs that may be loaded here
 * @param {object} choices
 * @param {string | null} choices.node for cells that name none
 * @param {boolean} choices.allowsBuild whether the build command of the report may run
 * @param {number | null} choices.budgetSeconds null for that of the report
 * @param {boolean} [choices.sandbox] whether workers run in one
 * @returns {Question}
 */
export function makeReplayQuestion({ question }, specs, choices) {
  const { node, allowsBuild, budgetSeconds, sandbox = false } = choices;
  const { family, cells, minimumEffect, alpha, looks, seed, mode } = question;
  const { nodeFlags, acceptedRows, build, boundary, layouts } = question;
  return {
    family,
    ...specs,
    cells: cells.map((cell) =>
      node === null || cell.node !== undefined ? cell : { ...cell, node },
    ),
    minimumEffect,
    alpha,
    looks,
    budgetSeconds: budgetSeconds ?? question.budgetSeconds,
    seed,
    mode,
    ...(layouts === undefined ? {} : { layouts }),
    nodeFlags,
    memory: 'none',
    acceptedRows,
    explain: 'none',
    recorders: [],
    ...(allowsBuild && build !== undefined ? { build } : {}),
    ...(boundary === undefined ? {} : { boundary }),
    ...(sandbox ? { sandbox } : {}),
  };
}
