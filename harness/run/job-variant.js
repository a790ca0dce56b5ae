/** @import { Cell, JobVariant, ResolvedVariant } from '../formats/types.ts' */

/**
 * What a job says of the variant that its worker loads.
 *
 * @param {ResolvedVariant} variant
 * @returns {JobVariant}
 */
export function describeJobVariant({ spec, modulePath, settings, buildPath, program }) {
  return {
    spec,
    modulePath,
    settings,
    ...(buildPath === undefined ? {} : { buildPath }),
    ...(program === undefined ? {} : { program }),
  };
}

/**
 * The Node that a variant is run under: its own where it is pinned to one, else that of the cell.
 *
 * @param {Pick<ResolvedVariant, 'node'>} variant
 * @param {{ node?: string | undefined }} [cell]
 * @returns {string | undefined} exact version; none for the Node that runs Assay
 */
export function chooseNode(variant, cell) {
  return variant.node ?? cell?.node;
}

/**
 * What a job says of the Node that its worker must run under.
 *
 * @param {Parameters<typeof chooseNode>} sides
 * @returns {Pick<Cell, 'node'>} nothing where it is the one that runs Assay
 */
export function describeJobNode(...sides) {
  const node = chooseNode(...sides);
  return node === undefined ? {} : { node };
}

/**
 * Whether two specs load the same code: under the same Node one check serves both.
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
