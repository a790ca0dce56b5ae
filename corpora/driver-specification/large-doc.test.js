import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { describeDocument } from '../support/statistics.js';
import { corpus } from './large-doc.js';

const documents = [...corpus.documents()].map((document) => serialize(document));
const statistics = describeDocument(/** @type {Uint8Array} */ (documents[0]));

describe('large-doc', () => {
  it('is one document of the size of the published one', () => {
    expect(documents).toHaveLength(1);
    expect(Math.abs(statistics.sizeBytes - 2_500_064)).toBeLessThan(2500);
  });

  it('has 94 355 fields with keys of 12, half of them strings of 12', () => {
    expect(statistics.keys).toHaveLength(94_355);
    expect(statistics.keyLengths).toEqual([12]);
    expect(statistics.stringLengths).toEqual([12]);
    expect(statistics.types).toEqual({ string: 47_178, Double: 47_177 });
  });
});
