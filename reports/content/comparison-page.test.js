import { createHash } from 'node:crypto';
import { testLong } from '../../harness/testing/support/gates.js';
import { readPageAssets, renderHtml } from '../fixtures/render.js';
import { makeCell, makeManifest, makeVerdict } from '../fixtures/build.js';
import { explainedRun, makeProfiles } from '../fixtures/explained.js';

/** @import { RenderInput } from '../types.ts' */

const MAX_SIZE = 2_000_000;
const assets = readPageAssets();
const page = renderHtml(explainedRun(), assets);

/** The page without scripts, styles and embedded data: what a browser makes elements of. @param {string} html */
function stripInert(html) {
  return html.replace(/<(script|style)\b[^>]*>[^]*?<\/\1>/g, '<$1></$1>');
}

describe('the page', () => {
  test('has one first heading and skips no level', () => {
    const levels = [...stripInert(page).matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
  });

  test('gives every table a caption and headers with a scope', () => {
    const tables = page.match(/<table[^]*?<\/table>/g) ?? [];
    expect(tables.length).toBeGreaterThan(12);
    for (const table of tables) {
      expect(table).toContain('<caption>');
      expect(table.match(/<th(?![^>]*scope=)[\s>]/g)).toBeNull();
    }
  });

  test('gives every id once', () => {
    const ids = [...stripInert(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the security policy', () => {
  test('lets nothing in and runs nothing but the scripts of the page', () => {
    const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
    expect(policy).toContain('default-src &#39;none&#39;');
    const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
    expect(scripts).toHaveLength(3);
    for (const text of scripts) {
      expect(policy).toContain(createHash('sha256').update(text).digest('base64'));
    }
  });

  test('has nothing to stop: no element of the page loads anything', () => {
    const markup = stripInert(page);
    expect(markup).not.toMatch(/\s(?:src|srcset|xlink:href|poster|action|background)=/);
    expect(markup).not.toMatch(/<(?:link|img|iframe|object|embed|base|form action)\b/);
    expect(markup).not.toMatch(/\son\w+=/);
    for (const [, address] of markup.matchAll(/href="([^"]*)"/g)) {
      expect(address).toMatch(/^(?:#|\.\/)/);
    }
  });

  test('forbids every script where the page has none', () => {
    expect(renderHtml(explainedRun())).toContain('script-src &#39;none&#39;');
  });
});

describe('foreign text', () => {
  test('cannot make a link that leads out of the run’s directory', () => {
    const run = explainedRun();
    const [first] = run.verdict.explanation?.cells ?? [];
    const paths = ['javascript:alert(1)', '//host/x', 'https://host/x'];
    first.artefacts = paths.map((path) => ({ recorder: 'r', arm: 'baseline', path }));
    const links = [...renderHtml(run).matchAll(/<li>(?:[^<]*: )?<a href="([^"]*)"/g)].map(
      ([, to]) => to,
    );
    expect(links.filter((to) => !/^(?:#|\.\/)/.test(to))).toEqual([]);
    expect(links.filter((to) => to.startsWith('./')).length).toBeGreaterThanOrEqual(paths.length);
  });
});

describe('the size', () => {
  test('of a usual report is a fraction of what is allowed', () => {
    expect(page.length).toBeLessThan(MAX_SIZE / 2);
    expect(page).not.toContain('below 2 MB');
  });

  testLong('stays below the limit with very many cells, and the page says so', () => {
    const large = renderHtml(largeRun(), assets);
    expect(new TextEncoder().encode(large).length).toBeLessThan(MAX_SIZE);
    expect(large).toContain('below 2 MB');
  });
});

/** @returns {RenderInput} */
function largeRun() {
  const run = explainedRun();
  const [explained] = run.verdict.explanation?.cells ?? [];
  const cells = Array.from({ length: 45 }, (_, index) =>
    makeCell({
      operation: 'serialize',
      corpus: `c${index}`,
      verdict: 'slower',
      ratio: [1.9, 2, 2.1],
    }),
  );
  const observations = run.observations.filter(({ cellId }) => cellId === 'serialize flat');
  return {
    manifest: makeManifest(),
    verdict: makeVerdict(cells, {
      explanation: {
        cells: explained === undefined ? [] : cells.map(({ cell }) => ({ ...explained, cell })),
        warnings: [],
      },
    }),
    observations: cells.flatMap(({ cell }) =>
      observations.map((one) => ({ ...one, cellId: cell.id })),
    ),
    profiles: cells.map(({ cell }) => makeProfiles(cell.id)),
  };
}
