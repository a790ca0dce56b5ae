/** The three serializers: the same columns, titles and texts in each, and nothing foreign that acts. */

import { parseHTML } from 'linkedom';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { displayWidth } from '../../harness/lib/columns.js';
import { HOSTILE_TEXT } from '../fixtures/hostile.js';
import { renderHtml } from './html.js';
import { markup } from './markup.js';
import { renderMarkdown } from './markdown.js';
import { renderTerminal } from './terminal.js';

/** @import { Block, Column, Document, Section, Table } from './model.ts' */

/** @type {(parts?: Partial<Document>) => Document} */
function makeDocument(parts) {
  return {
    title: 'Title',
    eyebrow: 'Report',
    sections: [],
    footer: 'End',
    source: 'data.json',
    ...parts,
  };
}

/** @type {(...blocks: Block[]) => Document} */
function documentOf(...blocks) {
  return makeDocument({ sections: [{ id: 'one', title: 'One', blocks }] });
}

/** @type {(parts?: Partial<Table>) => Table} */
function makeTable(parts) {
  return {
    kind: 'table',
    columns: [
      { title: 'operation', kind: 'group' },
      { title: 'corpus', kind: 'name' },
      { title: 'ratio', align: 'right' },
      { title: 'range', kind: 'plot', minimumEffect: 0.03 },
      { title: 'processes', align: 'right' },
    ],
    rows: [
      [
        'serialize',
        { code: 'flat' },
        '0.500',
        { range: { estimate: 0.5, low: 0.4, high: 0.6 } },
        '12',
      ],
      [
        'serialize',
        { code: 'deep' },
        '1.000',
        { range: { estimate: 1, low: 0.9, high: 1.1 } },
        '24',
      ],
      ['deserialize', { code: 'flat' }, '–', { range: undefined }, '–'],
    ],
    ...parts,
  };
}

/** @param {string} page */
function readPage(page) {
  return parseHTML(page).document;
}

describe('a table', () => {
  test('has the same titles in the same order in Markdown and on a page', () => {
    const document = documentOf(makeTable());
    const titles = renderMarkdown(document).match(/^\|.*\|$/m)?.[0] ?? '';
    expect(titles).toMatch(/^\| operation \| corpus \| ratio \| `.*1.*` \| processes \|$/);
    const headers = [...readPage(renderHtml(document)).querySelectorAll('thead th')];
    expect(
      headers.map(({ textContent }) => textContent?.trim()).filter((_, at) => at !== 3),
    ).toEqual(['operation', 'corpus', 'ratio', 'processes']);
    expect(headers[3]?.querySelector('svg')).not.toBeNull();
  });

  test('prints groups as headings in a terminal, and gives the plot what the line leaves', () => {
    expect(renderTerminal(documentOf(makeTable()), { width: 60 })).toMatchInlineSnapshot(`
     "One
     corpus  ratio  0.4         0.6      0.8     1      processes
     serialize
      flat   0.500   ├──────●────┤              ┊│┊            12
      deep   1.000                            ├──●──┤          24
     deserialize
      flat       –                              ┊│┊             –
     "
    `);
  });

  test('continues in further bands with the names of the rows where lines are too short', () => {
    expect(renderTerminal(documentOf(makeTable()), { width: 30 })).toMatchInlineSnapshot(`
     "One
     corpus  ratio
     serialize
      flat   0.500
      deep   1.000
     deserialize
      flat       –

     corpus      0.5    0.7     1
     serialize
      flat   ├────●──┤         ┊│┊
      deep                    ├─●─┤
     deserialize
      flat                     ┊│┊

     corpus  processes
     serialize
      flat          12
      deep          24
     deserialize
      flat           –
     "
    `);
  });

  test('prints a heading for a group, and prose below its row', () => {
    const table = makeTable({
      columns: [
        { title: 'name', kind: 'name' },
        { title: 'idea', kind: 'prose' },
        { title: 'n', align: 'right' },
      ],
      rows: [{ group: 'Built in', cells: [{ code: 'one two' }, 'A sentence about it.', '1'] }],
    });
    expect(renderTerminal(documentOf(table), { width: 24 })).toBe(
      'One\nname     n\nBuilt in\none two  1\n    A sentence about it.\n',
    );
  });

  test('does not cut a name in a terminal, but gives it a line of its own', () => {
    const table = makeTable({
      columns: [
        { title: 'name', kind: 'name' },
        { title: 'n', align: 'right' },
      ],
      rows: [['a'.repeat(100), '1']],
    });
    const lines = renderTerminal(documentOf(table), { width: 40 }).split('\n');
    expect(lines).toContain('a'.repeat(100));
    const others = lines.filter((line) => !line.startsWith('a'));
    expect(others.some((line) => /^ +1$/.test(line))).toBe(true);
    for (const line of others) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });

  test('is left out without rows, and its section with it', () => {
    const document = documentOf(makeTable({ rows: [] }));
    expect(renderTerminal(document).trim()).toBe('');
    expect(renderMarkdown(document).trim()).toBe('');
    expect(readPage(renderHtml(document)).querySelector('section')).toBeNull();
  });
});

