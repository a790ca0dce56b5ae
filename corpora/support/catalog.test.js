import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as bson from 'bson';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../harness/errors.js';
import { splitBsonDocuments } from './bson-frames.js';
import { listCorpora } from './catalog.js';
import { importCorpus } from './import.js';
import { PROVENANCES, formatLabel } from './label.js';
import { materializeDocuments } from './materialize.js';
import { prepareCorpus } from './prepare.js';
import { findCorpus, listBuiltInNames } from './registry.js';

/** @type {string} */
let directory;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-catalog-'));
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

describe.each(listBuiltInNames())('built-in corpus %s', (name) => {
  it('is what its file says: name, purpose, pinned digest, the same documents every time', async () => {
    const { corpus } = await findCorpus(name, { directory });
    if (!('documents' in corpus)) throw new Error(`${name} is not built in`);
    const digests = [1, 2].map(() => {
      const hash = createHash('sha256');
      for (const document of corpus.documents()) hash.update(bson.serialize(document));
      return `sha256:${hash.digest('hex')}`;
    });
    expect(corpus.name).toBe(name);
    expect(corpus.stresses).not.toBe('');
    expect(digests).toEqual([corpus.digest, corpus.digest]);
  });

  it.each(PROVENANCES)('gives as %s the objects whose bytes are on file', async (provenance) => {
    const prepared = await prepareCorpus(formatLabel(name, provenance), { directory });
    const documents = await materializeDocuments(bson, prepared);
    const written = Buffer.concat(documents.map((document) => bson.serialize(document)));
    expect(documents).toHaveLength(prepared.documentCount);
    expect(written.equals(readFileSync(prepared.files.bytes))).toBe(true);
  });

  it('keeps every type in its text and as a literal', async () => {
    const literal = await prepareCorpus(`${name}@literal`, { directory });
    const canonical = readFileSync(literal.files.canonical);
    const lines = readFileSync(literal.files.text, 'utf8').trimEnd().split('\n');
    const fromText = lines.map((line) =>
      bson.serialize(bson.EJSON.parse(line, { relaxed: false })),
    );
    expect(Buffer.concat(fromText).equals(canonical)).toBe(true);
    expect(readFileSync(literal.files.bytes).equals(canonical)).toBe(true);
    expect(literal.sizeBytes).toBe(canonical.length);
  });
});

describe('prepareCorpus', () => {
  it('writes int64 as double for parsed documents, as a relaxed reader gets them', async () => {
    const { files } = await prepareCorpus('flat', { directory });
    const [bytes] = splitBsonDocuments(readFileSync(files.bytes));
    const values = Object.values(bson.deserialize(bytes ?? Buffer.of(), { promoteValues: false }));
    expect(values.filter((value) => value._bsontype === 'Double')).toHaveLength(48);
    expect(values.filter((value) => value._bsontype === 'Long')).toHaveLength(0);
  });

  it('uses again what is whole and mends what is not', async () => {
    const { files } = await prepareCorpus('deep', { directory });
    const paths = Object.values(files);
    const untouched = paths.map((path) => statSync(path).mtimeMs);
    await prepareCorpus('deep', { directory });
    expect(paths.map((path) => statSync(path).mtimeMs)).toEqual(untouched);

    const contents = paths.map((path) => readFileSync(path));
    for (const path of paths) truncateSync(path, 100);
    await prepareCorpus('deep', { directory });
    expect(paths.map((path) => readFileSync(path))).toEqual(contents);
  });

  it('names the corpus that was meant', async () => {
    const attempt = prepareCorpus('flta', { directory });
    await expect(attempt).rejects.toThrow("no corpus 'flta'; did you mean 'flat'?");
    await expect(prepareCorpus('../flat', { directory })).rejects.toThrow(UsageError);
  });

  it('asks for a new import when the stored documents are damaged', async () => {
    const file = join(directory, 'one.json');
    writeFileSync(file, '{"a":1}');
    importCorpus('damaged', file, { directory });
    const { files } = await prepareCorpus('damaged', { directory });
    writeFileSync(files.canonical, 'rubbish');
    await expect(prepareCorpus('damaged', { directory })).rejects.toThrow(/missing or damaged/);
    importCorpus('damaged', file, { directory, replace: true });
    await expect(prepareCorpus('damaged', { directory })).resolves.toMatchObject({ files });
  });
});

describe('listCorpora', () => {
  it('says how many objects of each provenance V8 keeps as dictionaries', async () => {
    const rows = await listCorpora({ directory });
    const flat = rows.find(({ name }) => name === 'flat');
    expect(flat?.objects).toEqual({
      parsed: { total: 1, dictionary: 1 },
      deserialized: { total: 1, dictionary: 1 },
      literal: { total: 1, dictionary: 0 },
    });
    const full = rows.find(({ name }) => name === 'full');
    expect(full?.objects.parsed).toEqual({ total: 19, dictionary: 0 });
    expect(full?.objects.deserialized).toEqual({ total: 19, dictionary: 1 });
  });

  it('lists imported corpora after the built-in ones', async () => {
    const file = join(directory, 'two.json');
    writeFileSync(file, '{"a":1}\n{"b":{"c":[{"d":2}]}}\n');
    const { digest } = importCorpus('two-documents', file, { directory, replace: true });
    const rows = await listCorpora({ directory });
    expect(rows.at(-1)).toMatchObject({
      name: 'two-documents',
      origin: 'imported',
      digest,
      documentCount: 2,
      objects: { parsed: { total: 4, dictionary: 0 } },
      problems: [],
    });
  });
});
