import { describe, expect, it } from '@jest/globals';
import { describeSeries } from '../support/statistics.js';
import { corpus } from './theaters.js';

const { documents, keyOrders, sizeBytes } = describeSeries(corpus);
const addresses = documents.map(({ location }) => location.address);

describe('theaters', () => {
  it('have three keys and the sizes of the published ones: 206–266 bytes', () => {
    expect([...keyOrders]).toEqual(['_id,theaterId,location']);
    expect(sizeBytes.least).toBeGreaterThanOrEqual(200);
    expect(sizeBytes.least).toBeLessThan(215);
    expect(sizeBytes.most).toBeGreaterThan(245);
    expect(sizeBytes.most).toBeLessThanOrEqual(272);
  });

  it('have a point of two doubles', () => {
    for (const { location } of documents) {
      expect(location.geo.coordinates).toHaveLength(2);
      expect(location.geo.coordinates.some(Number.isInteger)).toBe(false);
    }
  });

  it('have a second line in some addresses, which is sometimes null', () => {
    const withLine = addresses.filter((address) => 'street2' in address);
    expect(withLine.length / addresses.length).toBeGreaterThan(0.05);
    expect(withLine.length / addresses.length).toBeLessThan(0.2);
    expect(withLine.some(({ street2 }) => street2 === null)).toBe(true);
    expect(withLine.some(({ street2 }) => typeof street2 === 'string')).toBe(true);
  });
});
