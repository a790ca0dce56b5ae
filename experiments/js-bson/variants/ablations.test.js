import { describe, expect, test } from '@jest/globals';
import * as bson from 'bson';
import {
  countChangedLines,
  listCode,
  readSources,
} from '../ablations/test-support/source-difference.js';
import { loadVariants } from '../codec/test-support/variants.js';

const variants = await loadVariants();

/** Symbol of the property with the major version of a value class. */
const VERSION = Symbol.for('@@mdb.bson.version');

/**
 * The files of a variant that replace those of its neighbour: [its own, the neighbour's, number of
 * removed and added lines of code]. A changed line counts twice. Null for a new file.
 * @type {Record<string, [own: string, neighbours: string | null, changedLines: number][]>}
 */
const CHANGES = {
  'array-stack': [
    ['ablations/array-stack-read.js', 'traversals/read-linked-list.js', 27],
    ['traversals/write-indexed.js', 'traversals/write-linked-list.js', 15],
  ],
  'closure-assign': [['ablations/closure-assign-read.js', 'traversals/read-linked-list.js', 14]],
  'dead-field': [['ablations/dead-field-read.js', 'traversals/read-linked-list.js', 1]],
  'derived-flag': [['ablations/derived-flag-read.js', 'traversals/read-linked-list.js', 5]],
  'generator-keys': [['traversals/write-generator-keys.js', 'traversals/write-generator.js', 3]],
  'indexed-entries': [['traversals/write-indexed-entries.js', 'traversals/write-indexed.js', 13]],
  'inner-dbref': [['ablations/inner-dbref-read.js', 'traversals/read-linked-list.js', 13]],
  'match-keys': [
    ['ablations/match-keys-check-key.js', 'codec/check-key.js', 2],
    ['ablations/match-keys-write.js', 'traversals/write-linked-list.js', 0],
  ],
  'pooled-frames': [
    ['traversals/pooled-levels.js', null, 1],
    ['traversals/read-frame-pool.js', null, 34],
    ['traversals/read-pooled-frames.js', 'traversals/read-linked-list.js', 27],
    ['traversals/write-frame-pool.js', null, 35],
    ['traversals/write-pooled-frames.js', 'traversals/write-linked-list.js', 32],
  ],
  'repeated-tag': [
    ['ablations/repeated-tag-write-bson-value.js', 'ablations/string-tag-write-bson-value.js', 27],
    ['ablations/repeated-tag-write-element.js', 'ablations/string-tag-write-element.js', 0],
    ['ablations/repeated-tag-write.js', 'ablations/string-tag-write.js', 0],
  ],
  'string-tag': [
    ['ablations/string-tag-write-bson-value.js', 'codec/write-bson-value.js', 4],
    ['ablations/string-tag-write-element.js', 'codec/write-element.js', 0],
    ['ablations/string-tag-write.js', 'traversals/write-linked-list.js', 0],
  ],
  'unguarded-keys': [
    ['ablations/unguarded-keys-check-key.js', 'codec/check-key.js', 2],
    ['ablations/unguarded-keys-write.js', 'traversals/write-linked-list.js', 0],
  ],
  'ungated-keys': [
    ['ablations/ungated-keys-check-key.js', 'codec/check-key.js', 2],
    ['ablations/ungated-keys-write.js', 'traversals/write-linked-list.js', 0],
  ],
};

/**
 * @param {string} name of a variant
 * @returns {any}
 */
function findVariant(name) {
  return variants.find(([other]) => other === name)?.[1];
}

/**
 * @param {string} name of a variant
 * @returns {string}
 */
function variantPath(name) {
  return `variants/${name}.js`;
}

describe.each(Object.entries(CHANGES))('%s', (name, changes) => {
  const { neighbour } = findVariant(name).variant;
  const path = variantPath(name);
  const neighbourPath = variantPath(neighbour);
  /** @type {Record<string, string>} */
  const replacements = { [path]: neighbourPath };
  for (const [own, replaced] of changes) if (replaced !== null) replacements[own] = replaced;

  test(`differs from ${neighbour} only in the listed files`, async () => {
    const own = await readSources(path);
    const theirs = await readSources(neighbourPath);
    const added = [...own.keys()].filter((file) => !theirs.has(file));
    const removed = [...theirs.keys()].filter((file) => !own.has(file));
    expect(added.sort()).toEqual([path, ...changes.map(([file]) => file)].sort());
    expect(Object.values(replacements)).toEqual(expect.arrayContaining(removed));
  });

  test(`differs from ${neighbour} in the listed number of lines`, async () => {
    const own = await readSources(path);
    const theirs = await readSources(neighbourPath);
    const found = changes.map(([file, replaced]) => {
      const before = replaced === null ? [] : listCode(theirs.get(replaced) ?? '', replaced);
      const after = listCode(own.get(file) ?? '', file, replacements);
      return [file, replaced, countChangedLines(before, after)];
    });
    expect(found).toEqual(changes);
    expect(listCode(own.get(path) ?? '', path, replacements)).toEqual(
      listCode(theirs.get(neighbourPath) ?? '', neighbourPath),
    );
  });
});

test('every variant with a file of ablations/ is listed', async () => {
  const unlisted = [];
  for (const [name] of variants) {
    const files = [...(await readSources(variantPath(name))).keys()];
    if (files.some((file) => file.startsWith('ablations/')) && !(name in CHANGES)) {
      unlisted.push(name);
    }
  }
  expect(unlisted).toEqual([]);
});

test('only the string tags accept an object that claims a type without the symbol', () => {
  const forged = { a: { [VERSION]: 7, _bsontype: 'Int32', valueOf: () => 5 } };
  const expected = Buffer.from(bson.serialize({ a: 5 }));
  expect(() => bson.serialize(forged)).toThrow(bson.BSONError);
  for (const name of ['linked-list', 'pooled-frames']) {
    expect(() => findVariant(name).serialize(forged)).toThrow(bson.BSONError);
  }
  for (const name of ['string-tag', 'repeated-tag']) {
    expect(findVariant(name).serialize(forged).equals(expected)).toBe(true);
  }
});

test('an array of a $ as a Map key gives another error without the guard', () => {
  const document = { map: new Map([[['$'], 1]]) };
  const options = { checkKeys: true };
  expect(() => bson.serialize(document, options)).toThrow(TypeError);
  expect(() => findVariant('linked-list').serialize(document, options)).toThrow(TypeError);
  expect(() => findVariant('unguarded-keys').serialize(document, options)).toThrow(bson.BSONError);
});
