import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../../harness/lib/errors.js';
import { parseLabel } from './label.js';

describe('parseLabel', () => {
  it('takes documents to be parsed, and as many as the corpus has, unless told otherwise', () => {
    expect(parseLabel('flat')).toEqual({
      label: 'flat',
      name: 'flat',
      count: null,
      provenance: 'parsed',
    });
    expect(parseLabel('comments:20@literal')).toEqual({
      label: 'comments:20@literal',
      name: 'comments',
      count: 20,
      provenance: 'literal',
    });
  });

  it('gives one label to the same thing said in two ways', () => {
    expect(parseLabel('flat@parsed').label).toBe('flat');
    expect(parseLabel('comments:0020@parsed').label).toBe('comments:20');
  });

  it('names the provenance that was meant', () => {
    expect(() => parseLabel('flat@literl')).toThrow(/no provenance 'literl'.*mean 'literal'/);
  });

  it.each(['0', '-1', '1.5', '1e3', 'many', '', ' 5'])('refuses the count %j', (count) => {
    const attempt = () => parseLabel(`comments:${count}`);
    expect(attempt).toThrow(`'${count}' in 'comments:${count}' is not a number of documents`);
    expect(attempt).toThrow(UsageError);
  });

  it('refuses a count beyond the limit', () => {
    expect(parseLabel('comments:10000000').count).toBe(10_000_000);
    expect(() => parseLabel('comments:10000001')).toThrow(/too many documents/);
  });

  it.each(['', '@literal', ':5', 'flat@literal@parsed', 'flat@literal:5', 'flat:5:5'])(
    'refuses %j',
    (text) => {
      expect(() => parseLabel(text)).toThrow(UsageError);
    },
  );
});
