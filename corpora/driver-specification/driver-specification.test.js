import { serialize } from 'bson';
import { testLong } from '../../harness/testing/support/gates.js';
import { readExactTypes } from '../support/document-text.js';
import { describeDocument } from '../support/statistics.js';
import { corpus as deep } from './deep.js';
import { corpus as flat } from './flat.js';
import { corpus as full } from './full.js';
import { corpus as largeDoc } from './large-doc.js';
import { corpus as smallDoc } from './small-doc.js';
import { corpus as tweet } from './tweet.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */

/** @param {Corpus} corpus */
function listBytes(corpus) {
  return [...corpus.documents()].map((document) => serialize(document));
}

/**
 * Number, sizes and statistics of the published documents.
 * @type {[Corpus, { count: number, sizeBytes: number, within: number }, object][]}
 */
const PUBLISHED = [
  [
    deep,
    { count: 1, sizeBytes: 1966, within: 19 },
    {
      documents: 63,
      elements: 126,
      levels: 6,
      types: { document: 62, string: 64 },
      keyCount: 2,
      keyLengths: [4, 5],
      stringLengths: [8],
    },
  ],
  [
    flat,
    { count: 1, sizeBytes: 6046, within: 60 },
    {
      documents: 1,
      elements: 145,
      levels: 1,
      types: { ObjectId: 1, string: 48, Int32: 24, Double: 24, Long: 24, boolean: 24 },
      keyCount: 145,
      keyLengths: [3, 8],
      stringLengths: [80],
    },
  ],
  [
    full,
    { count: 1, sizeBytes: 4021, within: 5 },
    {
      documents: 19,
      elements: 158,
      types: {
        Int32: 73,
        Double: 6,
        Long: 6,
        Binary: 6,
        document: 6,
        MaxKey: 6,
        MinKey: 6,
        date: 6,
        Timestamp: 6,
        string: 6,
        array: 6,
        boolean: 12,
        Code: 12,
        ObjectId: 1,
      },
      keyCount: 118,
      stringLengths: [80],
      arrayLengths: [4, 5, 6, 7, 8, 10],
    },
  ],
  [
    largeDoc,
    { count: 1, sizeBytes: 2_500_064, within: 2500 },
    {
      types: { string: 47_178, Double: 47_177 },
      keyCount: 94_355,
      keyLengths: [12],
      stringLengths: [12],
    },
  ],
  [smallDoc, { count: 100, sizeBytes: 250, within: 5 }, { elements: 13, levels: 1 }],
  [
    tweet,
    { count: 100, sizeBytes: 1531, within: 19 },
    {
      elements: 59,
      levels: 5,
      keyCount: 51,
      types: { string: 21, Int32: 11, Long: 2, null: 8, boolean: 10, document: 3, array: 4 },
    },
  ],
];

describe.each(PUBLISHED.map(([corpus, ...rest]) => ({ name: corpus.name, corpus, rest })))(
  '$name',
  ({ corpus, rest: [{ count, sizeBytes, within }, statistics] }) => {
    const itWhole = sizeBytes > 2 ** 20 ? testLong : it;

    itWhole('has the number, sizes and structure of the published documents', () => {
      const documents = listBytes(corpus);
      expect(documents).toHaveLength(count);
      for (const bytes of documents) {
        expect(Math.abs(bytes.length - sizeBytes)).toBeLessThanOrEqual(within);
        const found = describeDocument(bytes);
        expect({ ...found, keyCount: found.keys.length }).toMatchObject(statistics);
      }
    });
  },
);

describe('flat', () => {
  const values = Object.entries(readExactTypes(listBytes(flat)[0] ?? Buffer.of()));

  it('has only ASCII keys and strings', () => {
    for (const [key, value] of values) {
      expect(key).toMatch(/^[A-Za-z_]+$/);
      if (typeof value === 'string') expect(value).toMatch(/^[A-Za-z0-9]+$/);
    }
  });

  it('has int64 beyond int32 that are exact doubles, and doubles that are not integers', () => {
    for (const [, value] of values) {
      if (value._bsontype === 'Long') {
        expect(Math.abs(value.toNumber())).toBeGreaterThan(2 ** 31);
        expect(Number.isSafeInteger(value.toNumber())).toBe(true);
      }
      if (value._bsontype === 'Double') expect(Number.isInteger(value.value)).toBe(false);
    }
  });
});

describe('full', () => {
  it('has binaries and code with a scope of 80 bytes and characters', () => {
    const values = Object.values(readExactTypes(listBytes(full)[0] ?? Buffer.of()));
    const binaries = values.filter((value) => value._bsontype === 'Binary');
    const codes = values.filter((value) => value._bsontype === 'Code');
    expect(new Set(binaries.map((binary) => binary.length()))).toEqual(new Set([80]));
    expect(new Set(codes.map((code) => code.code.length))).toEqual(new Set([80]));
    expect(codes.every((code) => code.scope !== null)).toBe(true);
  });
});

describe('tweet', () => {
  it('has strings of 2 to 94 characters', () => {
    for (const bytes of listBytes(tweet)) {
      const { stringLengths } = describeDocument(bytes);
      expect(stringLengths[0]).toBe(2);
      expect(stringLengths.at(-1)).toBeGreaterThanOrEqual(92);
      expect(stringLengths.at(-1)).toBeLessThanOrEqual(94);
    }
  });
});
