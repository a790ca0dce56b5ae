import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { describeDocument } from '../support/statistics.js';
import { corpus } from './tweet.js';

const documents = [...corpus.documents()].map((document) => describeDocument(serialize(document)));

describe('tweet', () => {
  it('has the size of the published one: 1531 bytes', () => {
    for (const { sizeBytes } of documents) expect(Math.abs(sizeBytes - 1531)).toBeLessThan(20);
  });

  it('has its elements, keys and nesting', () => {
    for (const { elements, levels, keys } of documents) {
      expect({ elements, levels, keys: keys.length }).toEqual({
        elements: 59,
        levels: 5,
        keys: 51,
      });
    }
  });

  it('has its mixture of types', () => {
    const { types, stringLengths } = documents[0] ?? { types: {}, stringLengths: [] };
    expect(types).toEqual({
      string: 21,
      Int32: 11,
      Long: 2,
      null: 8,
      boolean: 10,
      document: 3,
      array: 4,
    });
    expect(stringLengths[0]).toBe(2);
    expect(stringLengths.at(-1)).toBeGreaterThanOrEqual(92);
    expect(stringLengths.at(-1)).toBeLessThanOrEqual(94);
  });
});
