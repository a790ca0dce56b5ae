import { basename, join } from 'node:path';
import { describeEnvironment } from '../../host/environment.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { describeAssay } from '../../lib/project.js';
import { judgeClaim } from './judge-claim.js';
import { escapeJson } from '../../lib/escape.js';
import { writeWhole } from '../../lib/write-whole.js';

/** @import { ClaimResult, ClaimSource, Reproduction } from '../../formats/types.ts' */
/** @import { FamilyClaim } from './read-claims.js' */
/** @import { GroupOutcome } from './reproduce-group.js' */

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
      writeWhole(join(path, 'reproduction.json'), text, REPRODUCTION);
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
