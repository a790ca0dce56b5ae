/**
 * @param {typeof import('./variants/costs.js')} module
 * @param {Record<string, string>} settings
 */
export function composeVariant(module, { rounds = '1', hops = '0', turns = '0', timers = '0' }) {
  const costs = { rounds: +rounds, hops: +hops, turns: +turns, timers: +timers };
  return { ...module, call: module.openCall(costs) };
}
