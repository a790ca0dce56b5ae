import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @import { ClaimResult } from '../types.ts' */

/** @typedef {ClaimResult & { measuredAt: string, node: string, run: string }} RememberedResult */

/**
 * The last result of each claim on this host, as far as this checkout has been asked.
 *
 * @param {string} path of the file
 * @returns {Record<string, RememberedResult>} by id of the claim; empty where nothing is known
 */
export function recallResults(path) {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // What was remembered is a convenience; the runs that it came from are still there.
    return {};
  }
}

/**
 * @param {string} path of the file
 * @param {RememberedResult[]} results take the place of earlier ones
 */
export function rememberResults(path, results) {
  const all = { ...recallResults(path) };
  for (const result of results) all[result.id] = result;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(all, null, 2)}\n`);
  renameSync(temporary, path);
}
