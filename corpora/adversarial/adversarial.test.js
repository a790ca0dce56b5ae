import * as bson from 'bson';
import { evaluateFresh } from '../../harness/testing/support/fresh-process.js';
import { formatExtendedJson, readExactTypes } from '../support/document-text.js';
import { describeDocument } from '../support/statistics.js';
import { corpus as empty } from './empty.js';
import { corpora as flatPair } from './flat.js';
import { corpus as longString } from './long-string.js';
import { corpus as manyShapes } from './many-shapes.js';
import { corpus as nested } from './nested-500.js';
import { corpus as nonAsciiKeys } from './non-ascii-keys.js';
import { corpus as wide } from './wide-10000.js';

/** @param {typeof wide} corpus */
function describeDocuments(corpus) {
  return [...corpus.documents()].map((document) => describeDocument(bson.serialize(document)));
}

describe('flat-127 and flat-128', () => {
  const [smaller = {}, larger = {}] = flatPair.map(({ documents }) => [...documents()][0] ?? {});

  it('are below and at the limit from which V8 keeps a parsed object as a dictionary', () => {
    const texts = [smaller, larger].map((document) =>
      formatExtendedJson(readExactTypes(bson.serialize(document))),
    );
    const script = `import { EJSON } from '${import.meta.resolve('bson')}';
      import { countDictionaryObjects } from '${new URL('../support/statistics.js', import.meta.url)}';
      const counts = process.argv.slice(1).map((text) => countDictionaryObjects([EJSON.parse(text)]));
      console.log(JSON.stringify(counts.map(({ dictionary }) => dictionary)));`;
    expect(evaluateFresh(script, texts)).toEqual([0, 1]);
  });

  it('differ by one boolean at the end', () => {
    const { oneMore, ...rest } = larger;
    expect(Object.keys(smaller)).toHaveLength(127);
    expect(oneMore).toBe(true);
    expect(rest).toEqual(smaller);
    expect(Object.keys(larger).at(-1)).toBe('oneMore');
  });
});

describe('many-shapes', () => {
  it('has no key but _id in two documents', () => {
    const keys = describeDocuments(manyShapes).flatMap((each) => each.keys);
    const others = keys.filter((key) => key !== '_id');
    expect(keys.length - others.length).toBe(100);
    expect(new Set(others).size).toBe(others.length);
  });
});

describe('empty', () => {
  it('has one document without a key', () => {
    expect(describeDocuments(empty).map(({ keys }) => keys)).toEqual([[]]);
  });
});

describe('wide-10000', () => {
  it('has 10 000 keys in one document', () => {
    expect(describeDocuments(wide).map(({ keys }) => keys.length)).toEqual([10_000]);
  });
});

describe('long-string', () => {
  it('is almost entirely one string of 1 MB', () => {
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
  it('has keys with characters of two, three and four bytes, and only _id in ASCII', () => {
    const keys = describeDocuments(nonAsciiKeys)[0]?.keys ?? [];
    expect(keys.filter((key) => /^\p{ASCII}*$/u.test(key))).toEqual(['_id']);
    const sizes = keys.flatMap((key) => [...key].map((character) => Buffer.byteLength(character)));
    expect([...new Set(sizes)].sort()).toEqual([1, 2, 3, 4]);
  });
});
