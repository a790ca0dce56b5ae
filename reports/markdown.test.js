import { describe, expect, test } from '@jest/globals';
import { renderMarkdown } from './markdown.js';
import { makeCell, makeManifest, makeVerdict } from './support/fixtures.js';
import { hostileRun } from './support/hostile.js';
import { RECORDED_RUN_NAMES, recordedRun } from './support/recorded-runs.js';

/**
 * @param {string} line of a table
 * @returns {number} cells, as GitHub counts them
 */
function countCells(line) {
  return (line.match(/(?<!\\)\|/g) ?? []).length - 1;
}

/**
 * The tables of a Markdown text outside of code blocks, each as its lines.
 *
 * @param {string} markdown
 * @returns {string[][]}
 */
function findTables(markdown) {
  const withoutBlocks = markdown.replace(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '');
  const blocks = withoutBlocks.split(/\n{2,}/).map((block) => block.split('\n'));
  return blocks.filter(([first = '']) => first.startsWith('|'));
}

/**
 * What is left for Markdown to act upon: code blocks, code spans and escaped characters are gone.
 *
 * @param {string} markdown
 * @returns {string}
 */
function stripInert(markdown) {
  return markdown
    .replace(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '')
    .replace(/(?<![`\\])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
    .replace(/\\[!-/:-@[-`{-~]/g, '');
}

/**
 * @param {number} cellCount
 * @returns {import('./types.ts').RenderInput}
 */
function largeRun(cellCount) {
  const cells = Array.from({ length: cellCount }, (_, index) =>
    makeCell({
      operation: index % 2 === 0 ? 'serialize' : 'deserialize',
      corpus: `corpus-number-${index}`,
      verdict: 'faster',
      strong: true,
      ratio: [0.4, 0.42, 0.44],
      warnings: [1],
    }),
  );
  const warnings = [{ number: 1, kind: 'many', text: 'All cells were noisy.' }];
  return { manifest: makeManifest(), verdict: makeVerdict(cells, { warnings }) };
}

test('begins with a hidden line by which a bot finds its comment', () => {
  const [first] = renderMarkdown(recordedRun('faster')).split('\n');
  expect(first).toBe('<!-- assay:run 20250612-101502-generator-linked-list-7f3a -->');
});

test.each(RECORDED_RUN_NAMES)('all rows of every table of the run %s are complete', (runName) => {
  const tables = findTables(renderMarkdown(recordedRun(runName)));
  expect(tables.length).toBeGreaterThanOrEqual(3);
  for (const [header = '', ...rows] of tables) {
    for (const row of rows) expect([row, countCells(row)]).toEqual([row, countCells(header)]);
  }
});

describe('hostile text', () => {
  const markdown = renderMarkdown(hostileRun());

  test('breaks no table', () => {
    for (const [header = '', ...rows] of findTables(markdown)) {
      for (const row of rows) expect([row, countCells(row)]).toEqual([row, countCells(header)]);
    }
  });

  test('brings no markup, link, mention or formula', () => {
    const [marker = '', ...lines] = markdown.split('\n');
    expect(marker).toMatch(/^<!-- assay:run [\w.-]+ -->$/);
    const active = stripInert(lines.join('\n'));
    const tags = active.match(/<[^>]*>/g) ?? [];
    const ours = /^<(\/?details|\/?summary|br)>$/;
    expect(tags.filter((tag) => !ours.test(tag))).toEqual([]);
    expect(active).not.toMatch(/[[\]@$]|:\/\/|#\d|^#/m);
    expect(active).not.toContain('alert');
  });

  test('stays visible', () => {
    expect(markdown).toContain('\\u{202e}evil');
    expect(markdown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });
});

describe('length', () => {
  test('500 cells stay under 60 000 characters, and the report says what is short', () => {
    const markdown = renderMarkdown(largeRun(500));
    expect(markdown.length).toBeLessThan(60_000);
    expect(markdown).toContain('_Kept under 60000 characters: cells in short');
    expect(findTables(markdown)[0]).toHaveLength(502);
    expect(markdown).toContain('What was measured');
  });

  test('a table that cannot fit is left out whole, and the rest stays', () => {
    const markdown = renderMarkdown(largeRun(5000));
    expect(markdown.length).toBeLessThan(60_000);
    expect(markdown).toContain('without cells');
    expect(markdown).not.toContain('`serialize corpus-number-0`');
    expect(markdown).toContain('All cells were noisy.');
  });

  test('endless names and texts do not get past the limit', () => {
    const markdown = renderMarkdown(hostileRun('`|<'.repeat(30_000)));
    expect(markdown.length).toBeLessThan(60_000);
  });

  test('a usual report is whole', () => {
    const markdown = renderMarkdown(recordedRun('faster'));
    expect(markdown).not.toContain('Kept under');
    for (const title of ['What was measured', 'Host', 'Method']) {
      expect(markdown).toContain(`<summary>${title}</summary>`);
    }
  });
});

test('differences that ended the run are unfolded', () => {
  expect(renderMarkdown(recordedRun('refused'))).toContain(
    '<details open>\n<summary>Differences from the reference (2)</summary>',
  );
});
