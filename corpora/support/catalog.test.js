import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../harness/lib/errors.js';
import { describeLong } from '../../harness/testing/support/gates.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { evaluateFresh } from '../../harness/testing/support/fresh-process.js';
import { describeCorpus, listCorpora } from './catalog.js';
import { importCorpus } from './import.js';
import { recordPath } from './registry.js';

/** @import { CorpusRow } from '../../harness/formats/types.ts' */

const directory = makeTestDirectory('catalog');

beforeAll(async () => {
  const file = join(directory, 'two.json');
  writeFileSync(file, '{"a":1}\n{"b":{"c":[{"d":2}]}}\n');
  await importCorpus('two-documents', file, { directory });
  const record = JSON.parse(readFileSync(recordPath(directory, 'two-documents'), 'utf8'));
  const lost = { ...record, name: 'lost', digest: `sha256:${'0'.repeat(64)}` };
  writeFileSync(recordPath(directory, 'lost'), JSON.stringify(lost));
});

// It makes every corpus, with every provenance.
describeLong('listCorpora', () => {
  /** @type {CorpusRow[]} */
  let rows;
  beforeAll(async () => {
    rows = await listCorpora({ directory });
  });

  /** @param {string} name */
  function findRow(name) {
    return rows.find((row) => row.name === name);
  }

  it('lists the corpora of a series in one row', () => {
    expect(findRow('object-id')?.siblings).toContain('object-id-array-1000');
    expect(findRow('object-id-array-1000')).toBeUndefined();
  });

  it('has no problems with built-in corpora', () => {
    const builtIn = rows.filter(({ group }) => group !== 'imported');
    expect(builtIn.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('lists imported corpora after the built-in ones', () => {
    expect(rows.at(-1)).toMatchObject({ name: 'two-documents', group: 'imported' });
  });

  it('lists an import without its documents, with the reason', () => {
    expect(findRow('lost')).toMatchObject({
      documentCount: 0,
      problems: [expect.stringMatching(/'lost' are missing or damaged/)],
    });
  });
});

describe('describeCorpus', () => {
  it('counts the objects that V8 keeps as dictionaries, by provenance', () => {
    const script = `import { describeCorpus } from '${new URL('catalog.js', import.meta.url)}';
      const place = { directory: process.argv[1] };
      const described = [];
      for (const label of ['flat', 'full']) described.push(await describeCorpus(label, place));
      console.log(JSON.stringify(described.map(({ objects }) => objects)));`;
    const [flat, full] = evaluateFresh(script, [directory]);
    const literal = Number.parseInt(process.versions.v8) < 14 ? 0 : 1;
    expect(flat).toEqual({
      parsed: { total: 1, dictionary: 1 },
      deserialized: { total: 1, dictionary: 1 },
      literal: { total: 1, dictionary: literal },
    });
    expect(full.parsed).toEqual({ total: 19, dictionary: 0 });
    expect(full.deserialized).toEqual({ total: 19, dictionary: 1 });
  });

  it.each([
    [
      'deep',
      {
        group: 'driver-specification',
        documentCount: 1,
        takesCount: false,
        elements: 126,
        levels: 6,
      },
    ],
    ['comments', { takesCount: true, elements: 600, levels: 1, problems: [] }],
    [
      'two-documents',
      {
        group: 'imported',
        documentCount: 2,
        takesCount: false,
        objects: { parsed: { total: 4, dictionary: 0 } },
        problems: [],
      },
    ],
  ])('measures the documents of %s', async (name, figures) => {
    expect(await describeCorpus(name, { directory })).toMatchObject(figures);
  });

  it('describes the requested number of documents', async () => {
    const row = await describeCorpus('theaters:3', { directory });
    expect(row).toMatchObject({ documentCount: 3, sampledDocuments: 3 });
    expect(row.objects.parsed?.total).toBe(12);
  });

  it.each(['two-documents:1', 'flat:3'])('rejects the count of %s', async (label) => {
    const attempt = describeCorpus(label, { directory });
    await expect(attempt).rejects.toThrow(/takes no count/);
    await expect(attempt).rejects.toMatchObject({ exitStatus: EXIT.usage });
  });

  it('rejects an import without its documents', async () => {
    await expect(describeCorpus('lost', { directory })).rejects.toMatchObject({
      message: expect.stringMatching(/'lost' are missing or damaged/),
      remedy: expect.stringMatching(/--replace/),
    });
  });
});
