import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { corpora } from './string.js';

describe('string', () => {
  it('has the size of the published array of 1000', () => {
    const corpus = corpora.find(({ name }) => name === 'string-array-1000');
    const sizes = [...(corpus?.documents() ?? [])].map((document) => serialize(document).length);
    expect(new Set(sizes)).toEqual(new Set([49_903]));
  });
});
