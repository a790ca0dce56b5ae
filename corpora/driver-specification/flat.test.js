import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { corpus } from './flat.js';
import { describeDocument } from '../support/statistics.js';
import { readExactTypes } from '../support/document-text.js';

const documents = [...corpus.documents()].map((document) => serialize(document));
const bytes = /** @type {Uint8Array} */ (documents[0]);

describe('flat', () => {
  it('is one document of the size of the published one', () => {
    expect(documents).toHaveLength(1);
    expect(Math.abs(bytes.length - 6046)).toBeLessThanOrEqual(60);
  });

  it('has the types, keys and strings of the published document', () => {
    const {
      types,
      elements,
      documents: count,
      levels,
      keys,
      keyLengths,
      stringLengths,
    } = describeDocument(bytes);
    expect(types).toEqual({
      ObjectId: 1,
      string: 48,
      Int32: 24,
      Double: 24,
      Long: 24,
      boolean: 24,
    });
    expect({ elements, count, levels }).toEqual({ elements: 145, count: 1, levels: 1 });
    expect(keys).toHaveLength(145);
    expect(keyLengths).toEqual([3, 8]);
    expect(stringLengths).toEqual([80]);
  });

  it('uses ASCII throughout', () => {
    for (const [key, value] of Object.entries(readExactTypes(bytes))) {
      expect(key).toMatch(/^[A-Za-z_]+$/);
      if (typeof value === 'string') expect(value).toMatch(/^[A-Za-z0-9]+$/);
    }
  });

  it('has 64-bit integers beyond int32 that are exact doubles, and doubles that are no integers', () => {
    for (const value of Object.values(readExactTypes(bytes))) {
      if (value._bsontype === 'Long') {
        expect(Math.abs(value.toNumber())).toBeGreaterThan(2 ** 31);
        expect(Number.isSafeInteger(value.toNumber())).toBe(true);
      }
      if (value._bsontype === 'Double') expect(Number.isInteger(value.value)).toBe(false);
    }
  });
});
