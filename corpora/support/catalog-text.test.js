import { describe, expect, it } from '@jest/globals';
import { listOverflows } from '../../reports/support/test-support/list-overflows.js';
import { formatCatalog, formatCorpus } from './catalog.js';

/** @import { CorpusRow } from './catalog.js' */

/**
 * @param {Partial<CorpusRow>} changes
 * @returns {CorpusRow}
 */
function makeRow(changes) {
  return {
    name: 'flat',
    group: 'driver-specification',
    siblings: [],
    stresses: 'one wide document',
    digest: `sha256:${'0'.repeat(64)}`,
    documentCount: 2,
    takesCount: false,
    sizeBytes: 12_092,
    sampledDocuments: 2,
    elements: 290,
    levels: 1,
    objects: {
      parsed: { total: 2, dictionary: 2 },
      deserialized: { total: 2, dictionary: 1 },
      literal: { total: 2, dictionary: 0 },
    },
    problems: [],
    ...changes,
  };
}

describe('formatCatalog', () => {
  it('gives each corpus a line of figures by document, under its group', () => {
    expect(formatCatalog([makeRow({})], 80)).toEqual([
      'driver specification  docs    size each  fields  levels  dictionary when',
      '  flat                   2  6 046 bytes     145       1  parsed, deserialized',
      '    one wide document',
      '',
    ]);
  });

  it('has the groups in the order of a reader, the imported ones last', () => {
    const groups = ['adversarial', 'imported', 'mflix', 'zoo', 'driver-specification'];
    const lines = formatCatalog(
      groups.map((group) => makeRow({ group })),
      80,
    );
    const headings = lines.filter((line) => /^\S/.test(line)).map((line) => line.split('  ')[0]);
    expect(headings).toEqual(['driver specification', 'mflix', 'adversarial', 'zoo', 'imported']);
  });

  it('shortens the names of siblings to what differs', () => {
    const row = makeRow({ name: 'date', siblings: ['date-array-1', 'date-array-10'] });
    expect(formatCatalog([row], 80)).toContain('    also as -array-1, -array-10');
  });

  it('stays within the width, whatever the user calls a corpus', () => {
    const row = makeRow({
      name: 'x'.repeat(64),
      group: 'imported',
      stresses: `imported from ${'y'.repeat(200)}`,
      problems: ['document 1 of corpus cannot be made as literal: '.repeat(4)],
    });
    const lines = formatCatalog([row], 80);
    expect(listOverflows(lines.join('\n'), 80)).toEqual([]);
    expect(lines).toContain(`  ${'x'.repeat(64)}`);
  });

  it('shows a dash where documents could not be made', () => {
    const row = makeRow({ documentCount: 0, sizeBytes: 0, sampledDocuments: 0, elements: 0 });
    const line = formatCatalog([row], 80)[1];
    expect(line).not.toMatch(/NaN|Infinity/);
    expect(line).toMatch(/flat +0 +– +–/);
  });
});

describe('formatCorpus', () => {
  it('says everything about one', () => {
    const lines = formatCorpus(makeRow({ documentCount: 3000 }), 80);
    expect(lines[0]).toBe('flat  (driver specification)');
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(
      'dictionary mode: 2 parsed, 1 deserialized, 0 literal, of 2 objects in the first 2 documents',
    );
    expect(lines.some((line) => line.includes('sha256:'))).toBe(true);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
  });
});
