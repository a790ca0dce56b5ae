import * as bson from 'bson';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { growDocument } from './grow.js';
import { prepareCorpus } from './prepare.js';
import { streamBsonDocuments } from './document-files.js';

const directory = makeTestDirectory('grown');

test('arrays repeat their elements, other fields have copies under new keys', () => {
  const inner = { a: [1] };
  expect(growDocument({ list: [[1], 2], inner, inner_2: 'x' }, 2)).toEqual({
    list: [[1], 2, [1], 2],
    ...{ inner, inner_2: 'x', inner_2_: inner, inner_2_2: 'x' },
  });
  expect(growDocument({ a: 1 }, 1)).toEqual({ a: 1 });
});

test.each(['flat', 'deep@deserialized', 'small-doc@literal'])(
  'the documents of %s are about so many times as large, in each form',
  async (text) => {
    const [name, provenance] = text.split('@');
    const end = provenance === undefined ? '' : `@${provenance}`;
    const plain = await prepareCorpus(text, { directory });
    const grown = await prepareCorpus(`${name}*4${end}`, { directory });
    const { documentCount } = plain;
    expect(grown).toMatchObject({ label: `${name}*4${end}`, name, documentCount });
    expect(grown.digest).not.toBe(plain.digest);
    expect(grown.sizeBytes / plain.sizeBytes).toBeGreaterThan(3.8);
    expect(grown.sizeBytes / plain.sizeBytes).toBeLessThan(4.4);
    expect(await prepareCorpus(`${name}*4${end}`, { directory })).toEqual(grown);
    const [bytes] = streamBsonDocuments(grown.files.bytes);
    expect(Object.keys(bson.deserialize(bytes)).length).toBeGreaterThan(3);
  },
);

test('types of values are kept', async () => {
  const { files } = await prepareCorpus('full*2', { directory });
  const [bytes] = streamBsonDocuments(files.canonical);
  const document = bson.deserialize(bytes, { promoteValues: false });
  for (const [key, value] of Object.entries(document)) {
    const copy = document[`${key}_2`];
    if (copy !== undefined) expect(copy).toEqual(value);
  }
  expect(Object.keys(document).some((key) => key.endsWith('_2'))).toBe(true);
});
