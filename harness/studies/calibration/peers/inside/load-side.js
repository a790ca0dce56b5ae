import { pathToFileURL } from 'node:url';

/** @import { InsideTask, Side } from '../types.ts' */

/**
 * What is given to a tool: a function that makes one pass over the corpus, of one document one call.
 * This module is loaded once for each side, so that the functions of both are two in the eyes of V8
 * too, as are two arrow functions that a user writes one below the other.
 *
 * @param {InsideTask} task
 * @param {Side} side
 * @returns {Promise<() => void>}
 */
export async function loadSide({ familyPath, operation: name, corpus, variants }, side) {
  const { modulePath, settings } = variants[side];
  const module = await import(pathToFileURL(modulePath).href);
  const { composeVariant } = await import(pathToFileURL(`${familyPath}/compose.js`).href);
  const { operation } = await import(pathToFileURL(`${familyPath}/operations/${name}.js`).href);
  const variant = Object.keys(settings).length === 0 ? module : composeVariant(module, settings);
  const state = await operation.prepare(await variant, corpus);
  return function runOnce() {
    operation.run(state, 1);
  };
}
