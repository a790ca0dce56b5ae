import { describe, expect, it } from '@jest/globals';
import { describeSeries } from '../support/statistics.js';
import { corpus } from './users.js';

const { documents, keyCounts, sizeBytes } = describeSeries(corpus);

describe('users', () => {
  it('have four or five keys and the sizes of the published ones: 101–177 bytes', () => {
    expect(keyCounts).toEqual({ least: 4, most: 5 });
    expect(Math.abs(sizeBytes.least - 101)).toBeLessThanOrEqual(10);
    expect(Math.abs(sizeBytes.most - 177)).toBeLessThanOrEqual(10);
  });

  it('mostly have a password of 60 characters, as bcrypt writes it', () => {
    const passwords = documents.flatMap(({ password }) => (password ? [password] : []));
    expect(passwords.length).toBeGreaterThan(900);
    for (const password of passwords) expect(password).toMatch(/^\$2b\$12\$[A-Za-z0-9]{53}$/);
  });
});
