import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../../harness/errors.js';
import { parseLabel } from './label.js';

describe('parseLabel', () => {
  it('takes documents to be parsed unless told otherwise', () => {
    expect(parseLabel('flat')).toEqual({ label: 'flat', name: 'flat', provenance: 'parsed' });
    expect(parseLabel('flat@literal')).toEqual({
      label: 'flat@literal',
      name: 'flat',
      provenance: 'literal',
    });
  });

  it('gives one label to the same thing said in two ways', () => {
    expect(parseLabel('flat@parsed').label).toBe('flat');
  });

  it('names the provenance that was meant', () => {
    expect(() => parseLabel('flat@literl')).toThrow(/no provenance 'literl'.*mean 'literal'/);
  });

  it.each(['', '@literal', 'flat@literal@parsed'])('refuses %j', (text) => {
    expect(() => parseLabel(text)).toThrow(UsageError);
  });
});
