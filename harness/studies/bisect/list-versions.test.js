import { describe, expect, test } from '@jest/globals';
import { selectVersions } from './list-versions.js';

// As the registry gives them: in the order in which they were published.
const VERSIONS = [
  '6.9.0',
  '7.0.0-alpha.1',
  '6.10.0',
  '7.0.0',
  '6.10.4',
  '7.1.0',
  '7.2.0-beta.0',
  '7.2.0',
];

/**
 * @param {string} good
 * @param {string} bad
 */
const select = (good, bad) => selectVersions(VERSIONS, { packageName: 'codec', good, bad });

describe('the versions between two ends', () => {
  test('are in the order of precedence, both ends included', () => {
    expect(select('6.9.0', '7.2.0')).toEqual([
      '6.9.0',
      '6.10.0',
      '6.10.4',
      '7.0.0',
      '7.1.0',
      '7.2.0',
    ]);
  });

  test('have prereleases only where an end is one', () => {
    expect(select('7.0.0-alpha.1', '7.2.0')).toEqual([
      '7.0.0-alpha.1',
      '7.0.0',
      '7.1.0',
      '7.2.0-beta.0',
      '7.2.0',
    ]);
  });

  test.each([
    ['7.2.0', '6.9.0', 'codec@7.2.0 comes after codec@6.9.0'],
    ['7.2.0', '7.2.0', 'both ends are codec@7.2.0'],
    ['6.9.0', '7.9.0', 'the npm registry has no codec@7.9.0'],
  ])('are refused for %s and %s', (good, bad, message) => {
    expect(() => select(good, bad)).toThrow(message);
  });
});
