import { describe, expect, it } from '@jest/globals';
import { describeLengths, describeSeries, nonAsciiShare } from '../support/statistics.js';
import { corpus } from './comments.js';

const { documents, keyOrders, sizeBytes, strings } = describeSeries(corpus);

describe('comments', () => {
  it('have six keys in one order', () => {
    expect([...keyOrders]).toEqual(['_id,name,email,movie_id,text,date']);
  });

  it('have the sizes of the published ones: 185–343 bytes, 285 on average', () => {
    expect(Math.abs(sizeBytes.mean - 285)).toBeLessThan(10);
    expect(sizeBytes.least).toBeGreaterThanOrEqual(175);
    expect(sizeBytes.most).toBeLessThanOrEqual(345);
  });

  it('have strings of their lengths, in ASCII', () => {
    const name = describeLengths(documents.map((comment) => comment.name));
    const email = describeLengths(documents.map((comment) => comment.email));
    const text = describeLengths(documents.map((comment) => comment.text));
    expect(name.least).toBe(3);
    expect(name.most).toBeLessThanOrEqual(21);
    expect(email.least).toBeGreaterThanOrEqual(23);
    expect(email.most).toBeLessThanOrEqual(43);
    expect(text.least).toBeLessThan(75);
    expect(text.most).toBeGreaterThanOrEqual(197);
    expect(text.most).toBeLessThanOrEqual(199);
    expect(nonAsciiShare(strings)).toBe(0);
  });

  it('have ObjectIds of which no two are the same', () => {
    const ids = documents.flatMap(({ _id, movie_id }) => [
      _id.toHexString(),
      movie_id.toHexString(),
    ]);
    expect(new Set(ids).size).toBe(2000);
  });
});
