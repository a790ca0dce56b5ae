import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { isOfFormat } from '../../formats/schemas.js';
import { identifyEnvironment } from '../../host/environment.js';
import { makeCacheDirectory, writeAtomic } from '../../lib/files.js';
import { identifyAssay } from '../../lib/project.js';
import { judgeClaim, NO_EVIDENCE } from './judge.js';

/** @import { ClaimSource, RememberedResult, Reproduction } from '../../formats/types.ts' */
/** @import { FamilyClaim } from './claims.js' */
/** @import { GroupOutcome } from './reproduce.js' */

/**
 * A new reproduction. Claims that cannot be run have their result already.
 *
 * @param {object} asked
 * @param {FamilyClaim[]} asked.claims
 * @param {ClaimSource[]} asked.sources of all claims
 * @param {number} asked.seed
 * @param {boolean} asked.sandbox
 * @param {string} asked.command as typed, with the seed
 * @returns {Reproduction}
 */
export function beginReproduction({ claims, sources, seed, sandbox, command }) {
  const named = new Set(claims.map(({ source }) => source));
  /** @type {Reproduction} */
  const reproduction = {
    formatVersion: FORMAT_VERSION,
    id: '',
    createdAt: new Date().toISOString(),
    command,
    question: { claims: claims.map(({ id }) => id), seed, sandbox },
    assay: identifyAssay(),
    environment: identifyEnvironment(),
    ended: 'interrupted',
    wallMs: 0,
    sources: sources.filter(({ id }) => named.has(id)),
    judged: [],
  };
  const cannotRun = claims.filter((claim) => claim.cannotRun !== undefined);
  const results = cannotRun.map((claim) => judgeClaim(claim, NO_EVIDENCE));
  return { ...reproduction, ...addResults(reproduction, claims, { results, runPath: null }) };
}

/**
 * @param {Pick<Reproduction, 'judged'>} reproduction
 * @param {FamilyClaim[]} claims all that were asked for
 * @param {Pick<GroupOutcome, 'results' | 'runPath'>} outcome replaces earlier results of the same claims
 * @returns {Pick<Reproduction, 'judged' | 'ended'>} in the order of the claims
 */
export function addResults({ judged }, claims, { results, runPath }) {
  const run = runPath === null ? null : basename(runPath);
  const all = claims.flatMap(({ family: _family, ...claim }) => {
    const result = results.find(({ id }) => id === claim.id);
    if (result !== undefined) return [{ claim, result, run }];
    return judged.filter((earlier) => earlier.claim.id === claim.id);
  });
  return { judged: all, ended: all.length === claims.length ? 'complete' : 'interrupted' };
}

/**
 * Reads the last result of each claim on this host. An unreadable file, or one of another format version,
 * counts as empty: it is a cache, and the runs still exist.
 *
 * @param {string} path of the file
 * @returns {Record<string, RememberedResult>} by ID of the claim
 */
export function recallResults(path) {
  const content = readContent(path);
  if (content?.formatVersion !== FORMAT_VERSION || !Array.isArray(content.results)) return {};
  const whole = /** @type {RememberedResult[]} */ (content.results).filter((result) =>
    isOfFormat('remembered-claim', result),
  );
  return Object.fromEntries(whole.map((result) => [result.id, result]));
}

/**
 * @param {string} path of the file
 * @param {RememberedResult[]} results replace earlier ones of the same claims
 */
export function rememberResults(path, results) {
  if (results.length === 0) return;
  const all = new Map(Object.entries(recallResults(path)));
  for (const result of results) all.set(result.id, result);
  const content = { formatVersion: FORMAT_VERSION, results: [...all.values()] };
  makeCacheDirectory(dirname(path));
  writeAtomic(path, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * @param {string} path
 * @returns {any} null if it cannot be read
 */
function readContent(path) {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
