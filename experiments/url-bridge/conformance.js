import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { listRows, runThemes } from '../support/contract.js';
import { CONTRACT } from './contract.js';
import { constructUrl } from './operations/support/construct.js';
import { PART_NAMES, describeUrl, explainUrlDifference } from './operations/support/urls.js';

/** @import { ConformanceFailure, ConformanceJob, ContractRow } from '../../harness/formats/types.ts' */
/** @import { BoundVariant, Parts, UrlClass } from './bridge/types.ts' */

/** Names for `--accept`. */
export const rows = listRows(CONTRACT);

/**
 * Checks a variant against the behaviour contract and, for `just check VARIANT`, against the vectors.
 * A lower bound passes both, because it has no URL class.
 * @param {Subject} subject
 * @param {{ spec: string, modulePath: string, parts: ConformanceJob['parts'] }} job
 * @returns {Promise<{ passed: number, failures: ConformanceFailure[], contract: ContractRow[] }>}
 */
export async function runConformance(subject, { parts }) {
  const contract = await runContract(subject);
  if (parts === 'contract' || subject.URL === undefined) {
    return { passed: 0, failures: [], contract };
  }
  return { ...(await runVectors(subject.URL, findKnownDifferences(subject))), contract };
}

/**
 * A variant as `compose.js` returns it; `adaVersion` if its parser is known.
 * @typedef {Pick<BoundVariant, 'URL'> & { adaVersion?: string }} Subject
 */

/**
 * Rows that versions of Ada, and Node's parser before it (`0.0.0`), break. Checked with 1.0.1, 1.0.4,
 * 2.0.0, 2.7.4, 2.9.0 and later.
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

/** @type {(subject: Subject) => Record<string, string>} reasons by row of the contract */
function findKnownDifferences({ adaVersion }) {
  if (adaVersion === undefined) return OF_PACKAGES;
  const known = OF_PARSERS.filter(({ versions }) => satisfies(adaVersion, versions));
  return Object.fromEntries(known.map(({ row, reason }) => [row, reason]));
}

/**
 * Checks a variant against the behaviour contract. A row that breaks fails unless the variant's
 * parser is known to break it.
 * @type {(subject: Subject) => Promise<ContractRow[]>} empty for a lower bound, which has no URL class
 */
async function runContract(subject) {
  if (subject.URL === undefined) return [];
  return runThemes(CONTRACT, [subject.URL], { possible: findKnownDifferences(subject) });
}

/**
 * An input and the parts of its URL that are not empty; null for an invalid URL. The inputs are the
 * edge cases of the corpus `urls-adversarial`, the parts are those of whatwg-url, with which Node
 * 20.20 and later agree. Vectors of a contract row are skipped for parsers that are known to break
 * it.
 * @typedef {{ input: string, parts: Partial<Parts> | null, row?: string }} Vector
 */

const VECTORS = new globalThis.URL('./vectors/edge-urls.json', import.meta.url);

/**
 * @param {UrlClass} URL
 * @param {Record<string, string>} known rows of the contract that do not hold
 * @returns {Promise<{ passed: number, failures: ConformanceFailure[] }>}
 */
async function runVectors(URL, known) {
  /** @type {Vector[]} */
  const all = JSON.parse(readFileSync(VECTORS, 'utf8'));
  const vectors = all.filter(({ row }) => row === undefined || !(row in known));
  /** @type {ConformanceFailure[]} */
  const failures = [];
  for (const { input, parts } of vectors) {
    const expected = describeUrl(parts === null ? null : completeParts(parts));
    const found = describeUrl(constructUrl(URL, input));
    if (found === expected) continue;
    const { path, ...texts } = await explainUrlDifference(
      Buffer.from(expected),
      Buffer.from(found),
    );
    failures.push({ name: `${path} of ${JSON.stringify(input)}`, ...texts });
  }
  return { passed: vectors.length - failures.length, failures };
}

/** @param {Partial<Parts>} parts */
function completeParts(parts) {
  const all = PART_NAMES.map((name) => [name, parts[name] ?? '']);
  return /** @type {Parts} */ (Object.fromEntries(all));
}