describe('lists, facts and figures', () => {
  test('an item can have a list below it', () => {
    const document = documentOf({
      kind: 'list',
      items: ['plain', { text: [{ code: 'a' }, ': two'], items: ['one', 'two'] }],
    });
    expect(renderTerminal(document)).toBe('One\n – plain\n – a: two\n   · one\n   · two\n');
    expect(renderMarkdown(document)).toContain('- plain\n- `a`: two\n  - one\n  - two\n');
    const [, second] = readPage(renderHtml(document)).querySelectorAll('section > ul > li');
    expect(second?.querySelectorAll('ul > li')).toHaveLength(2);
  });

  test('items of a list may have been checked', () => {
    const document = documentOf({
      kind: 'list',
      items: [
        { mark: 'ok', text: 'right' },
        { mark: 'warning', text: ['of ', { code: 'a' }] },
        { mark: 'wrong', text: 'lost' },
      ],
    });
    expect(renderTerminal(document)).toBe('One\n✓ right\n! of a\n✕ lost\n');
    expect(renderTerminal(document, { color: true })).toContain('\u001b[32m✓\u001b[0m right');
    expect(renderMarkdown(document)).toContain('- ✓ right\n- ! of `a`\n- ✕ lost\n');
    expect(readPage(renderHtml(document)).querySelector('li .good')?.textContent).toBe('✓');
  });

  test('leaves columns that can be spared out of a narrow terminal, and takes back what fits', () => {
    const table = makeTable({
      columns: [
        { title: 'operation', kind: 'group' },
        { title: 'corpus', kind: 'name' },
        { title: 'ratio', align: 'right' },
        { title: 'range', kind: 'plot', minimumEffect: 0.03, spare: 2 },
        { title: 'processes', align: 'right', spare: 1 },
      ],
      legend: 'Below.',
      isDense: true,
    });
    const headerOf = (/** @type {number} */ width) =>
      renderTerminal(documentOf(table), { width }).split('\n')[1];
    expect(headerOf(60)).toMatch(/^corpus {2}ratio .*1.* {2}processes$/);
    expect(headerOf(36)).toMatch(/^corpus {2}ratio {2}processes$/);
    expect(headerOf(22)).toMatch(/^corpus {2}ratio$/);
    expect(renderTerminal(documentOf(table), { width: 60 })).toMatch(/–\nBelow\.\n$/);
  });

  test('facts and commands below each other align in a terminal', () => {
    const document = documentOf(
      { kind: 'command', label: 'Repeat', text: 'just x' },
      { kind: 'facts', facts: [['Longer name', 'text']] },
    );
    expect(renderTerminal(document)).toBe('One\nRepeat       just x\nLonger name  text\n');
  });

  test('a figure may have a caption', () => {
    const draw = () => markup`<svg></svg>`;
    const document = documentOf({
      kind: 'figures',
      name: 'series',
      figures: [{ kind: 'figure', draw, caption: [{ strong: 'A' }, ' & B'] }],
    });
    const plots = readPage(renderHtml(document)).querySelector('.plots.series');
    expect(plots?.querySelector('figure figcaption')?.textContent).toBe('A & B');
  });
});

