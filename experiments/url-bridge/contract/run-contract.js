import { satisfies } from 'semver';
import { runThemes } from '../../support/contract.js';
import { CONTRACT } from './table.js';

/** @import { ContractRow } from '../../../harness/formats/types.ts' */
/** @import { BoundVariant } from '../bridge/types.ts' */

/**
 * A variant as `compose.js` returns it; `adaVersion` if its parser is known.
 *
 * @typedef {Pick<BoundVariant, 'URL'> & { adaVersion?: string }} Subject
 */

/**
 * Rows that versions of Ada, and Node's parser before it (`0.0.0`), break. Tested versions: 1.0.1,
 * 1.0.4, 2.0.0, 2.7.4, 2.9.0 and later.
 */
const OF_PARSERS = [
  {
    row: 'upper-case-z',
    versions: '>=1.0.1 <2.0.1',
    reason: 'Ada 1.0.1 to 2.0.0 (Node 19.7 to 20.0) does not lower-case Z',
  },
  {
    row: 'ipv4-range',
    versions: '>=1.0.1 <2.9.0',
    reason: 'Ada before 2.9 accepts 256 as the last number of an address',
  },
  {
    row: 'full-width-ipv4',
    versions: '>=2.0.0 <2.9.0',
    reason: 'Ada from 2.0 to before 2.9 loses the host',
  },
  {
    row: 'ipv6-zone',
    versions: '<1.0.0',
    reason: "Node's parser before Ada drops the zone",
  },
  {
    row: 'single-number-host',
    versions: '<1.0.0',
    reason: "Node's parser before Ada treats 0 as a name",
  },
];

const OF_PACKAGES = {
  'invalid-url-error': 'the npm package whatwg-url gives its TypeError no code',
};

/**
 * @param {Subject} subject
 * @returns {Record<string, string>} reasons by row of the contract
 */
export function findKnownDifferences({ adaVersion }) {
  if (adaVersion === undefined) return OF_PACKAGES;
  const known = OF_PARSERS.filter(({ versions }) => satisfies(adaVersion, versions));
  return Object.fromEntries(known.map(({ row, reason }) => [row, reason]));
}

/**
 * Checks a variant against the behaviour contract. A row that breaks fails unless the variant's
 * parser is known to break it.
 *
 * @param {Subject} subject
 * @returns {Promise<ContractRow[]>} empty for a lower bound, which has no URL class
 */
export async function runContract(subject) {
  if (subject.URL === undefined) return [];
  return runThemes(CONTRACT, [subject.URL], { possible: findKnownDifferences(subject) });
}
