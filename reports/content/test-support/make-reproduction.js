/** A reproduction with a claim of every kind. Used by tests only. */

/** @import { Claim, ClaimResult, Reproduction, JudgedClaim } from '../../../harness/formats/types.ts' */

import { FORMAT_VERSION } from '../../../harness/formats/format-version.js';
import { makeManifest } from '../../fixtures/build.js';

/** @type {(name: string, changes?: Partial<Claim>) => Claim} */
export function makeClaim(name, changes = {}) {
  return {
    id: `TICKET-1/${name}`,
    source: 'TICKET-1',
    statement: 'It takes twice as long.',
    baseline: 'recursive',
    candidate: 'generator',
    operation: 'serialize',
    corpus: 'flat',
    figure: { formula: 'throughput-percent', percent: -50 },
    tolerance: 1.2,
    ...changes,
  };
}

/** @type {(claim: Claim, changes?: Partial<ClaimResult>) => JudgedClaim} */
export function tell(claim, changes = {}) {
  const result = {
    id: claim.id,
    verdict: /** @type {const} */ ('reproduced'),
    claimed: 2,
    measured: { estimate: 2.1, low: 1.9, high: 2.3 },
    reason: null,
    ...changes,
  };
  return { claim, result, run: result.measured === null ? null : '20260102-a-vs-b' };
}

/** @type {(changes?: Partial<Reproduction>) => Reproduction} */
export function makeReproduction(changes = {}) {
  const { assay, environment } = makeManifest();
  const conditions = 'Node 22, 1 000 iterations';
  return {
    formatVersion: FORMAT_VERSION,
    id: '20260102-030405-reproduce-TICKET-1',
    createdAt: '2026-01-02T03:04:05.678Z',
    command: 'just reproduce TICKET-1 --seed 7',
    question: { claims: ['TICKET-1'], seed: 7, sandbox: false },
    ended: 'complete',
    wallMs: 83_000,
    assay,
    environment,
    sources: [
      { id: 'TICKET-1', title: 'a regression', reference: 'example/repository #1', conditions },
      { id: 'TICKET-2', title: 'another', reference: 'a paper', conditions: 'not known' },
    ],
    judged: [
      tell(makeClaim('flat')),
      tell(makeClaim('deep', { contradiction: 'one figure is not the other' }), {
        verdict: 'direction-only',
        measured: { estimate: 1.3, low: 1.2, high: 1.4 },
        reason: 'less of it',
      }),
      tell(makeClaim('wide'), {
        verdict: 'size-open',
        measured: { estimate: 2.2, low: 1.5, high: 3.2 },
        reason: '12 processes per arm are not enough, about 95 would be',
      }),
      tell(makeClaim('list', { figure: { formula: 'direction', direction: 'not-slower' } }), {
        verdict: 'inconclusive',
        claimed: null,
        measured: { estimate: 1.01, low: 0.9, high: 1.13 },
        reason: '12 processes per arm do not settle it, about 140 would: just compare a b',
      }),
      tell(makeClaim('suite', { figure: { formula: 'direction', direction: 'same' } }), {
        verdict: 'cannot-run',
        claimed: null,
        measured: null,
        reason: 'needs a server',
      }),
      tell(
        makeClaim('id', {
          id: 'TICKET-2/id',
          source: 'TICKET-2',
          figure: { formula: 'retained-bytes', of: 'ObjectId', baseline: 1280, candidate: 72 },
        }),
        {
          verdict: 'not-reproduced',
          claimed: 0.05625,
          measured: { estimate: 1, low: 1, high: 1 },
          reason: 'there may be no difference here',
        },
      ),
    ],
    ...changes,
  };
}
