import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { makeCacheDirectory } from '../../lib/make-directory.js';

/** @import { ClaimResult } from '../../formats/types.ts' */

/**
 * @typedef {object} RememberedResult the last result of a claim on this host
 * @property {string} id
 * @property {ClaimResult['verdict']} verdict
 * @property {string} measuredAt UTC, ISO 8601
 * @property {string} node version
 * @property {string} run directory of the reproduction
 */

const VERDICTS = ['reproduced', 'direction-only', 'not-reproduced', 'inconclusive', 'cannot-run'];

/**
 * The last result of each claim on this host, as far as this checkout has been asked. What another
 * format version wrote, or what is broken, is forgotten: it is a convenience, and the runs that it
 * came from are still there.
 *
 * @param {string} path of the file
 * @returns {Record<string, RememberedResult>} by id of the claim; empty where nothing is known
 */
export function recallResults(path) {
  const content = readContent(path);
  if (content?.formatVersion !== FORMAT_VERSION || !Array.isArray(content.results)) return {};
  const whole = /** @type {unknown[]} */ (content.results).filter(isWhole);
  return Object.fromEntries(whole.map((result) => [result.id, result]));
}

/**
 * @param {string} path of the file
 * @param {RememberedResult[]} results take the place of earlier ones
 */
export function rememberResults(path, results) {
  if (results.length === 0) return;
  const all = new Map(Object.entries(recallResults(path)));
  for (const result of results) all.set(result.id, result);
  const content = { formatVersion: FORMAT_VERSION, results: [...all.values()] };
  makeCacheDirectory(dirname(path));
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(temporary, path);
}

/**
 * @param {string} path
 * @returns {any} null where there is nothing to read
 */
function readContent(path) {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param {any} value
 * @returns {value is RememberedResult}
 */
function isWhole(value) {
  const texts = [value?.id, value?.measuredAt, value?.node, value?.run];
  return texts.every((text) => typeof text === 'string') && VERDICTS.includes(value.verdict);
}
