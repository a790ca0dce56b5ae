import { UsageError } from '../../lib/errors.js';
import { parseVariantSpec } from '../../variants/parse-variant-spec.js';

/** @import { Cell } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { CompareOptions } from '../../cli/commands/compare.js' */

/**
 * Refuses `--node` beside a side that has a Node of its own.
 *
 * @param {string[]} specs
 * @throws {UsageError} when one is pinned to a Node
 */
export function refusePins(specs) {
  const pinned = specs.find((spec) => parseVariantSpec(spec).node !== null);
  if (pinned === undefined) return;
  throw new UsageError(`'${pinned}' is pinned to a Node, and --node asks for both sides`, {
    remedy: 'leave out --node, or @node= of both variants',
  });
}

/**
 * Refuses `--build` where no side is built.
 *
 * @param {string[]} specs
 * @throws {UsageError} when there is nothing to build
 */
export function requireRevision(specs) {
  if (specs.some((spec) => parseVariantSpec(spec).kind === 'git')) return;
  throw new UsageError(`--build is for git: variants, and here is none: ${specs.join(', ')}`, {
    remedy: 'leave it out; path: takes a directory that you built',
  });
}

/**
 * What documents retain is a property of variant and corpus, which has no place for a Node of its own.
 *
 * @param {Cell[]} cells
 * @throws {UsageError} when they are of several Nodes
 */
export function requireOneNode(cells) {
  const nodes = new Set(cells.map(({ node }) => node));
  if (nodes.size === 1) return;
  throw new UsageError(`memory is compared under one Node, and --node names ${nodes.size}`, {
    remedy: `make a run of each: --node ${[...nodes][0]}`,
  });
}

/**
 * Refuses what is said to Node where a program of the family's own measures.
 *
 * @param {Pick<FoundFamily, 'name'>} family
 * @param {Pick<CompareOptions, 'node' | 'nodeFlag' | 'screen'>} options
 * @throws {UsageError} when there is such an option
 */
export function refuseNodeOptions({ name }, { node, nodeFlag, screen }) {
  const asked = Object.entries({ '--node': node, '--node-flag': nodeFlag, '--screen': screen });
  const option = asked.find(([, value]) => value !== undefined)?.[0];
  if (option === undefined) return;
  throw new UsageError(`${option} is for Node, and ${name} is measured by a program of its own`, {
    remedy: 'leave it out',
  });
}
