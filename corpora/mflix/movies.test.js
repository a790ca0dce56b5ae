import { describe, expect, it } from '@jest/globals';
import { describeSeries, nonAsciiShare } from '../support/statistics.js';
import { corpus } from './movies.js';

const { documents, keyCounts, keyOrders, presence, sizeBytes, strings } = describeSeries(corpus);

describe('movies', () => {
  it('have the sizes of the published ones: 566–3295 bytes, median 1599', () => {
    expect(Math.abs(sizeBytes.median - 1599)).toBeLessThan(80);
    expect(sizeBytes.least).toBeGreaterThan(500);
    expect(sizeBytes.least).toBeLessThan(800);
    expect(sizeBytes.most).toBeGreaterThan(3000);
    expect(sizeBytes.most).toBeLessThan(3500);
  });

  it('have 15 to 22 keys in about 60 orders', () => {
    expect(keyCounts.least).toBeGreaterThanOrEqual(15);
    expect(keyCounts.most).toBeLessThanOrEqual(22);
    expect(keyOrders.size).toBeGreaterThan(45);
    expect(keyOrders.size).toBeLessThan(80);
  });

  it('have optional fields, from rare to usual', () => {
    const optional = Object.values(presence).filter((share) => share < 0.9995);
    expect(Math.min(...optional)).toBeLessThan(0.01);
    expect(Math.max(...optional)).toBeGreaterThan(0.97);
    expect(presence.rated).toBeGreaterThan(0.5);
    expect(presence.rated).toBeLessThan(0.7);
  });

  it('have letters beyond ASCII in 2–7 % of the strings', () => {
    expect(nonAsciiShare(strings)).toBeGreaterThan(0.02);
    expect(nonAsciiShare(strings)).toBeLessThan(0.07);
  });

  it('have ratings that are mostly doubles and sometimes int32', () => {
    const whole = documents.filter(({ imdb }) => Number.isInteger(imdb.rating)).length;
    expect(whole).toBeGreaterThan(50);
    expect(whole).toBeLessThan(200);
  });
});
