import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { corpus } from './deep.js';
import { describeDocument } from '../support/statistics.js';

const documents = [...corpus.documents()].map((document) => serialize(document));
const statistics = describeDocument(/** @type {Uint8Array} */ (documents[0]));

describe('deep', () => {
  it('is one document of the size of the published one', () => {
    expect(documents).toHaveLength(1);
    expect(Math.abs(statistics.sizeBytes - 1966)).toBeLessThanOrEqual(19);
  });

  it('is a full binary tree of two keys with strings for leaves', () => {
    const { documents: count, elements, levels, types, keys, keyLengths } = statistics;
    expect({ count, elements, levels }).toEqual({ count: 63, elements: 126, levels: 6 });
    expect(types).toEqual({ document: 62, string: 64 });
    expect(keys).toHaveLength(2);
    expect(keyLengths).toEqual([4, 5]);
    expect(statistics.stringLengths).toEqual([8]);
  });
});
