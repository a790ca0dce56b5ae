import { expect, test } from '@jest/globals';
import { formatCheck } from './terminal-check.js';

const TERMINAL = { width: 80, color: false };
const held = { theme: 'T', name: 'json', promise: 'same text', outcome: 'holds', detail: null };

/** @type {import('./terminal-check.js').Check} */
const RIGHT = {
  spec: 'linked-list',
  reference: 'npm:bson@7.3.1',
  differences: [],
  passed: 622,
  failures: [],
  contract: [/** @type {any} */ (held)],
};

test('a variant that is right', () => {
  const lines = formatCheck(RIGHT, TERMINAL).split('\n');
  expect(lines[0]).toBe('Behaviour of linked-list compared with npm:bson@7.3.1');
  expect(lines).toContain('linked-list: does what npm:bson@7.3.1 does');
  expect(lines).toContain('  contract: 1 of 1 promise holds');
  expect(lines).toContain('  vectors and limits: 622 hold, 0 fail');
});

test('says nothing of a contract or of cases that the family does not have', () => {
  const text = formatCheck({ ...RIGHT, contract: [], passed: 0 }, TERMINAL);
  expect(text).toContain('linked-list: does what npm:bson@7.3.1 does');
  expect(text).toContain('  corpora: same bytes');
  expect(text).not.toMatch(/contract|vectors/);
});

test.each([
  ['contract', { contract: [/** @type {any} */ ({ ...held, outcome: 'fails', detail: 'x' })] }],
  [
    'corpora',
    {
      differences: [
        {
          variant: 'v',
          cellId: 'serialize flat',
          document: 3,
          path: 'a',
          expected: '1',
          found: '2',
        },
      ],
    },
  ],
  ['vectors', { failures: [{ name: 'int32: least', expected: '1', found: '2' }] }],
])('a variant that is wrong by %s is called so', (_label, problem) => {
  const text = formatCheck({ ...RIGHT, ...problem }, TERMINAL);
  expect(text).toContain('linked-list: is not right');
  expect(text).not.toContain('does what');
});

test('a deliberate difference leaves it right', () => {
  const contract = [/** @type {any} */ ({ ...held, outcome: 'differs', detail: 'on purpose' })];
  const text = formatCheck({ ...RIGHT, contract }, TERMINAL);
  expect(text).toContain('→ on purpose');
  expect(text).toContain('linked-list: does what');
});

test('ten problems are shown, the others counted, and nothing steers the terminal', () => {
  const failures = Array.from({ length: 12 }, (_, at) => {
    return { name: `case ${at}\u001b[31m`, expected: '1', found: '2' };
  });
  const text = formatCheck({ ...RIGHT, failures }, TERMINAL);
  expect(text).toContain('case 9\\u{1b}[31m: expected 1, found 2');
  expect(text).not.toContain('case 10');
  expect(text).toContain('… and 2 more');
  expect(text).not.toContain('\u001b');
});
