import { plainText } from '../../document/inline.js';
import { writeSection as writeMarkdown } from '../../document/markdown.js';
import { renderTerminal } from '../../document/terminal.js';
import { displayWidth } from '../../../harness/lib/columns.js';
import { makeManifest, makeVerdict } from '../../fixtures/build.js';
import { makeMemoryReport, makeNotedMemoryReport } from '../../fixtures/memory.js';
import { makeMemorySection, summarizeMemory } from './memory.js';

/** @import { MemoryMetric, MemoryVerdict } from '../../../harness/formats/types.ts' */
/** @import { RenderInput } from '../../types.ts' */

/** @param {Pick<RenderInput, 'manifest' | 'verdict'>} input @param {number} [width] */
function print({ manifest, verdict }, width = 80) {
  return renderTerminal({ sections: [makeMemorySection(manifest, verdict)] }, { width });
}

const report = makeNotedMemoryReport();
const section = makeMemorySection(report.manifest, report.verdict);

describe('a run without memory', () => {
  const manifest = makeManifest();

  test('has no section', () => {
    expect(makeMemorySection(manifest, makeVerdict([])).blocks).toEqual([]);
  });

  test('has an empty section where memory was asked for and nothing came', () => {
    const verdict = makeVerdict([], { memory: { cells: [], corpora: [], warnings: [] } });
    expect(print({ manifest, verdict }).trim()).toBe('');
    expect(writeMarkdown(makeMemorySection(manifest, verdict))).toBe('');
  });
});

describe('the section', () => {
  test('says that retention is missing only where an operation reads documents', () => {
    const { manifest, verdict } = makeMemoryReport();
    const memory = /** @type {MemoryVerdict} */ (verdict.memory);
    const printCells = (/** @type {boolean} */ readsDocuments) => {
      const cells = memory.cells.map((one) => ({ ...one, cell: { ...one.cell, readsDocuments } }));
      return print({
        manifest,
        verdict: { ...verdict, memory: { ...memory, cells, corpora: [] } },
      });
    };
    expect(printCells(true)).toContain('Retained memory was not measured.');
    expect(printCells(false)).not.toContain('retain');
  });

  test.each([80, 100, 120])('fits %i columns', (width) => {
    for (const line of print(report, width).split('\n')) {
      expect([line, displayWidth(line) <= width]).toEqual([line, true]);
    }
  });

  test('has no parts in short', () => {
    const whole = writeMarkdown(section);
    const short = writeMarkdown({ ...section, blocks: section.short ?? [] });
    expect(whole).toContain('What the retained bytes consist of');
    expect(short).not.toContain('What the retained bytes consist of');
    expect(short).toContain('smaller, strong');
  });
});

describe('the sentence', () => {
  const { question } = report.manifest;
  const memory = /** @type {MemoryVerdict} */ (report.verdict.memory);
  const say = (/** @type {MemoryVerdict} */ some) =>
    plainText(summarizeMemory(question, some)).replaceAll('\u00a0', ' ');

  test('names the largest differences', () => {
    expect(say(memory)).toBe(
      'Compared with linked-list, packed retains 569 B per document instead of 745 B on comments (×0.764) and allocates 2 030 B per document instead of 2 209 B in deserialize comments (×0.919, 95 % interval 0.913–0.929).',
    );
  });

  test('does not repeat the name of one of several candidates', () => {
    const cells = memory.cells.map(({ cell, ...rest }) => ({
      cell: { ...cell, id: `${cell.id} packed`, sharedId: cell.id, candidate: 0 },
      ...rest,
    }));
    expect(say({ ...memory, cells })).toBe(say(memory));
  });

  test('says without a difference what the figures amount to', () => {
    const calm = (/** @type {MemoryMetric[]} */ metrics) =>
      metrics.map((metric, index) => ({
        ...metric,
        verdict: index === 0 ? /** @type {const} */ ('inconclusive') : 'equivalent',
      }));
    const some = /** @type {MemoryVerdict} */ ({
      ...memory,
      cells: [],
      corpora: memory.corpora.map((one) => ({ ...one, metrics: calm(one.metrics) })),
    });
    expect(say(some)).toBe(
      'Memory use of packed and linked-list is equivalent within 3 % in 1 of 2 metrics, inconclusive in 1.',
    );
  });
});
