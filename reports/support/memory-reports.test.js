/**
 * The sections on memory against the texts kept in `../golden/`. After a wanted change, write them
 * anew with `ASSAY_UPDATE_GOLDEN=1` before the test command, and read the diff.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { displayWidth } from '../../harness/lib/display-width.js';
import { makeManifest, makeVerdict } from './fixtures.js';
import { memorySection } from './markdown-memory.js';
import { makeMemoryReport } from './memory-fixtures.js';
import { layOutMemory } from './terminal-memory.js';

/** @import { MemoryVerdict } from '../../harness/formats/types.ts' */
/** @import { RenderInput } from '../types.ts' */

const MUST_UPDATE = process.env.ASSAY_UPDATE_GOLDEN === '1';

/**
 * @param {RenderInput} input
 * @param {number} [width]
 */
function layOut(input, width = 80) {
  return layOutMemory({ input, width, paint: (text) => text });
}

/** A run with a note, a zero and a figure that settles nothing. */
const report = makeMemoryReport(({ arm, process }, result) =>
  result.kind === 'allocation' && arm === 'candidate' && process === 1
    ? { ...result, windowHeapBytes: [2100] }
    : result,
);

test.each([
  ['terminal', `${layOut(report).join('\n')}\n`],
  ['markdown', `${memorySection(report.manifest, report.verdict)}\n`],
])('the %s section reads as kept', (name, text) => {
  const file = new URL(`../golden/memory-section.${name}.txt`, import.meta.url);
  if (MUST_UPDATE) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

describe('a run without memory', () => {
  const input = { manifest: makeManifest(), verdict: makeVerdict([]) };
  test('has no section', () => {
    expect(layOut(input)).toEqual([]);
    expect(memorySection(input.manifest, input.verdict)).toBe('');
  });

  test('has an empty section where memory was asked for and nothing came', () => {
    const verdict = makeVerdict([], { memory: { cells: [], corpora: [], warnings: [] } });
    expect(layOut({ ...input, verdict })).toEqual([]);
  });
});

describe('the section', () => {
  test('says that retention is missing only where an operation reads documents', () => {
    const { manifest, verdict } = makeMemoryReport();
    const memory = /** @type {MemoryVerdict} */ (verdict.memory);
    const layOutCells = (/** @type {boolean} */ readsDocuments) => {
      const cells = memory.cells.map((one) => ({ ...one, cell: { ...one.cell, readsDocuments } }));
      const ofCells = { ...verdict, memory: { ...memory, cells, corpora: [] } };
      return layOut({ manifest, verdict: ofCells }).join('\n');
    };
    expect(layOutCells(true)).toContain('What documents retain was not measured.');
    expect(layOutCells(false)).not.toContain('retain');
  });

  test.each([80, 100, 120])('fits %i columns', (width) => {
    for (const line of layOut(report, width)) {
      expect([line, displayWidth(line) <= width]).toEqual([line, true]);
    }
  });

  test('has no parts in short', () => {
    const [whole, short] = /** @type {const} */ (['whole', 'short']).map((form) =>
      memorySection(report.manifest, report.verdict, form),
    );
    expect(whole).toContain('What the retained bytes are made of');
    expect(short).not.toContain('What the retained bytes are made of');
    expect(short).toContain('smaller, strong');
  });

  test('lets no name of a constructor or field act as markup', () => {
    const hostile = '|`<img src=x>\n@all';
    const { manifest, verdict } = makeMemoryReport((_job, result) =>
      result.kind === 'retained-snapshot'
        ? {
            ...result,
            groups: result.groups.map((group, index) => ({
              ...group,
              name: index === 0 ? group.name : hostile,
              parts: group.parts.map((part) => ({ ...part, field: hostile, holds: hostile })),
            })),
          }
        : result,
    );
    const text = memorySection(manifest, verdict);
    expect(text).not.toMatch(/(^|[^\\`])<img/m);
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.every((row) => row.endsWith('|'))).toBe(true);
  });
});
