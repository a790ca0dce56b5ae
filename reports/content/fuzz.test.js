import { renderTerminal } from '../document/terminal.js';
import { describeFuzzing } from './fuzz.js';

/** @param {import('./fuzz.js').FuzzSummary} summary */
const print = (summary) => renderTerminal(describeFuzzing([summary]));

/** @type {import('./fuzz.js').FuzzSummary} */
const SUMMARY = {
  spec: 'linked-list',
  reference: 'npm:bson@7.3.1',
  seed: 7,
  ended: 'complete',
  elapsedMs: 40_000,
  result: {
    documents: 2_000_000,
    differences: 0,
    accepted: 600_000,
    refused: 1_400_000,
    checks: 2_600_000,
    errors: { SyntaxError: 20_000, BSONError: 1_380_000 },
    failures: [],
  },
  files: [],
};

test('says how many documents, how they were refused, how fast, and by which seed', () => {
  expect(print(SUMMARY).split('\n')).toEqual([
    'linked-list: no difference from npm:bson@7.3.1 in 2 000 000 documents',
    '',
    ' – 600 000 read, 1 400 000 refused (BSONError 1 380 000, SyntaxError 20 000)',
    ' – 2 600 000 comparisons in 40.0 s, 50 000 documents a second; seed 7',
    '',
  ]);
});

test('shows each kind of difference and where it is kept', () => {
  const failure = {
    document: 12,
    kind: 'other-value',
    hex: '05'.repeat(400),
    options: { raw: true },
    writeOptions: {},
    expected: 'a: int 1',
    found: '\u001b[31ma: int 2',
  };
  const result = { ...SUMMARY.result, differences: 3, failures: [failure] };
  const text = print({ ...SUMMARY, result, files: ['cases/x.json'] });
  expect(text).toContain('3 documents differ from npm:bson@7.3.1');
  expect(text).toContain('other-value, document 12 under {"raw":true}');
  expect(text).toMatch(/expected +a: int 1/);
  expect(text).toMatch(/found +\\u\{1b\}\[31ma: int 2/);
  expect(text).toMatch(/kept as +cases\/x\.json/);
  expect(text).not.toContain('\u001b');
});

test('an interruption is no end', () => {
  expect(print({ ...SUMMARY, ended: 'interrupted' })).toContain(
    'interrupted; 2 600 000 comparisons',
  );
});
