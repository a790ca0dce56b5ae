import { UsageError } from '../../harness/lib/errors.js';
import { parseLabel } from './label.js';

describe('parseLabel', () => {
  it('defaults to parsed documents and the default count', () => {
    expect(parseLabel('flat')).toEqual({
      label: 'flat',
      name: 'flat',
      growth: null,
      count: null,
      provenance: 'parsed',
    });
    expect(parseLabel('comments:20@literal')).toEqual({
      label: 'comments:20@literal',
      name: 'comments',
      growth: null,
      count: 20,
      provenance: 'literal',
    });
  });

  it('normalizes equivalent labels', () => {
    expect(parseLabel('flat@parsed').label).toBe('flat');
    expect(parseLabel('comments:0020@parsed').label).toBe('comments:20');
  });

  it('says how many times as large documents are', () => {
    expect(parseLabel('comments*4:20@literal')).toMatchObject({
      ...{ label: 'comments*4:20@literal', name: 'comments', growth: 4, count: 20 },
    });
    expect(parseLabel('flat*1')).toMatchObject({ label: 'flat', growth: null });
  });

  it.each(['0', '257', '1.5', '-2', 'x', ''])('rejects the growth %j', (growth) => {
    expect(() => parseLabel(`flat*${growth}`)).toThrow(/does not say how large documents become/);
  });

  it('suggests a similar provenance', () => {
    expect(() => parseLabel('flat@literl')).toThrow(/no provenance 'literl'.*mean 'literal'/);
  });

  it.each(['0', '-1', '1.5', '1e3', 'many', '', ' 5'])('rejects the count %j', (count) => {
    const attempt = () => parseLabel(`comments:${count}`);
    expect(attempt).toThrow(`'${count}' in 'comments:${count}' is not a number of documents`);
    expect(attempt).toThrow(UsageError);
  });

  it('rejects a count beyond the limit', () => {
    expect(parseLabel('comments:10000000').count).toBe(10_000_000);
    expect(() => parseLabel('comments:10000001')).toThrow(/too many documents/);
  });

  it.each([
    '',
    '@literal',
    ':5',
    'flat@literal@parsed',
    'flat@literal:5',
    'flat:5:5',
    '*2',
    'flat*2*2',
    'flat:5*2',
  ])('rejects %j', (text) => {
    expect(() => parseLabel(text)).toThrow(UsageError);
  });
});
