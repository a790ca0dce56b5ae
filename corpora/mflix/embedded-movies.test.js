import { describe, expect, it } from '@jest/globals';
import { corpus } from './embedded-movies.js';
import { describeSeries } from '../support/statistics.js';

describe('embedded-movies', () => {
  it('are movies of 16 kB with two vectors of float32', () => {
    const { documents, sizeBytes } = describeSeries(corpus);
    expect(Math.abs(sizeBytes.median - 16_000)).toBeLessThan(400);
    for (const { plot_embedding, plot_embedding_large } of documents.slice(0, 20)) {
      expect(plot_embedding.length()).toBe(6146);
      expect(plot_embedding_large.length()).toBe(8194);
      expect(plot_embedding.toFloat32Array()).toHaveLength(1536);
    }
  });
});
