import * as bson from 'bson';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isLong, testLong } from '../../harness/testing/support/gates.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { readExactTypes } from './document-text.js';
import { NAME_PATTERN, PROVENANCES, formatLabel } from './label.js';
import { streamDocuments } from './materialize.js';
import { prepareCorpus } from './prepare.js';
import { listCorpusModules, loadCorpora } from './registry.js';
import { streamLines } from './document-files.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */

/** @type {{ name: string, corpora: Corpus[] }[]} */
const modules = [];
for (const module of listCorpusModules()) {
  modules.push({ name: module.name, corpora: await loadCorpora(module) });
}
const corpora = modules.flatMap(({ corpora }) => corpora);

/** Limit for checks of individual documents; more would only take longer. */
const MAX_DOCUMENTS = isLong ? 2_000 : 100;
/** Larger corpora, and those with more documents by default, are made whole only in long tests. */
const MAX_BYTES = 2 ** 20;
const MAX_DEFAULT_COUNT = 10_000;
/** All types and kinds of sources; the others are stored and read again only in long tests. */
const REPRESENTATIVE = [
  'comments',
  'decimal128',
  'embedded-movies',
  'foo',
  'full',
  'nested-500',
  'non-ascii-keys',
  'object-id-array-10',
  'regexp',
  'urls-normal',
];

const directory = makeTestDirectory('contract');

/** @param {Corpus} corpus @param {number} [count] */
function encode(corpus, count) {
  return [...corpus.documents(count)].map((document) => Buffer.from(bson.serialize(document)));
}

describe('names of corpora', () => {
  it('are those of their files, or begin with them, except in tables', () => {
    for (const { name: fileName, corpora } of modules) {
      if (fileName === 'table') continue;
      const names = corpora.map(({ name }) => name);
      if (names.length === 1) expect(names).toEqual([fileName]);
      for (const name of names) expect(`${name}-`.startsWith(`${fileName}-`)).toBe(true);
    }
  });

  it('are unique and valid', () => {
    const names = corpora.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(NAME_PATTERN);
  });
});

describe.each(corpora.map((corpus) => ({ name: corpus.name, corpus })))(
  'built-in corpus $name',
  ({ name, corpus }) => {
    const { defaultCount = 0 } = corpus;
    const count = defaultCount > MAX_DOCUMENTS ? MAX_DOCUMENTS : null;
    const documents = encode(corpus, count ?? undefined);
    const sizeBytes = documents.reduce((sum, { length }) => sum + length, 0);
    const itStored = REPRESENTATIVE.includes(name) ? it : testLong;
    const itWhole = sizeBytes > MAX_BYTES || defaultCount > MAX_DEFAULT_COUNT ? testLong : it;

    itWhole('has a purpose and the pinned digest, and always yields the same documents', () => {
      const all = Buffer.concat(encode(corpus));
      const first = Buffer.concat(documents);
      expect(corpus.stresses).not.toBe('');
      expect(`sha256:${createHash('sha256').update(all).digest('hex')}`).toBe(corpus.digest);
      expect(first.equals(all.subarray(0, first.length))).toBe(true);
    });

    it('yields the same first documents for every count', () => {
      if (corpus.defaultCount === undefined) return;
      expect(documents).toHaveLength(count ?? corpus.defaultCount);
      const more = encode(corpus, documents.length + 1);
      expect(more).toHaveLength(documents.length + 1);
      expect(Buffer.concat(more.slice(0, -1)).equals(Buffer.concat(documents))).toBe(true);
      expect(Buffer.concat(encode(corpus, 1)).equals(documents[0] ?? Buffer.of())).toBe(true);
    });

    itWhole('is decoded and encoded by the reference without loss', () => {
      const again = documents.map((bytes) => bson.serialize(readExactTypes(bytes)));
      expect(Buffer.concat(again).equals(Buffer.concat(documents))).toBe(true);
    });

    itStored.each(PROVENANCES)('creates %s objects with the stored bytes', async (provenance) => {
      const prepared = await prepareCorpus(formatLabel({ name, count, provenance }), {
        directory,
      });
      const canonical = readFileSync(prepared.files.canonical);
      const onFile = readFileSync(prepared.files.bytes);
      const found = [...streamDocuments(bson, prepared)];
      const written = Buffer.concat(found.map((document) => bson.serialize(document)));
      expect(canonical.equals(Buffer.concat(documents))).toBe(true);
      expect(found).toHaveLength(prepared.documentCount);
      expect(prepared.sizeBytes).toBe(canonical.length);
      expect(written.equals(onFile)).toBe(true);
      if (provenance === 'literal') expect(onFile.equals(canonical)).toBe(true);
    });

    itStored('preserves every type in its text', async () => {
      const label = formatLabel({ name, count, provenance: 'parsed' });
      const { files } = await prepareCorpus(label, { directory });
      const lines = [...streamLines(files.text)];
      const again = lines.map((line) => bson.serialize(bson.EJSON.parse(line, { relaxed: false })));
      expect(Buffer.concat(again).equals(Buffer.concat(documents))).toBe(true);
    });
  },
);
