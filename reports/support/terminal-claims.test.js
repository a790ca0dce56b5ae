import { describe, expect, test } from '@jest/globals';
import { displayWidth } from './display-width.js';
import { formatClaims, formatReproduction } from './terminal-claims.js';

/** @import { Claim, ClaimResult, ClaimSource } from '../../harness/types.ts' */

/** @type {ClaimSource} */
const SOURCE = {
  id: 'TICKET-1',
  title: 'a regression',
  reference: 'example/repository #1',
  conditions: 'Node 22, 1 000 iterations',
};

/**
 * @param {string} name
 * @param {Partial<Claim>} [changes]
 * @returns {Claim}
 */
function makeClaim(name, changes = {}) {
  return {
    id: `TICKET-1/${name}`,
    source: 'TICKET-1',
    statement: 'It is slower.',
    baseline: 'a',
    candidate: 'b',
    operation: 'serialize',
    corpus: 'flat',
    figure: { formula: 'throughput-percent', percent: -50 },
    tolerance: 1.2,
    ...changes,
  };
}

/**
 * @param {Claim} claim
 * @param {Partial<ClaimResult>} changes
 */
function tell(claim, changes) {
  /** @type {ClaimResult} */
  const result = {
    id: claim.id,
    verdict: 'reproduced',
    claimed: 2,
    measured: { estimate: 2.1, low: 1.9, high: 2.3 },
    reason: null,
    ...changes,
  };
  return { claim, result };
}

const told = [
  tell(makeClaim('flat'), {}),
  tell(makeClaim('deep', { contradiction: 'one figure is not the other' }), {
    verdict: 'direction-only',
    reason: 'less of it',
  }),
  tell(makeClaim('suite', { figure: { formula: 'direction', direction: 'same' } }), {
    verdict: 'cannot-run',
    claimed: null,
    measured: null,
    reason: 'needs a server',
  }),
];
const terminal = { width: 80, color: false };

test('a reproduction counts the verdicts and has claimed and measured side by side', () => {
  const text = formatReproduction({ sources: [SOURCE], told, path: 'runs/x' }, terminal);
  expect(text).toMatch(/^3 claims: 1 reproduced, 1 direction only, 1 cannot run here\.\n/);
  expect(text).toMatch(/flat +2\.000 +2\.100 +1\.900–2\.300 +reproduced/);
  expect(text).toMatch(/deep: less of it/);
  expect(text).toMatch(/\* deep: the source contradicts itself, one figure is not the other/);
  expect(text).toMatch(/suite +same +– +– +cannot run here/);
});

test('the list has the last result on this host', () => {
  const claims = told.map(({ claim }) => claim);
  const results = { 'TICKET-1/flat': { ...told[0].result, measuredAt: '2026-01-02T03:04:05Z' } };
  const text = formatClaims({ sources: [SOURCE], claims, results }, terminal);
  expect(text).toMatch(/flat +serialize flat +×2\.000 +2026-01-02 +reproduced/);
  expect(text).toMatch(/suite +serialize flat +same +– +not tried/);
});

describe.each([80, 120])('at %i columns', (width) => {
  test('no line is longer', () => {
    const long = makeClaim('a-name-that-goes-on-and-on-until-nothing-else-has-any-room-left');
    const rows = [...told, tell(long, { reason: 'x'.repeat(30) })];
    const text = formatReproduction(
      { sources: [SOURCE], told: rows, path: 'runs/x' },
      {
        width,
        color: false,
      },
    );
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });
});
