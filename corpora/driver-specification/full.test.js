import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { corpus } from './full.js';
import { describeDocument } from '../support/statistics.js';
import { readExactTypes } from '../support/document-text.js';

const documents = [...corpus.documents()].map((document) => serialize(document));
const bytes = /** @type {Uint8Array} */ (documents[0]);
const statistics = describeDocument(bytes);

describe('full', () => {
  it('is one document of the size of the published one', () => {
    expect(documents).toHaveLength(1);
    expect(bytes.length).toBeGreaterThanOrEqual(4016);
    expect(bytes.length).toBeLessThanOrEqual(4026);
  });

  it('has the mixture of types of the published document', () => {
    const { Double, Long, ...others } = statistics.types;
    expect(Number(Double) + Number(Long)).toBe(12);
    expect(others).toEqual({
      Int32: 73,
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
    });
  });

  it('has the keys and nesting of the published document', () => {
    const { elements, documents: count, keys } = statistics;
    expect({ elements, count }).toEqual({ elements: 158, count: 19 });
    expect(keys).toHaveLength(118);
    expect(statistics.arrayLengths.every((length) => length >= 4 && length <= 10)).toBe(true);
  });

  it('has strings, binaries and code of 80', () => {
    expect(statistics.stringLengths).toEqual([80]);
    const values = Object.values(readExactTypes(bytes));
    const binaries = values.filter((value) => value._bsontype === 'Binary');
    const codes = values.filter((value) => value._bsontype === 'Code');
    expect(new Set(binaries.map((binary) => binary.length()))).toEqual(new Set([80]));
    expect(new Set(codes.map((code) => code.code.length))).toEqual(new Set([80]));
    expect(codes.every((code) => code.scope !== null)).toBe(true);
  });
});
