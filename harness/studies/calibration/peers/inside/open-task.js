import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';

/** @import { InsideTask, PeerArm } from '../types.ts' */

/**
 * Reads the task of a script, and loads the tool.
 * @type {() => Promise<{ task: InsideTask, tool: any }>}
 */
export async function openTask() {
  /** @type {InsideTask} */
  const task = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  return { task, tool: task.toolUrl === undefined ? null : await import(task.toolUrl) };
}

/**
 * Loads both arms with separate modules, in the order in which they are given to the tool.
 * @type {(task: InsideTask) => Promise<{ name: PeerArm, runOnce: () => void }[]>}
 */
export async function loadArms(task) {
  register('./separate-arms.js', import.meta.url);
  const arms = [];
  for (const name of task.order) arms.push({ name, runOnce: await loadOwn(task, name) });
  return arms;
}

/** @type {(task: InsideTask, arm: PeerArm) => Promise<() => void>} */
async function loadOwn(task, arm) {
  const { loadArm } = await import(`./load-arm.js?arm=${arm}`);
  return loadArm(task, arm);
}

/**
 * @param {InsideTask} task
 * @param {unknown} figures
 */
export function writeFigures({ outputPath }, figures) {
  writeFileSync(outputPath, JSON.stringify(figures));
}
