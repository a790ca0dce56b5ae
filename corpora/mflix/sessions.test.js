import { describe, expect, it } from '@jest/globals';
import { describeSeries } from '../support/statistics.js';
import { corpus } from './sessions.js';

const { documents, keyOrders, sizeBytes } = describeSeries(corpus);

describe('sessions', () => {
  it('have three keys and the size of the published ones: 540 bytes', () => {
    expect([...keyOrders]).toEqual(['_id,user_id,jwt']);
    expect(Math.abs(sizeBytes.mean - 540)).toBeLessThan(3);
  });

  it('have a token of 475 characters in three parts', () => {
    for (const { jwt } of documents) {
      expect(jwt).toHaveLength(475);
      expect(jwt).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    }
  });
});
