import { renderHtml } from '../document/html.js';
import { renderMarkdown } from '../document/markdown.js';
import { renderTerminal } from '../document/terminal.js';
import { makeContractSection } from './contract.js';

/** @import { ContractRow } from '../../harness/formats/types.ts' */

/** @type {ContractRow[]} */
const ROWS = [
  row('deep-equality', 'Equality and copies', 'differs', 'equal ids stand at different offsets'),
  row('json', 'Text forms', 'holds', null),
  row('util-inspect', 'Text forms', 'fails', 'depth 2: expected a, found b'),
];
const CONTRACTS = { pooled: ROWS, 'linked-list': ROWS.slice(1, 2) };

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

/** @param {Record<string, ContractRow[]>} contracts @param {string[]} [acceptedRows] */
function documentOf(contracts, acceptedRows = []) {
  const section = makeContractSection({ contracts, question: { acceptedRows } });
  return { title: '', eyebrow: '', sections: [section], footer: '', source: '' };
}

describe('the contracts of a comparison', () => {
  test('in a terminal: a sentence each, and what does not hold, failures first', () => {
    expect(renderTerminal(documentOf(CONTRACTS))).toBe(
      [
        'Behaviour contract',
        ' – pooled: 1 of 3 promises holds, 1 differs on purpose, 1 fails',
        '   · FAILS util-inspect: depth 2: expected a, found b',
        '   · differs deep-equality: equal ids stand at different offsets',
        ' – linked-list: 1 of 1 promise holds',
        '',
      ].join('\n'),
    );
  });

  test('in Markdown: the same, and the whole table folded', () => {
    const text = renderMarkdown(documentOf(CONTRACTS));
    expect(text).toContain(
      '- `pooled`: 1 of 3 promises holds, 1 differs on purpose, 1 fails\n  - FAILS `util-inspect`',
    );
    expect(text).toContain('| name | pooled | linked-list | promise |');
    expect(text).toMatch(/\| `json` \| ok \| ok \| what json/);
    expect(text).toMatch(/\| `util-inspect` \| FAILS \| – \|/);
  });

  test('mark what was accepted', () => {
    const document = documentOf(CONTRACTS, ['util-inspect', 'json']);
    for (const text of [renderTerminal(document), renderMarkdown(document), renderHtml(document)]) {
      expect(text).toMatch(/1 of 3 promises holds, 1 differs on purpose, 1 fails but is accepted/);
      expect(text.replaceAll(/[`]|<[^>]+>/g, '')).toContain(
        'fails, accepted util-inspect: depth 2',
      );
      expect(text).not.toContain('FAILS');
    }
  });

  test('count one in the singular', () => {
    const failing = [row('json', 'Text forms', 'fails', null)];
    expect(renderTerminal(documentOf({ a: failing }))).toContain('0 of 1 promise hold, 1 fails\n');
  });

  test('are not mentioned where the family has none', () => {
    expect(renderTerminal(documentOf({ a: [] })).trim()).toBe('');
    expect(renderMarkdown(documentOf({})).trim()).toBe('');
  });
});
