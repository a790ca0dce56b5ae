import { createHash } from 'node:crypto';
import { readPageAssets, renderHtml } from '../fixtures/render.js';
import { makeCell, makeManifest, makeVerdict } from '../fixtures/build.js';
import { explainedRun, makeProfiles } from '../fixtures/explained.js';
import { recordedRun } from '../fixtures/runs.js';

/** @import { RenderInput } from '../types.ts' */

const LARGEST_SIZE = 2_000_000;
const assets = readPageAssets();
const page = renderHtml(explainedRun(), assets);

/**
 * The page without scripts, styles and embedded data: what a browser makes elements of.
 * @param {string} html
 */
function stripInert(html) {
  return html.replace(/<(script|style)\b[^>]*>[^]*?<\/\1>/g, '<$1></$1>');
}

describe('the page', () => {
  test('has everything in the order in which a reader asks for it', () => {
    const ids = [...page.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id) => !id?.startsWith('cell-'))).toEqual([
      'verdict',
      'times',
      'means',
      'notes',
      'cells',
      'memory',
      'retained-1',
      'contract',
      'failed-jobs',
      'repeat',
      'measured',
      'host',
      'method',
    ]);
    expect(ids.filter((id) => id?.startsWith('cell-'))).toHaveLength(6);
  });

  test('says why a cell differs: words first, then what they rest on', () => {
    const cell = page.slice(page.indexOf('id="cell-1"'), page.indexOf('id="cell-2"'));
    const places = [
      'Object.entries, called on an object in dictionary mode',
      'Time of each process',
      'Time per document, by cause',
      'Functions, by change of self time',
      'class="flame"',
      'Source lines with the time spent on them',
      'wrong map',
      'megamorphic',
      'optimized (TurboFan)',
      'objects in dictionary mode',
      'Bytes allocated per document by call site',
      'scavenge, per 1000 documents',
      'instructions per document',
      'serialize-flat-baseline-0.cpuprofile',
    ].map((text) => cell.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test('is short about a cell that does not differ', () => {
    const start = page.indexOf('id="cell-4"');
    const cell = page.slice(start, page.indexOf('id="cell-5"'));
    expect(cell).toContain('equivalent');
    expect(cell).not.toContain('<h4');
  });

  test('says how sure it is right below the verdict', () => {
    const [, basis = ''] = /<p class="basis">(.*)<\/p>/.exec(page) ?? [];
    expect(basis.replaceAll(/<[^>]+>/g, '').replaceAll('\u00a0', ' ')).toBe(
      'Both variants produce the same output as npm:bson@7.3.1 for every document. 316 processes in 58.5 s. The control, the baseline against itself, measured between 0.998 and 1.047.',
    );
  });

  test('shows no figures, columns or sections of cells that have none', () => {
    const refused = renderHtml(recordedRun('refused'));
    expect(refused).toContain('>serialize flat<');
    expect(refused).not.toContain('95 % interval</th>');
    expect(refused).not.toContain('class="basis"');
    expect(refused).not.toContain('id="cells"');
    expect(refused).not.toContain('href="#cell-1"');
  });

  test('has no geometric means of single cells, whose own intervals are in the table', () => {
    const run = explainedRun();
    const one = run.verdict.summaries.map((summary) => ({ ...summary, cellCount: 1 }));
    const single = renderHtml({ ...run, verdict: { ...run.verdict, summaries: one } });
    expect(page).toContain('Geometric means over the cells');
    expect(single).not.toContain('Geometric means over the cells');
  });

  test('folds the files of a cell', () => {
    expect(page).toMatch(
      /<details class="artefacts"><summary>\d+ files? of this cell[^<]*<\/summary>\s*<ul>/,
    );
  });

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

  test('numbers the notes as the rest refers to them', () => {
    expect(page).toContain('<li id="note-1" value="1">');
    expect(page).toContain('href="#note-1"');
    expect(page).toContain('<li id="note-90" value="90">');
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
    for (const path of ['javascript:alert(1)', '//host/x', 'https://host/x']) {
      const [first] = run.verdict.explanation?.cells ?? [];
      if (first !== undefined) first.artefacts = [{ recorder: 'r', arm: 'baseline', path }];
      const links = [...renderHtml(run).matchAll(/<li>(?:[^<]*: )?<a href="([^"]*)"/g)].map(
        ([, to]) => to,
      );
      expect(links.filter((to) => !/^(?:#|\.\/)/.test(to ?? ''))).toEqual([]);
      expect(links.some((to) => to?.startsWith('./'))).toBe(true);
    }
  });
});

describe('the size', () => {
  test('of a usual report is a fraction of what is allowed', () => {
    expect(page.length).toBeLessThan(LARGEST_SIZE / 2);
    expect(page).not.toContain('below 2 MB');
  });

  test('stays below the limit with very many cells, and the page says so', () => {
    const large = renderHtml(largeRun(), assets);
    expect(new TextEncoder().encode(large).length).toBeLessThan(LARGEST_SIZE);
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