describe('what is folded', () => {
  const detail = /** @type {Section} */ ({
    id: 'detail',
    title: 'Detail',
    folded: ['terminal', 'markdown', 'html'],
    blocks: [{ kind: 'paragraph', text: 'More.' }],
  });

  test('is left out of a terminal and can be unfolded elsewhere', () => {
    const document = makeDocument({ sections: [detail] });
    expect(renderTerminal(document).trim()).toBe('');
    expect(renderMarkdown(document)).toContain('<summary>Detail</summary>\n\nMore.');
    const page = readPage(renderHtml(document));
    expect(page.querySelector('details#detail > summary > h2')?.textContent).toBe('Detail');
    expect(page.querySelector('details#detail')?.textContent).toContain('More.');
    expect(page.querySelector('nav a[href="#detail"]')).not.toBeNull();
  });
});

describe('a short form', () => {
  const long = /** @type {Section} */ ({
    id: 'long',
    title: 'Long',
    blocks: [{ kind: 'paragraph', text: 'All of it.' }],
  });
  const makeBrief = (/** @type {string} */ text) =>
    /** @type {Section[]} */ ([
      { id: 'b', title: 'B', untitled: ['markdown'], blocks: [{ kind: 'paragraph', text }] },
    ]);

  test('is what a reader of Markdown sees before unfolding the rest', () => {
    const text = renderMarkdown(makeDocument({ sections: [long], brief: makeBrief('Short.') }));
    expect(text).toBe(
      'Short.\n\n<details>\n<summary>Full report</summary>\n\n### Long\n\nAll of it.\n\n</details>\n',
    );
  });

  test('is left out of Markdown where it is not short', () => {
    const brief = makeBrief('word '.repeat(3_000));
    expect(renderMarkdown(makeDocument({ sections: [long], brief }))).toBe(
      '### Long\n\nAll of it.\n',
    );
  });
});

describe('a drawing in a table', () => {
  test('is on a page alone, in a column that only a page has', () => {
    const table = makeTable({
      columns: [
        { title: 'name', kind: 'name' },
        { title: 'bar', only: ['html'] },
      ],
      rows: [['one', { draw: () => markup`<svg></svg>` }]],
    });
    const document = documentOf(table);
    expect(readPage(renderHtml(document)).querySelector('td > svg')).not.toBeNull();
    expect(renderMarkdown(document)).toContain('| name |');
    expect(renderTerminal(document)).toBe('One\nname\none\n');
  });
});

describe('places and files', () => {
  const document = documentOf({
    kind: 'paragraph',
    text: [{ place: { file: 'lib/deep/write.js', line: 53 } }, ' ', { file: 'files/a b#.json' }],
  });

  test('are whole on a page, which links to the file', () => {
    const paragraph = readPage(renderHtml(document)).querySelector('main p');
    expect(paragraph?.textContent).toBe('lib/deep/write.js:53 a b#.json');
    expect(paragraph?.querySelector('a')?.getAttribute('href')).toBe('./files/a%20b%23.json');
  });

  test('are the last part of the place, with its package, and the whole path elsewhere', () => {
    expect(renderMarkdown(document)).toBe('### One\n\nlib/write.js:53 `files/a b#.json`\n');
    expect(renderTerminal(document)).toBe('One\nlib/write.js:53 files/a b#.json\n');
  });

  test.each([
    ['bson/lib/index.js', 'bson/index.js:7'],
    ['@scope/codec/dist/esm/index.js', '@scope/codec/index.js:7'],
    ['…/work/other/index.js', 'other/index.js:7'],
    ['experiments/js-bson/codec/write.js', 'write.js:7'],
    ['node:internal/buffer', 'node:internal/buffer:7'],
    ['codec.js', 'codec.js:7'],
  ])('of %s are %s', (file, shown) => {
    const text = [{ place: { file, line: 7 } }];
    expect(renderTerminal(documentOf({ kind: 'paragraph', text }))).toBe(`One\n${shown}\n`);
  });
});

test('titles that are too long for a terminal are broken into lines', () => {
  const section = /** @type {const} */ ({ id: 'long', title: 'One two three' });
  const sections = [{ ...section, blocks: [/** @type {Block} */ ({ kind: 'output', text: 'x' })] }];
  expect(renderTerminal({ sections }, { width: 8 })).toBe('One two\nthree\n   │ x\n');
});

describe('a group', () => {
  test('goes without its title where a format should not print it', () => {
    const document = documentOf({
      kind: 'group',
      title: 'Title',
      untitled: ['terminal', 'html'],
      blocks: [{ kind: 'paragraph', text: 'Text.' }],
    });
    expect(renderTerminal(document)).toBe('One\nText.\n');
    expect(readPage(renderHtml(document)).querySelector('main')?.textContent).not.toContain(
      'Title',
    );
    expect(renderMarkdown(document)).toContain('**Title**');
  });
});

