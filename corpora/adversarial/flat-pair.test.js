import { describe, expect, it } from '@jest/globals';
import * as bson from 'bson';
import { countDictionaryObjects } from '../support/statistics.js';
import { formatExtendedJson, readExactTypes } from '../support/document-text.js';
import { corpus as below } from './flat-127.js';
import { corpus as at } from './flat-128.js';

/** @param {typeof below} corpus */
function parseDocument(corpus) {
  const [document] = corpus.documents();
  return bson.EJSON.parse(formatExtendedJson(readExactTypes(bson.serialize(document ?? {}))));
}

describe('flat-127 and flat-128', () => {
  it('lie on either side of the limit from which a parsed object is a dictionary', () => {
    expect(countDictionaryObjects([parseDocument(below)])).toEqual({ total: 1, dictionary: 0 });
    expect(countDictionaryObjects([parseDocument(at)])).toEqual({ total: 1, dictionary: 1 });
  });

  it('are the same but for one boolean at the end', () => {
    const [smaller, larger] = [below, at].map((corpus) => [...corpus.documents()][0] ?? {});
    const { oneMore, ...rest } = larger ?? {};
    expect(Object.keys(smaller ?? {})).toHaveLength(127);
    expect(oneMore).toBe(true);
    expect(rest).toEqual(smaller);
    expect(Object.keys(larger ?? {}).at(-1)).toBe('oneMore');
  });
});
