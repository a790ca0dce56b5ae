import { renderTerminal } from '../document/terminal.js';
import { describeChecks, isCorrect } from './check.js';

/** @param {import('./check.js').Check} check */
const print = (check) => renderTerminal(describeChecks([check]));
const held = { theme: 'T', name: 'json', promise: 'same text', outcome: 'holds', detail: null };

/** @type {import('./check.js').Check} */
const RIGHT = {
  spec: 'linked-list',
  reference: 'npm:bson@7.3.1',
  differences: [],
  passed: 622,
  failures: [],
  contract: [/** @type {any} */ (held)],
};

test('a variant that is right', () => {
  const lines = print(RIGHT).split('\n');
  expect(lines[0]).toBe('Behaviour of linked-list compared with npm:bson@7.3.1');
  expect(lines).toContain('linked-list behaves like npm:bson@7.3.1');
  expect(lines).toContain(' – contract: 1 of 1 promise holds');
  expect(lines).toContain(' – vectors and limits: 622 hold, 0 fail');
});

test('says nothing of a contract or of cases that the family does not have', () => {
  const text = print({ ...RIGHT, contract: [], passed: 0 });
  expect(text).toContain('linked-list behaves like npm:bson@7.3.1');
  expect(text).toContain(' – corpora: same bytes');
  expect(text).not.toMatch(/contract|vectors/);
});

test('one is counted in the singular', () => {
  const failures = [{ name: 'n', expected: '1', found: '2' }];
  const differences = [
    { variant: 'v', cellId: 'a b', document: 0, path: 'a', expected: '1', found: '2' },
  ];
  const text = print({ ...RIGHT, passed: 1, failures, differences });
  expect(text).toContain(' – corpora: 1 difference\n');
  expect(text).toContain(' – vectors and limits: 1 holds, 1 fails\n');
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
  expect(isCorrect({ ...RIGHT, ...problem })).toBe(false);
  const text = print({ ...RIGHT, ...problem });
  expect(text).toContain('linked-list is not correct');
  expect(text).not.toContain('behaves like');
});

test('a deliberate difference leaves it right', () => {
  const contract = [/** @type {any} */ ({ ...held, outcome: 'differs', detail: 'on purpose' })];
  const text = print({ ...RIGHT, contract });
  expect(text).toContain('→ on purpose');
  expect(text).toContain('linked-list behaves like');
});

test('ten problems are shown, the others counted, and nothing steers the terminal', () => {
  const failures = Array.from({ length: 12 }, (_, at) => {
    return { name: `case ${at}\u001b[31m`, expected: '1', found: '2' };
  });
  const text = print({ ...RIGHT, failures });
  expect(text).toContain('case 9\\u{1b}[31m: expected 1, found 2');
  expect(text).not.toContain('case 10');
  expect(text).toContain('… and 2 more');
  expect(text).not.toContain('\u001b');
});
