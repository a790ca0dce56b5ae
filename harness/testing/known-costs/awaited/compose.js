/**
 * @param {typeof import('./variants/costs.js')} module
 * @param {Record<string, string>} settings
 */
export function composeVariant(module, settings) {
  const entries = Object.entries(settings).map(([axis, value]) => [axis, Number(value)]);
  return { ...module, call: module.openCall({ ...module.NONE, ...Object.fromEntries(entries) }) };
}
