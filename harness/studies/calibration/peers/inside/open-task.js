import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';

/** @import { InsideTask, Side } from '../types.ts' */

/**
 * Reads the task of a script, and loads the tool.
 *
 * @returns {Promise<{ task: InsideTask, tool: any }>}
 */
export async function openTask() {
  /** @type {InsideTask} */
  const task = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  return { task, tool: task.toolUrl === undefined ? null : await import(task.toolUrl) };
}

/**
 * Loads both arms with separate modules, in the order in which they are given to the tool.
 *
 * @param {InsideTask} task
 * @returns {Promise<{ name: Side, runOnce: () => void }[]>}
 */
export async function loadSides(task) {
  register('./separate-sides.js', import.meta.url);
  const sides = [];
  for (const name of task.order) sides.push({ name, runOnce: await loadOwn(task, name) });
  return sides;
}

/**
 * @param {InsideTask} task
 * @param {Side} side
 * @returns {Promise<() => void>}
 */
async function loadOwn(task, side) {
  const { loadSide } = await import(`./load-side.js?side=${side}`);
  return loadSide(task, side);
}

/**
 * @param {InsideTask} task
 * @param {unknown} figures
 */
export function writeFigures({ outputPath }, figures) {
  writeFileSync(outputPath, JSON.stringify(figures));
}
