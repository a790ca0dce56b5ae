import * as bson from 'bson';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../harness/lib/errors.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { splitBsonDocuments } from './document-files.js';
import { importCorpus } from './import.js';
import { canonicalLabel, prepareCorpus } from './prepare.js';
import { findDefined } from './registry.js';

const directory = makeTestDirectory('prepare');

describe('prepareCorpus', () => {
  it('writes int64 as double for parsed documents, as relaxed parsing returns them', async () => {
    const { files } = await prepareCorpus('flat', { directory });
    const [bytes] = splitBsonDocuments(readFileSync(files.bytes));
    const values = Object.values(bson.deserialize(bytes ?? Buffer.of(), { promoteValues: false }));
    expect(values.filter((value) => value._bsontype === 'Double')).toHaveLength(48);
    expect(values.filter((value) => value._bsontype === 'Long')).toHaveLength(0);
  });

  it('writes only the files that the provenance needs', async () => {
    const deserialized = await prepareCorpus('sessions:3@deserialized', { directory });
    expect(existsSync(deserialized.files.text)).toBe(false);
    const parsed = await prepareCorpus('sessions:3', { directory });
    expect(existsSync(parsed.files.text)).toBe(true);
    expect(parsed.files.canonical).toBe(deserialized.files.canonical);
  });

  it.each(['deep', 'comments:7'])(
    'reuses intact files of %s and rewrites damaged ones',
    async (label) => {
      const { digest, files } = await prepareCorpus(label, { directory });
      const paths = Object.values(files);
      const untouched = paths.map((path) => statSync(path).mtimeMs);
      await prepareCorpus(label, { directory });
      expect(paths.map((path) => statSync(path).mtimeMs)).toEqual(untouched);

      const contents = paths.map((path) => readFileSync(path, 'latin1'));
      for (const path of paths) truncateSync(path, 100);
      expect((await prepareCorpus(label, { directory })).digest).toBe(digest);
      expect(paths.map((path) => readFileSync(path, 'latin1'))).toEqual(contents);
    },
  );

  it('suggests a similar name', async () => {
    const attempt = prepareCorpus('flta', { directory });
    await expect(attempt).rejects.toThrow("no corpus 'flta'; did you mean 'flat'?");
    await expect(prepareCorpus('../flat', { directory })).rejects.toThrow(UsageError);
  });

  it('asks for a new import when the stored documents are damaged', async () => {
    const file = join(directory, 'one.json');
    writeFileSync(file, '{"a":1}');
    await importCorpus('damaged', file, { directory });
    const { files } = await prepareCorpus('damaged', { directory });
    writeFileSync(files.canonical, 'garbage');
    await expect(prepareCorpus('damaged', { directory })).rejects.toThrow(/missing or damaged/);
    await importCorpus('damaged', file, { directory, replace: true });
    await expect(prepareCorpus('damaged', { directory })).resolves.toMatchObject({ files });
  });
});

describe('prepareCorpus with a count', () => {
  it('prepares that many documents, the first of which are always the same', async () => {
    const few = await prepareCorpus('comments:30', { directory });
    const usual = await prepareCorpus('comments', { directory });
    const many = await prepareCorpus('comments:130', { directory });
    expect([few, usual, many].map((each) => each.documentCount)).toEqual([30, 100, 130]);
    const [fewBytes, usualBytes, manyBytes] = [few, usual, many].map(({ files }) =>
      readFileSync(files.canonical),
    );
    expect(usualBytes?.subarray(0, few.sizeBytes).equals(fewBytes ?? Buffer.of())).toBe(true);
    expect(manyBytes?.subarray(0, usual.sizeBytes).equals(usualBytes ?? Buffer.of())).toBe(true);
    const [first] = splitBsonDocuments(fewBytes ?? Buffer.of());
    expect([...splitBsonDocuments(fewBytes ?? Buffer.of())]).toHaveLength(30);
    expect(first?.length).toBeGreaterThan(100);
  });

  it('computes the digest, which is the pinned one for the default count', async () => {
    const { digest, files } = await prepareCorpus('comments:30', { directory });
    const hash = createHash('sha256').update(readFileSync(files.canonical)).digest('hex');
    expect(digest).toBe(`sha256:${hash}`);
    const [byDefault, typed] = await Promise.all(
      ['comments', 'comments:100'].map((label) => prepareCorpus(label, { directory })),
    );
    expect(typed?.digest).toBe(byDefault?.digest);
    expect(typed?.files).toEqual(byDefault?.files);
  });

  it('detects a generator that does not match the pinned digest, for any count', async () => {
    const found = await findDefined('comments', { directory });
    if (found?.origin !== 'defined') throw new Error('there are no comments');
    const { corpus } = found;
    const { digest = '' } = corpus;
    corpus.digest = 'sha256:other';
    try {
      for (const label of ['comments', 'comments:5', 'comments:105']) {
        const attempt = prepareCorpus(label, { directory });
        await expect(attempt).rejects.toThrow(/'comments' generates sha256:.*'sha256:other'/);
      }
    } finally {
      corpus.digest = digest;
    }
  });

  it('is rejected by corpora with fixed documents', async () => {
    const file = join(directory, 'fixed.json');
    writeFileSync(file, '{"a":1}');
    await importCorpus('fixed', file, { directory });
    for (const label of ['flat:2', 'fixed:2']) {
      await expect(prepareCorpus(label, { directory })).rejects.toThrow(/takes no count/);
    }
  });

  it('has its own folder for each count', async () => {
    const folders = await Promise.all(
      ['comments:30', 'comments:31'].map(async (label) => {
        return dirname((await prepareCorpus(label, { directory })).files.canonical);
      }),
    );
    expect(new Set(folders).size).toBe(2);
  });
});

describe('canonicalLabel', () => {
  it.each([
    ['comments:100', 'comments'],
    ['comments:0100@parsed', 'comments'],
    ['comments:100@literal', 'comments@literal'],
    ['comments:20@literal', 'comments:20@literal'],
    ['flat@parsed', 'flat'],
  ])('normalizes %s to %s', async (typed, expected) => {
    expect(await canonicalLabel(typed, { directory })).toBe(expected);
  });

  it('rejects invalid labels', async () => {
    await expect(canonicalLabel('flat:1', { directory })).rejects.toThrow(/takes no count/);
    await expect(canonicalLabel('coments', { directory })).rejects.toThrow(/mean 'comments'/);
  });
});
