import { describe, expect, test } from '@jest/globals';
import { contractPart } from './html-checks.js';
import { describeContracts } from './markdown-contract.js';
import { makePainter } from './paint.js';
import { layOutContract, listContracts } from './terminal-contract.js';
import { listOverflows } from './test-support/list-overflows.js';

/** @import { ContractRow } from '../../harness/formats/types.ts' */

const WIDTH = 80;
const paint = makePainter(false);

/** @type {ContractRow[]} */
const ROWS = [
  row('deep-equality', 'Equality and copies', 'differs', 'equal ids stand at different offsets'),
  row('json', 'Text forms', 'holds', null),
  row('util-inspect', 'Text forms', 'fails', 'depth 2: expected a, found b'),
];

/**
 * @param {string} name
 * @param {string} theme
 * @param {ContractRow['outcome']} outcome
 * @param {string | null} detail
 * @returns {ContractRow}
 */
function row(name, theme, outcome, detail) {
  const promise = `what ${name} promises, in a line that is long enough to be wrapped at 80 columns`;
  return { theme, name, promise, outcome, detail };
}

describe('the table of one variant', () => {
  const lines = layOutContract(ROWS, WIDTH, paint);

  test('has a heading for each theme', () => {
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
      'Equality and copies',
      'Text forms',
    ]);
  });

  test('gives outcome and promise of each row, and the reason where it does not hold', () => {
    const text = lines.join('\n').replaceAll(/\s+/g, ' ');
    expect(text).toContain('json ok what json promises');
    expect(text).toContain('deep-equality differs what deep-equality promises');
    expect(text).toContain('→ equal ids stand at different offsets');
    expect(text).toContain('util-inspect FAILS');
    expect(text).toContain('→ depth 2: expected a, found b');
  });

  test.each([80, 100, 120])('fits %d columns', (width) => {
    const wide = layOutContract(
      [...ROWS, row('x'.repeat(60), 'Ümläute 漢字'.repeat(20), 'fails', 'y'.repeat(300))],
      width,
      paint,
    );
    expect(listOverflows(wide.join('\n'), width)).toEqual([]);
  });
});

/**
 * @param {Record<string, ContractRow[]>} contracts
 * @param {string[]} [acceptedRows]
 */
function withContracts(contracts, acceptedRows = []) {
  return { contracts, question: { acceptedRows } };
}

describe('the contracts of a comparison', () => {
  const contracts = { pooled: ROWS, 'linked-list': [ROWS[1]] };

  test('on a terminal: a sentence each, and what does not hold, failures first', () => {
    expect(listContracts(withContracts(contracts), WIDTH, paint)).toEqual([
      'Behaviour contract',
      ' pooled: 1 of 3 promises holds, 1 differs on purpose, 1 fails',
      '   FAILS util-inspect: depth 2: expected a, found b',
      '   differs deep-equality: equal ids stand at different offsets',
      ' linked-list: 1 of 1 promise holds',
    ]);
  });

  test('as Markdown: the same, and the whole table folded', () => {
    const text = describeContracts(withContracts(contracts));
    expect(text).toContain(
      '- Behaviour contract of `pooled`: 1 of 3 promises holds, 1 differs on purpose, 1 fails',
    );
    expect(text).toContain('  - **differs** `deep-equality`: equal ids stand at different offsets');
    expect(text).toContain('| row | promise | `pooled` | `linked-list` |');
    expect(text).toMatch(/\| `json` \| .* \| ok \| ok \|/);
    expect(text).toMatch(/\| `util-inspect` \| .* \| FAILS \| – \|/);
  });

  test('mark what was accepted in every report', () => {
    const manifest = withContracts(contracts, ['util-inspect', 'json']);
    const terminal = listContracts(manifest, WIDTH, paint).join('\n');
    const markdown = describeContracts(manifest);
    const html = String(contractPart(manifest));
    for (const text of [terminal, markdown, html]) {
      expect(text).toMatch(/1 of 3 promises holds, 1 differs on purpose, 1 fails but accepted/);
      expect(text).not.toContain('FAILS');
    }
    expect(terminal).toContain('   fails, accepted util-inspect: depth 2');
    expect(markdown).toContain('  - **fails, accepted** `util-inspect`: depth 2');
    expect(markdown).toMatch(/\| `util-inspect` \| .* \| fails, accepted \| – \|/);
    expect(html).toMatch(/<span class="doubtful">fails, accepted<\/span> <code>util-/);
  });

  test('are not mentioned where the family has none', () => {
    expect(listContracts(withContracts({ a: [] }), WIDTH, paint)).toEqual([]);
    expect(describeContracts(withContracts({}))).toBe('');
  });

  test('cannot act as markup', () => {
    const hostile = [row('json', 'T', 'fails', '</details> @team | **x** <script>')];
    const text = describeContracts(withContracts({ 'a`b|c': hostile }));
    expect(text).toContain('``a`b\\u{7c}c``');
    expect(text.match(/<\/details>/g)).toHaveLength(1);
    expect(text).not.toContain('<script>');
    expect(text).not.toMatch(/[^`]@team/);
  });
});
