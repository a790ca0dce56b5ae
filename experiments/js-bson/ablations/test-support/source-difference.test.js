import { describe, expect, test } from '@jest/globals';
import { countChangedLines, listCode, readSources } from './source-difference.js';

describe('sources of a module', () => {
  test('include its direct and indirect imports from the family', async () => {
    const paths = [...(await readSources('variants/recursive.js')).keys()];
    expect(paths).toEqual(
      expect.arrayContaining([
        'variants/recursive.js',
        'traversals/write-recursive.js',
        'codec/values.js',
        'codec/write-text.js',
      ]),
    );
    expect(paths).not.toContain('traversals/write-indexed.js');
  });
});

describe('code of a module', () => {
  test('excludes comments, blank lines and the description of a variant', () => {
    const text = `/** One. */
// two
export const variant = {
  idea: 'x',
};

/**
 * Three.
 */
  // four
const five = 5; // stays
`;
    expect(listCode(text, 'variants/a.js')).toEqual(['const five = 5; // stays']);
  });

  test('names the replaced files in imports', () => {
    const text =
      "import {\n  a,\n} from '../codec/a.js';\nimport b from './b.js';\nexport * from 'c';";
    expect(listCode(text, 'traversals/x.js', { 'traversals/b.js': 'codec/b.js' })).toEqual([
      'import {',
      '  a,',
      "} from 'codec/a.js';",
      "import b from 'codec/b.js';",
      "export * from 'c';",
    ]);
  });
});

describe('changed lines', () => {
  test.each([
    ['none', 'a b c', 'a b c', 0],
    ['one removed', 'a b c', 'a c', 1],
    ['one added', 'a c', 'a b c', 1],
    ['one replaced', 'a b c', 'a x c', 2],
    ['two swapped', 'a b c', 'b a c', 2],
    ['all', 'a b', 'c d e', 5],
    ['from none', '', 'a', 1],
  ])('%s', (_label, before, after, expected) => {
    const split = (/** @type {string} */ text) => text.split(' ').filter(Boolean);
    expect(countChangedLines(split(before), split(after))).toBe(expected);
  });
});
