import { expect, test } from '@jest/globals';
import { makeReproduction } from '../reproduction/support/fixtures.js';
import { displayWidth } from '../../harness/lib/display-width.js';
import { formatClaims } from './terminal-claims.js';

const { sources, told } = makeReproduction();
const claims = told.map(({ claim }) => claim);
const results = {
  'TICKET-1/flat': {
    id: 'TICKET-1/flat',
    verdict: /** @type {const} */ ('reproduced'),
    measuredAt: '2026-01-02T03:04:05Z',
    node: '20.20.2',
    run: 'reports/runs/x',
  },
};

test('the list has the last result on this host, when it was and under which Node', () => {
  const text = formatClaims({ sources, claims, results }, { width: 120, color: false });
  expect(text).toMatch(/flat +serialize flat +×2\.000 +2026-01-02 +20\.20\.2 +reproduced/);
  expect(text).toMatch(/suite +serialize flat +same +– +– +not tried/);
  expect(text).toMatch(/deep \* /);
  expect(text).toMatch(/^ {2}\* deep: the source contradicts itself, /m);
});

test('sources without a claim are left out', () => {
  const text = formatClaims(
    { sources, claims: claims.slice(0, 1), results: {} },
    { width: 80, color: false },
  );
  expect(text).toContain('TICKET-1');
  expect(text).not.toContain('TICKET-2');
});

test('no line is longer than the terminal', () => {
  const text = formatClaims({ sources, claims, results }, { width: 80, color: false });
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});
