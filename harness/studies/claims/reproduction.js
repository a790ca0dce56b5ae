import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { isOfFormat } from '../../formats/schemas.js';
import { describeEnvironment } from '../../host/environment.js';
import { makeCacheDirectory, writeAtomic } from '../../lib/files.js';
import { describeAssay } from '../../lib/project.js';
import { judgeClaim } from './judge.js';

/** @import { ClaimSource, RememberedResult, Reproduction } from '../../formats/types.ts' */
/** @import { FamilyClaim } from './claims.js' */
/** @import { GroupOutcome } from './reproduce.js' */

const NO_EVIDENCE = Object.freeze({
  cell: null,
  retained: null,
  contract: null,
  isSameOutput: null,
  minimumEffect: 0,
  processMs: null,
  failure: null,
});

/**
 * A reproduction before anything was measured. Claims that cannot be run have their result.
 *
 * @param {string} path of its directory
 * @param {object} asked
 * @param {FamilyClaim[]} asked.claims
 * @param {ClaimSource[]} asked.sources of all claims
 * @param {number} asked.seed
 * @param {boolean} asked.sandbox
 * @param {string} asked.command as typed, with the seed
 * @returns {Reproduction}
 */
export function beginReproduction(path, { claims, sources, seed, sandbox, command }) {
  const named = new Set(claims.map(({ source }) => source));
  /** @type {Reproduction} */
  const reproduction = {
    formatVersion: FORMAT_VERSION,
    id: basename(path),
    createdAt: new Date().toISOString(),
    command,
    question: { claims: claims.map(({ id }) => id), seed, sandbox },
    assay: describeAssay(),
    environment: describeEnvironment(),
    ended: 'interrupted',
    wallMs: 0,
    sources: sources.filter(({ id }) => named.has(id)),
    told: [],
  };
  const cannotRun = claims.filter((claim) => claim.cannotRun !== undefined);
  const results = cannotRun.map((claim) => judgeClaim(claim, NO_EVIDENCE));
  return { ...reproduction, ...addResults(reproduction, claims, { results, runPath: null }) };
}

/**
 * @param {Pick<Reproduction, 'told'>} reproduction
 * @param {FamilyClaim[]} claims all that were asked for
 * @param {Pick<GroupOutcome, 'results' | 'runPath'>} outcome replaces earlier results of the same claims
 * @returns {Pick<Reproduction, 'told' | 'ended'>} in the order of the claims
 */
export function addResults({ told }, claims, { results, runPath }) {
  const run = runPath === null ? null : basename(runPath);
  const all = claims.flatMap(({ family: _family, ...claim }) => {
    const result = results.find(({ id }) => id === claim.id);
    if (result !== undefined) return [{ claim, result, run }];
    return told.filter((earlier) => earlier.claim.id === claim.id);
  });
  return { told: all, ended: all.length === claims.length ? 'complete' : 'interrupted' };
}

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
  const whole = /** @type {RememberedResult[]} */ (content.results).filter((result) =>
    isOfFormat('remembered-claim', result),
  );
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
  writeAtomic(path, `${JSON.stringify(content, null, 2)}\n`);
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
