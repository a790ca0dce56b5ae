/** @import { JobVariant, ResolvedVariant } from './types.ts' */

/**
 * What a job says of the variant that its worker loads.
 *
 * @param {ResolvedVariant} variant
 * @returns {JobVariant}
 */
export function describeJobVariant({ spec, modulePath, settings }) {
  return { spec, modulePath, settings };
}

/**
 * Whether two specs load the same code: then neither can be faster, and one check serves both.
 *
 * @param {JobVariant} a
 * @param {JobVariant} b
 * @returns {boolean}
 */
export function loadsSameCode(a, b) {
  const names = Object.keys(a.settings);
  return (
    a.modulePath === b.modulePath &&
    names.length === Object.keys(b.settings).length &&
    names.every((name) => a.settings[name] === b.settings[name])
  );
}