describe('Markdown that is too long', () => {
  const long = (/** @type {number} */ order) =>
    /** @type {Section} */ ({
      id: `long-${order}`,
      title: `Long ${order}`,
      order,
      blocks: new Array(8).fill({ kind: 'paragraph', text: 'word '.repeat(1000) }),
    });

  test('loses the section with the highest order and says so', () => {
    const text = renderMarkdown(makeDocument({ sections: [long(2), long(1), long(3)] }));
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('without long 2, without long 3');
    expect(text).toContain('data.json has everything');
    expect(text).toContain('### Long 1');
  });

  test('takes the short form of a section that has one', () => {
    const first = {
      ...long(2),
      short: /** @type {Block[]} */ ([{ kind: 'paragraph', text: 'Shorter.' }]),
    };
    const text = renderMarkdown(makeDocument({ sections: [first, long(1)] }));
    expect(text).toContain('long 2 in short');
    expect(text).toContain('Shorter.');
  });
});

describe('hostile text', () => {
  const text = HOSTILE_TEXT;
  const everything = makeDocument({
    title: [text, { code: text }],
    eyebrow: text,
    marker: text,
    footer: text,
    source: 'data.json',
    embedded: {
      start: '<script type="application/json" id="data">',
      end: '</script>',
      data: { text },
    },
    sections: [
      {
        id: 'all',
        title: text,
        blocks: [
          {
            kind: 'paragraph',
            role: 'lead',
            text: [text, { strong: text }, { tone: 'bad', text }, { code: text }],
          },
          { kind: 'paragraph', text: [{ link: text, text }, { notes: [1, 2] }] },
          { kind: 'paragraph', text: [{ place: { file: text, line: 1 } }, { file: text }] },
          { kind: 'paragraph', text: { badge: { sign: '▼', tone: 'good', text } } },
          {
            kind: 'facts',
            facts: [
              [text, text],
              ['command', { command: `just ${text}` }],
            ],
          },
          { kind: 'list', items: [text, { text, items: [text] }] },
          { kind: 'figure', draw: () => markup`<svg></svg>`, caption: text },
          { kind: 'notes', notes: [{ number: 1, text }] },
          { kind: 'command', label: text, text },
          { kind: 'output', text },
          { kind: 'group', title: text, blocks: [{ kind: 'paragraph', text }] },
          { kind: 'group', title: text, id: 'cell-1', blocks: [{ kind: 'paragraph', text }] },
          makeTable({
            caption: text,
            label: text,
            legend: text,
            columns: /** @type {Column[]} */ ([
              { title: text, kind: 'group', hint: text },
              { title: text, kind: 'name' },
              { title: text, kind: 'prose' },
            ]),
            rows: [
              [text, { code: text }, { value: text, sort: text }],
              { group: text, cells: [text, text, text] },
            ],
          }),
        ],
      },
      {
        id: 'folded',
        title: text,
        folded: ['markdown', 'html'],
        blocks: [{ kind: 'paragraph', text }],
      },
    ],
  });

  test('steers no terminal', () => {
    const printed = renderTerminal(everything);
    expect(printed).toContain('owned');
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });

  test('is text and nothing else in Markdown', () => {
    const written = renderMarkdown(everything);
    expect(written).toContain('owned');
    expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    const page = micromark(written, {
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    });
    const { document } = parseHTML(`<html><body>${page}</body></html>`);
    expect([...document.querySelectorAll('img, a, script, h1')].map(String)).toEqual([]);
    for (const code of document.querySelectorAll('code, pre')) code.remove();
    expect(document.body.textContent).not.toMatch(/@\w|#\d|:\/\/|www\.|:[a-z]+:/i);
  });

  test('is text and nothing else on a page', () => {
    const page = renderHtml(everything);
    expect(page.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    const { document } = parseHTML(page);
    expect(document.querySelectorAll('img, script:not(#data)').length).toBe(0);
    expect(document.querySelector('h1')?.textContent).toContain('<img src=x');
    const links = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
    expect(links.every((href) => href?.startsWith('#') || href?.startsWith('./'))).toBe(true);
    expect(JSON.parse(document.querySelector('#data')?.textContent ?? '')).toEqual({ text });
  });
});
