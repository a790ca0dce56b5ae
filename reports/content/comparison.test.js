import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { displayWidth } from '../../harness/lib/columns.js';
import {
  listOverflows,
  renderAnswer,
  renderHtml,
  renderMarkdown,
  renderTerminal,
} from '../fixtures/render.js';
import { makeCell, makeManifest, makeVerdict } from '../fixtures/build.js';
import { hostileRun } from '../fixtures/hostile.js';
import { RECORDED_RUN_NAMES, recordedRun } from '../fixtures/runs.js';
import { orderVerdict } from './comparison.js';

/** @import { RenderInput } from '../types.ts' */

// eslint-disable-next-line no-control-regex -- the escape character is what is looked for.
const ANSI = /\u001b\[\d+m/g;

/** @type {(text: string) => number} columns of its longest line */
function widestLine(text) {
  return Math.max(...text.split('\n').map(displayWidth));
}

/** @returns {RenderInput} names longer than a line, some in double-width characters */
function runWithLongNames() {
  const longName = `path:../${'a-very-long-directory/'.repeat(9)}codec`;
  const wideName = '直列化器の変種'.repeat(4);
  const cells = ['serialize', 'deserialize'].flatMap((operation) =>
    [longName, wideName, 'flat@deserialized'].map((corpus) =>
      makeCell({
        operation,
        corpus,
        verdict: 'inconclusive',
        ratio: [0.00012, 1.1, 98765],
        baselineNs: 123_456_789_012,
        processes: 96,
        processesNeeded: 12_345,
        warnings: [1, 22, 333, 4444],
      }),
    ),
  );
  const text = `${wideName.repeat(5)} and ${longName}`;
  return {
    manifest: {
      ...makeManifest({ baseline: longName, candidates: [wideName], mode: 'screen' }),
      command: `just compare ${longName} ${wideName} --node-flag '--a b'`,
    },
    verdict: makeVerdict(cells, { warnings: [{ number: 4444, kind: 'long', text }] }),
    runPath: `/${longName}/${wideName}`,
  };
}

describe('width', () => {
  test.each(RECORDED_RUN_NAMES)('no line of the run %s is wider than 80 columns', (runName) => {
    expect(widestLine(renderTerminal(recordedRun(runName)))).toBeLessThanOrEqual(80);
  });

  test.each([40, 60, 79, 80, 81, 100, 132, 240])(
    'keeps to %i columns but for words that are longer',
    (width) => {
      for (const render of [renderAnswer, renderTerminal]) {
        expect(listOverflows(render(runWithLongNames(), { width }), width)).toEqual([]);
        const hostile = render({ ...hostileRun(), runPath: 'run' }, { width });
        expect(listOverflows(hostile, width)).toEqual([]);
      }
    },
  );

  test('commands and paths can be copied whatever the width', () => {
    const input = runWithLongNames();
    const text = renderTerminal(input, { width: 40 });
    const shell = text.replaceAll(/ \\\n */g, ' ');
    expect(shell).toContain(`Repeat    ${input.manifest.command}\n`);
    expect(text).toContain(`Run       ${input.runPath}\n`);
  });

  test('a wider terminal gives the plot more room', () => {
    const plot = (/** @type {number} */ width) =>
      renderTerminal(recordedRun('equivalent'), { width }).match(/├─*●─*┤/)?.[0] ?? '';
    expect(plot(96).length).toBeGreaterThan(plot(80).length);
  });
});

describe('colour', () => {
  test.each(RECORDED_RUN_NAMES)('adds nothing but colour to the run %s', (runName) => {
    for (const render of [renderAnswer, renderTerminal]) {
      const colored = render(recordedRun(runName), { color: true });
      expect(colored).toMatch(ANSI);
      expect(colored.replace(ANSI, '')).toBe(render(recordedRun(runName)));
    }
  });
});

describe('content', () => {
  test('a command over several lines can still be pasted', () => {
    const run = recordedRun('faster');
    run.manifest.command = `just compare ${'--corpus some-corpus-name '.repeat(8)}--node-flag '--a  b'`;
    const [, printed = ''] = renderTerminal(run).match(/^Repeat {4}([^]*?)\nMeasured /m) ?? [];
    expect(printed.split('\n').length).toBeGreaterThan(1);
    const pasted = printed.replace(/\\\n\s*/g, '');
    expect(pasted).toBe(run.manifest.command);
  });
});

/**
 * The tables of a Markdown text outside of code blocks, each as its lines.
 * @type {(markdown: string) => string[][]}
 */
function findTables(markdown) {
  const withoutBlocks = markdown.replace(/^(`{3,})[^`\n]*\n[^]*?\n\1$/gm, '');
  const blocks = withoutBlocks.split(/\n{2,}/).map((block) => block.split('\n'));
  return blocks.filter(([first = '']) => first.startsWith('|'));
}

/** @type {(cellCount: number) => import('../types.ts').RenderInput} */
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

describe('the length of Markdown', () => {
  test('500 cells stay under 60 000 characters, and the report says what is short', () => {
    const markdown = renderMarkdown(largeRun(500));
    expect(markdown.length).toBeLessThan(60_000);
    expect(markdown).toContain('_Shortened to stay below 60000 characters: times in short');
    expect(findTables(markdown)[0]).toHaveLength(502);
    expect(markdown).toContain('What was measured');
  });

  test('a table that cannot fit is left out whole, and the rest stays', () => {
    const markdown = renderMarkdown(largeRun(2000));
    expect(markdown.length).toBeLessThan(60_000);
    expect(markdown).toContain('without times');
    expect(markdown).not.toContain('`corpus-number-0`');
    expect(markdown).toContain('All cells were noisy.');
  });

  test('endless names and texts do not get past the limit', () => {
    const markdown = renderMarkdown(hostileRun('`|<'.repeat(30_000)));
    expect(markdown.length).toBeLessThan(60_000);
  });
});

describe.each([renderAnswer, renderTerminal, renderMarkdown, renderHtml])('%p', (render) => {
  test.each(RECORDED_RUN_NAMES)('renders the run %s to text of whole lines', (runName) => {
    const text = render(recordedRun(runName));
    expect(text).toMatch(/\S\n$/);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  test('gives the same text for the same run and leaves the run as it was', () => {
    const run = recordedRun('mixed');
    const first = render(run);
    expect(render(run)).toBe(first);
    expect(run).toEqual(recordedRun('mixed'));
  });
});

describe('verdict.json', () => {
  test('holds the verdict and nothing else', () => {
    const run = recordedRun('mixed');
    expect(orderVerdict(run.verdict)).toEqual(run.verdict);
  });

  test('is the same text however the verdict was put together', () => {
    const run = recordedRun('mixed');
    const reversed = Object.fromEntries(Object.entries(run.verdict).reverse());
    const verdict = /** @type {typeof run.verdict} */ (/** @type {unknown} */ (reversed));
    expect(JSON.stringify(orderVerdict(verdict))).toBe(JSON.stringify(orderVerdict(run.verdict)));
  });

  test('begins with the format version and the run', () => {
    const start = `{"formatVersion":${FORMAT_VERSION},"runId":`;
    const text = JSON.stringify(orderVerdict(recordedRun('faster').verdict));
    expect(text.slice(0, start.length)).toBe(start);
  });
});
