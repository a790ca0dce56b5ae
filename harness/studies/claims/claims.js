import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../../formats/schemas.js';
import { UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { didYouMean } from '../../lib/words.js';
import { equivalenceBand, restrictBand } from '../../stats/band.js';
import { findExpectedRatio } from '../../stats/means.js';
import { USUAL } from '../../stats/usual.js';

/** @import { Cell, Claim, ClaimDirection, ClaimSource, RatioBand } from '../../formats/types.ts' */
/** @import { Finding } from '../../stats/band.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {Claim & { family: string }} FamilyClaim */

/**
 * Reads the claims of all families.
 *
 * @param {FoundFamily[]} families
 * @returns {Promise<{ sources: ClaimSource[], claims: FamilyClaim[] }>}
 * @throws {import('../../lib/errors.js').FormatError} when a file is broken
 */
export async function readClaims(families) {
  /** @type {ClaimSource[]} */
  const sources = [];
  /** @type {FamilyClaim[]} */
  const claims = [];
  for (const { name, path } of families) {
    const file = join(path, 'claims.json');
    if (!existsSync(file)) continue;
    const remedy = 'restore the file as it was committed';
    const content = readDocument(file, 'claims', remedy);
    sources.push(...content.sources);
    claims.push(...content.claims.map((claim) => ({ ...claim, family: name })));
  }
  return { sources, claims };
}

/**
 * Selects claims by name: one claim, or all of a source.
 *
 * @template {Claim} OneClaim
 * @param {OneClaim[]} claims of all families
 * @param {string[]} names `NODE-7606`, `NODE-7606/flat-serialize`
 * @returns {OneClaim[]} in their original order, without duplicates
 * @throws {UsageError} when a name matches none
 */
export function selectClaims(claims, names) {
  for (const name of names) {
    if (claims.some((claim) => isMeant(claim, name))) continue;
    const known = new Set(claims.flatMap(({ id, source }) => [source, id]));
    throw new UsageError(`no claim '${name}'${didYouMean(name, known)}`, {
      remedy: `'${PROGRAM} claims' lists them`,
    });
  }
  return claims.filter((claim) => names.some((name) => isMeant(claim, name)));
}

/**
 * @param {Claim} claim
 * @param {string} name
 */
function isMeant({ id, source }, name) {
  return name === source || name === id;
}

/**
 * Claims that one comparison can settle.
 *
 * @typedef {object} ClaimGroup
 * @property {'time' | 'memory' | 'gate'} kind what has to be measured; with `gate` only the
 *   correctness gate runs
 * @property {string} baseline
 * @property {string} candidate
 * @property {Claim[]} claims
 * @property {number | undefined} [processMs] duration of a timed job, if the family states it
 */

/**
 * Groups claims by comparison, so that no cell is measured twice. Claims that the gate and the contract
 * settle join a comparison of the same arms if there is one.
 *
 * @param {Claim[]} claims
 * @returns {ClaimGroup[]} in the order of their first claims, without claims that cannot be run
 */
export function groupClaims(claims) {
  /** @type {Map<string, ClaimGroup>} */
  const groups = new Map();
  const runnable = claims.filter(({ cannotRun }) => cannotRun === undefined);
  const measured = new Set(
    runnable.filter(isMeasured).map((claim) => keyOf(claim, findKind(claim))),
  );
  for (const claim of runnable) {
    const { baseline, candidate } = claim;
    const kind = findKind(claim, measured);
    const key = keyOf(claim, kind);
    const group = groups.get(key) ?? { kind, baseline, candidate, claims: [] };
    groups.set(key, group);
    group.claims.push(claim);
  }
  return [...groups.values()];
}

/** @param {Claim} claim */
function isMeasured(claim) {
  return findKind(claim) !== 'gate';
}

/**
 * @param {Claim} claim
 * @param {Set<string>} [measured] keys of groups in which something is measured
 * @returns {ClaimGroup['kind']}
 */
function findKind(claim, measured = new Set()) {
  const { formula } = claim.figure;
  if (formula === 'retained-bytes') return 'memory';
  const isSettledByGate =
    formula === 'same-output' || formula === 'contract' || formula === 'contract-breaks';
  if (!isSettledByGate) return 'time';
  const hosts = /** @type {const} */ (['time', 'memory']);
  return hosts.find((kind) => measured.has(keyOf(claim, kind))) ?? 'gate';
}

/**
 * @param {Claim} claim
 * @param {ClaimGroup['kind']} kind
 */
function keyOf({ baseline, candidate }, kind) {
  return JSON.stringify([kind, baseline, candidate]);
}

/** Below it a claim states no difference. */
const LEAST = 0.01;

/**
 * The minimum effect of interest that can settle claims: half of the smallest claimed difference, so that
 * a cell is not settled before that difference can be detected.
 *
 * @param {Claim[]} claims
 * @returns {number} share, 0.03 at most
 */
export function chooseMinimumEffect(claims) {
  const sizes = claims
    .flatMap(({ figure }) => findExpectedRatio(figure) ?? [])
    .map(sizeOf)
    .filter((size) => size >= LEAST);
  const half = Math.min(...sizes) / 2;
  return Math.min(USUAL.minimumEffect, Math.round(half * 1000) / 1000);
}

/** @param {number} ratio */
function sizeOf(ratio) {
  return Math.expm1(Math.abs(Math.log(ratio)));
}

/**
 * @param {Claim[]} claims
 * @returns {boolean} whether one states a difference smaller than the default of `compare` detects
 */
export function hasSmallDifference(claims) {
  return chooseMinimumEffect(claims) < USUAL.minimumEffect;
}

/**
 * @param {Claim[]} claims
 * @returns {number} most processes per variant
 */
export function chooseMostProcesses(claims) {
  return hasSmallDifference(claims) ? 2 * USUAL.processes : USUAL.processes;
}

/**
 * What a claim says about a ratio.
 *
 * @typedef {object} Statement
 * @property {RatioBand} band ratios at which the claim holds
 * @property {Finding} finding direction that the verdict must have; `same` where none is claimed
 */

/**
 * The band of a claimed ratio spans its tolerance. That of a claimed direction has no far limit. A band of a
 * difference starts at the minimum effect.
 *
 * @param {Pick<Claim, 'figure' | 'tolerance'>} claim
 * @param {number} minimumEffect a share
 * @returns {Statement | null} null for a claim that the correctness gate or the contract decides
 */
export function readStatement({ figure, tolerance }, minimumEffect) {
  if (figure.formula === 'direction') return readDirection(figure.direction, minimumEffect);
  const expected = findExpectedRatio(figure);
  if (expected === null) return null;
  const finding = sizeOf(expected) < LEAST ? 'same' : expected > 1 ? 'slower' : 'faster';
  const band = { low: expected / tolerance, high: expected * tolerance };
  return { band: restrictBand(band, finding, minimumEffect), finding };
}

/** @type {(direction: ClaimDirection, minimumEffect: number) => Statement} */
function readDirection(direction, minimumEffect) {
  const same = equivalenceBand(minimumEffect);
  switch (direction) {
    case 'same':
      return { band: same, finding: 'same' };
    case 'not-slower':
      return { band: { ...same, low: 0 }, finding: 'same' };
    default: {
      const finding = direction === 'slower' ? 'slower' : 'faster';
      return { band: restrictBand({ low: 0, high: null }, finding, minimumEffect), finding };
    }
  }
}

/**
 * @param {Claim[]} claims
 * @param {Cell[]} cells
 * @param {number} minimumEffect a share
 * @returns {Record<string, RatioBand[]>} by cell id, the bands of the claims that are about it
 */
export function listBands(claims, cells, minimumEffect) {
  const entries = cells.map(({ id, operation, corpus }) => {
    const own = claims.filter((claim) => claim.operation === operation && claim.corpus === corpus);
    return [id, own.flatMap((claim) => readStatement(claim, minimumEffect)?.band ?? [])];
  });
  return Object.fromEntries(entries.filter(([, bands]) => bands.length > 0));
}
