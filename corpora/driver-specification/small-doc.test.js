import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { describeDocument } from '../support/statistics.js';
import { corpus } from './small-doc.js';

describe('small-doc', () => {
  it('has 13 elements in about 250 bytes', () => {
    for (const document of corpus.documents()) {
      const { elements, levels, sizeBytes } = describeDocument(serialize(document));
      expect({ elements, levels }).toEqual({ elements: 13, levels: 1 });
      expect(Math.abs(sizeBytes - 250)).toBeLessThanOrEqual(5);
    }
  });
});
