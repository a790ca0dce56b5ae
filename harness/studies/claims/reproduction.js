import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { readDocument } from '../../formats/read-document.js';
import { describeEnvironment } from '../../host/environment.js';
import { escapeJson } from '../../lib/escape.js';
import { makeCacheDirectory, writeAtomic } from '../../lib/files.js';
import { describeAssay } from '../../lib/project.js';
import { judgeClaim } from './judge.js';

/** @import { ClaimResult, ClaimSource, Reproduction } from '../../formats/types.ts' */
/** @import { FamilyClaim } from './claims.js' */
/** @import { GroupOutcome } from './reproduce.js' */

/** Of its files, for messages. */
export const REPRODUCTION = {
  name: 'the reproduction',
  resume: 'start again with: just reproduce CLAIM',
};

/**
 * Collects what becomes of claims and writes reproduction.json anew each time there is more of it.
 *
 * @param {string} path directory of the reproduction
 * @param {object} asked
 * @param {FamilyClaim[]} asked.claims
 * @param {ClaimSource[]} asked.sources of all claims
 * @param {string} asked.command as typed, with the seed
 */
export function recordReproduction(path, { claims, sources, command }) {
  const startMs = performance.now();
  const named = new Set(claims.map(({ source }) => source));
  const head = {
    formatVersion: FORMAT_VERSION,
    id: basename(path),
    createdAt: new Date().toISOString(),
    command,
    assay: describeAssay(),
    environment: describeEnvironment(),
  };
  /** @type {Map<string, { result: ClaimResult, run: string | null }>} */
  const settled = new Map();
  for (const claim of claims) {
    if (claim.cannotRun === undefined) continue;
    settled.set(claim.id, { result: judgeClaim(claim, NO_EVIDENCE), run: null });
  }

  /** @returns {Reproduction} as far as it is known */
  function describe() {
    const told = claims.flatMap(({ family: _family, ...claim }) => {
      const one = settled.get(claim.id);
      return one === undefined ? [] : [{ claim, ...one }];
    });
    const ended = told.length === claims.length ? 'complete' : 'interrupted';
    const wallMs = Math.round(performance.now() - startMs);
    const own = sources.filter(({ id }) => named.has(id));
    return { ...head, ended, wallMs, sources: own, told };
  }

  return {
    /** @param {GroupOutcome} outcome */
    keep({ results, runPath }) {
      const run = runPath === null ? null : basename(runPath);
      for (const result of results) settled.set(result.id, { result, run });
      const text = `${escapeJson(JSON.stringify(describe(), null, 2))}\n`;
      writeAtomic(join(path, 'reproduction.json'), text, REPRODUCTION);
    },
    describe,
  };
}

const NO_EVIDENCE = Object.freeze({
  cell: null,
  retained: null,
  contract: null,
  isSameOutput: null,
  minimumEffect: 0,
  processMs: null,
  failure: null,
});

const FILE = 'reproduction.json';

/**
 * @param {string} path absolute
 * @returns {boolean} whether it is the directory of a reproduction
 */
export function isReproduction(path) {
  return existsSync(join(path, FILE));
}

/**
 * @param {string} path directory of a reproduction
 * @returns {Promise<Reproduction>}
 * @throws {import('../../lib/errors.js').FormatError} when the file is broken or of another format version
 */
export async function readReproduction(path) {
  const file = join(path, FILE);
  const remedy = 'restore the file from a copy, or reproduce the claims again';
  return /** @type {Reproduction} */ (await readDocument(file, 'reproduction', remedy));
}

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

/**
 * @param {any} value
 * @returns {value is RememberedResult}
 */
function isWhole(value) {
  const texts = [value?.id, value?.measuredAt, value?.node, value?.run];
  return texts.every((text) => typeof text === 'string') && VERDICTS.includes(value.verdict);
}
