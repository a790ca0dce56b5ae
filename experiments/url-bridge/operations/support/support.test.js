import { serialize } from 'bson';
import { makeGettersReader, takeUrlClass } from './construct.js';
import { PART_NAMES, describeUrl, explainUrlDifference, readHref } from './urls.js';

describe('readHref', () => {
  it.each(['https://host.example/', 'https://bücher.example/😀', ''])('reads %p', (href) => {
    expect(readHref(serialize({ href }))).toBe(href);
  });

  it.each([{ url: 'https://a/' }, { href: 1 }, { href: 'https://a/', id: 1 }, {}])(
    'rejects %j with a remedy',
    (document) => {
      expect(() => readHref(serialize(document))).toThrow(
        expect.objectContaining({
          name: 'UsageError',
          remedy: expect.stringContaining('urls'),
        }),
      );
    },
  );
});

describe('makeGettersReader', () => {
  it.each([0, 1, 4, 10])('reads %i parts once each', (count) => {
    /** @type {string[]} */
    const reads = [];
    const url = /** @type {any} */ (
      new Proxy({}, { get: (_, name) => reads.push(String(name)) && 'text' })
    );
    const kept = {};
    makeGettersReader(count)(url, kept);
    expect(reads).toHaveLength(count);
    expect(Object.keys(kept)).toEqual(reads);
    if (count === 10) expect(reads.toSorted()).toEqual(PART_NAMES.toSorted());
  });
});

describe('explainUrlDifference', () => {
  it('names the different part', async () => {
    const [right, wrong] = ['https://a/b', 'https://a/c'].map((href) =>
      Buffer.from(describeUrl({ ...pick(new URL('https://a/b')), href })),
    );
    expect(await explainUrlDifference(right, wrong)).toEqual({
      path: 'href',
      expected: '"https://a/b"',
      found: '"https://a/c"',
    });
  });

  it('names an input that one variant rejects', async () => {
    const right = Buffer.from(describeUrl(new URL('https://a/b')));
    const wrong = Buffer.from(describeUrl(null));
    expect(await explainUrlDifference(right, wrong)).toEqual({
      path: 'url',
      expected: 'https://a/b',
      found: 'invalid',
    });
  });
});

describe('takeUrlClass', () => {
  it('rejects a lower bound with a remedy', () => {
    expect(() => takeUrlClass({ cross: () => 1 })).toThrow(
      expect.objectContaining({ remedy: 'use the operation cross' }),
    );
  });
});

/** @param {URL} url */
function pick(url) {
  return /** @type {any} */ (Object.fromEntries(PART_NAMES.map((name) => [name, url[name]])));
}
