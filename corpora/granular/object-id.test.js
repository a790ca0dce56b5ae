import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { readExactTypes } from '../support/extended-json.js';
import { corpora } from './object-id.js';

/** @param {string} name */
function listIds(name) {
  const corpus = corpora.find((each) => each.name === name);
  return [...(corpus?.documents() ?? [])].flatMap((document) =>
    Object.values(readExactTypes(serialize(document))).flat(),
  );
}

describe('object-id', () => {
  it('comes alone as _id, and in arrays of 1, 10, 100 and 1000', () => {
    expect(corpora.map(({ name }) => name)).toEqual([
      'object-id',
      'object-id-array-1',
      'object-id-array-10',
      'object-id-array-100',
      'object-id-array-1000',
    ]);
    expect([...(corpora[0]?.documents(1) ?? [])].map(Object.keys)).toEqual([['_id']]);
  });

  it('never comes twice', () => {
    for (const { name } of corpora) {
      const ids = listIds(name).map((id) => id.toHexString());
      expect(ids.length).toBeGreaterThanOrEqual(100);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('has the size of the published array of 1000', () => {
    for (const document of corpora[4]?.documents() ?? []) {
      expect(serialize(document).length).toBe(16_903);
    }
  });
});
