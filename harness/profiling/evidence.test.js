import { describe, expect, test } from '@jest/globals';
import { makeFileMatcher, renameLog } from './evidence.js';

/** @import { Located } from './evidence.js' */

/** @param {string} source  @returns {Located} */
function checkout(source) {
  return { kind: 'path', spec: `path:${source}`, source, modulePath: `${source}/lib/a.js` };
}

/** @param {string} spec  @returns {Located} */
function published(spec) {
  return { kind: 'npm', spec, source: 'npm package', modulePath: '/cache/lib/a.js' };
}

/** @param {Located} baseline  @param {Located} candidate  @param {string} file */
function rename(baseline, candidate, file) {
  return makeFileMatcher({ baseline, candidate }, '/work/assay')(file);
}

describe('files of the candidate', () => {
  test('are called as those of the checkout that it is held against', () => {
    const file = rename(checkout('/a/bson-main'), checkout('/b/bson-pr'), '…/bson-pr/lib/a.js');
    expect(file).toBe('…/bson-main/lib/a.js');
  });

  test('are called as those of the published package', () => {
    expect(rename(published('npm:@x/bson@1.0.0'), checkout('/b/pr'), '…/pr/lib/a.js')).toBe(
      '@x/bson/lib/a.js',
    );
    expect(rename(checkout('/work/assay/pr'), published('npm:bson@1.0.0'), 'bson/lib/a.js')).toBe(
      'pr/lib/a.js',
    );
  });

  test('keep their names where they are of something else', () => {
    const [main, pr] = [checkout('/a/bson-main'), checkout('/b/bson-pr')];
    expect(rename(main, pr, 'experiments/js-bson/operations/serialize.js')).toBe(
      'experiments/js-bson/operations/serialize.js',
    );
    expect(rename(published('npm:a@1.0.0'), published('npm:b@1.0.0'), 'b/x.js')).toBe('b/x.js');
    const module = { ...pr, modulePath: pr.source };
    expect(rename(main, module, '…/bson-pr/lib/a.js')).toBe('…/bson-pr/lib/a.js');
  });

  test('are renamed in V8’s log, places of inlined code too', () => {
    /** @type {import('../formats/types.ts').DeoptLog} */
    const log = {
      functions: [
        {
          name: 'f',
          file: 'b/x.js',
          line: 1,
          column: 1,
          tier: 'optimized',
          deopts: [
            { kind: 'eager', reason: 'r', file: 'b/y.js', line: 1, column: 1, count: 1, late: 0 },
          ],
          sites: [],
        },
      ],
    };
    const [entry] = renameLog(log, (file) => file?.replace('b/', 'a/') ?? null).functions;
    expect([entry.file, entry.deopts[0].file]).toEqual(['a/x.js', 'a/y.js']);
  });
});
