import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCorpus, listCorpora } from './catalog.js';
import { importCorpus } from './import.js';

/** @import { CorpusRow } from './catalog.js' */

// Generous, since every corpus is made here and other work may share the machine.
jest.setTimeout(60_000);

/** @type {string} */
let directory;
/** @type {CorpusRow[]} */
let rows;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'assay-catalog-'));
  const file = join(directory, 'two.json');
  writeFileSync(file, '{"a":1}\n{"b":{"c":[{"d":2}]}}\n');
  await importCorpus('two-documents', file, { directory });
  rows = await listCorpora({ directory });
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** @param {string} name */
function findRow(name) {
  return rows.find((row) => row.name === name);
}

describe('listCorpora', () => {
  it('says how many objects of each provenance V8 keeps as dictionaries', () => {
    expect(findRow('flat')?.objects).toEqual({
      parsed: { total: 1, dictionary: 1 },
      deserialized: { total: 1, dictionary: 1 },
      literal: { total: 1, dictionary: 0 },
    });
    expect(findRow('full')?.objects.parsed).toEqual({ total: 19, dictionary: 0 });
    expect(findRow('full')?.objects.deserialized).toEqual({ total: 19, dictionary: 1 });
  });

  it('gives one row to the corpora of one file', () => {
    expect(findRow('object-id')?.siblings).toContain('object-id-array-1000');
    expect(findRow('object-id-array-1000')).toBeUndefined();
  });

  it('measures the documents', () => {
    expect(findRow('deep')).toMatchObject({
      group: 'driver-specification',
      documentCount: 1,
      takesCount: false,
      elements: 126,
      levels: 6,
    });
    expect(findRow('comments')).toMatchObject({ takesCount: true, elements: 600, levels: 1 });
  });

  it('finds nothing that cannot be made', () => {
    expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('lists imported corpora after the built-in ones', () => {
    expect(rows.at(-1)).toMatchObject({
      name: 'two-documents',
      group: 'imported',
      documentCount: 2,
      takesCount: false,
      objects: { parsed: { total: 4, dictionary: 0 } },
      problems: [],
    });
  });
});

describe('describeCorpus', () => {
  it('describes as many documents as are asked for', async () => {
    const row = await describeCorpus('theaters:3', { directory });
    expect(row).toMatchObject({ documentCount: 3, sampledDocuments: 3 });
    expect(row.objects.parsed?.total).toBe(12);
  });
});
