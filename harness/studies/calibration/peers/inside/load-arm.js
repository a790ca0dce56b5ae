import { pathToFileURL } from 'node:url';
import { listEquipment } from '../../../../worker/equipment.js';

/** @import { InsideTask, PeerArm } from '../types.ts' */

/**
 * Loads an arm as the function that a tool measures: one pass over the corpus. This module is loaded once per
 * arm, so that V8 sees two functions, as if a user had written two arrow functions.
 * @type {(task: InsideTask, arm: PeerArm) => Promise<() => void>}
 */
export async function loadArm({ familyPath, operation: name, corpus, variants }, arm) {
  const { modulePath, patchedPath = familyPath, settings } = variants[arm];
  const module = await import(pathToFileURL(modulePath).href);
  const { composeVariant } = await import(pathToFileURL(`${patchedPath}/compose.js`).href);
  const { operation } = await import(pathToFileURL(`${familyPath}/operations/${name}.js`).href);
  const variant = Object.keys(settings).length === 0 ? module : composeVariant(module, settings);
  const state = await operation.prepare(await variant, corpus, listEquipment({}));
  return function runOnce() {
    operation.run(state, 1);
  };
}
