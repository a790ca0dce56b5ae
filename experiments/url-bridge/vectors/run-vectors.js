import { readFileSync } from 'node:fs';
import { constructUrl } from '../operations/support/construct.js';
import { PART_NAMES, describeUrl, explainUrlDifference } from '../operations/support/parts.js';

/** @import { ConformanceFailure } from '../../../harness/formats/types.ts' */
/** @import { Parts, UrlClass } from '../bridge/types.ts' */

/**
 * An input and the parts of its URL that are not empty; null for an invalid URL. The inputs are the
 * edge cases of the corpus `urls-adversarial`, the parts are those of whatwg-url, with which Node
 * 20.20 and later agree. Vectors of a contract row are skipped for parsers that are known to break
 * it.
 *
 * @typedef {{ input: string, parts: Partial<Parts> | null, row?: string }} Vector
 */

const FILE = new globalThis.URL('./edge-urls.json', import.meta.url);

/** @returns {Vector[]} */
function loadVectors() {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/**
 * @param {UrlClass} URL
 * @param {Record<string, string>} known rows of the contract that do not hold
 * @returns {Promise<{ passed: number, failures: ConformanceFailure[] }>}
 */
export async function runVectors(URL, known) {
  const vectors = loadVectors().filter(({ row }) => row === undefined || !(row in known));
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
