import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { describeDocument } from '../support/statistics.js';
import { corpus as longString } from './long-string.js';
import { corpus as manyShapes } from './many-shapes.js';
import { corpus as nested } from './nested-500.js';
import { corpus as nonAsciiKeys } from './non-ascii-keys.js';
import { corpus as wide } from './wide-10000.js';

/** @param {typeof wide} corpus */
function describeDocuments(corpus) {
  return [...corpus.documents()].map((document) => describeDocument(serialize(document)));
}

describe('many-shapes', () => {
  it('has no key but _id in two documents', () => {
    const keys = describeDocuments(manyShapes).flatMap((each) => each.keys);
    const others = keys.filter((key) => key !== '_id');
    expect(keys.length - others.length).toBe(100);
    expect(new Set(others).size).toBe(others.length);
  });
});

describe('wide-10000', () => {
  it('has 10 000 keys in one document', () => {
    expect(describeDocuments(wide).map(({ keys }) => keys.length)).toEqual([10_000]);
  });
});

describe('long-string', () => {
  it('is all but entirely one string of 1 MB', () => {
    const [statistics] = describeDocuments(longString);
    expect(statistics?.stringLengths.at(-1)).toBeGreaterThanOrEqual(999_997);
    expect(statistics?.sizeBytes).toBeLessThan(1_000_100);
  });
});

describe('nested-500', () => {
  it('is nested 500 deep', () => {
    const [statistics] = describeDocuments(nested);
    expect(statistics).toMatchObject({ levels: 500, documents: 500 });
  });
});

describe('non-ascii-keys', () => {
  it('has keys of two, three and four bytes a character, and only _id in ASCII', () => {
    const keys = describeDocuments(nonAsciiKeys)[0]?.keys ?? [];
    expect(keys.filter((key) => /^\p{ASCII}*$/u.test(key))).toEqual(['_id']);
    const points = keys.flatMap((key) => [...key].map((character) => character.codePointAt(0)));
    const inRange = (/** @type {number} */ low, /** @type {number} */ high) =>
      points.some((point) => point !== undefined && point >= low && point <= high);
    expect([inRange(0x80, 0x7ff), inRange(0x800, 0xffff), inRange(0x10000, 0x10ffff)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
