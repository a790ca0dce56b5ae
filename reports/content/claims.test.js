import { makeReproduction } from './test-support/make-reproduction.js';
import { renderTerminal } from '../document/terminal.js';
import { describeClaims } from './claims.js';

const { sources, judged } = makeReproduction();
const claims = judged.map(({ claim }) => claim);
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
  const text = renderTerminal(describeClaims({ sources, claims, results }), { width: 120 });
  expect(text).toMatch(/flat +×2\.000 +reproduced +2026-01-02 +20\.20\.2 +serialize.flat/);
  expect(text).toMatch(/suite +same +not tried +– +– +serialize.flat/);
  expect(text).toMatch(/deep \* /);
  expect(text).toMatch(/\* deep: the source contradicts itself: /m);
});

test('sources without a claim are left out', () => {
  const text = renderTerminal(describeClaims({ sources, claims: claims.slice(0, 1), results: {} }));
  expect(text).toContain('TICKET-1');
  expect(text).not.toContain('TICKET-2');
});
