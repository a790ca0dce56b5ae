import { serialize } from 'bson';
import { describe, expect, it } from '@jest/globals';
import { takeUrlClass } from './construct.js';
import { PART_NAMES, describeUrl, explainUrlDifference } from './parts.js';
import { makeGettersReader } from './read-getters.js';
import { readHref } from './read-hrefs.js';

describe('readHref', () => {
  it.each(['https://host.example/', 'https://bücher.example/😀', ''])('reads %p', (href) => {
    expect(readHref(serialize({ href }))).toBe(href);
  });

  it.each([{ url: 'https://a/' }, { href: 1 }, { href: 'https://a/', id: 1 }, {}])(
    'refuses %j with a way out',
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
  it.each([0, 1, 4, 10])('reads %i parts, each once', (count) => {
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

describe('the gate', () => {
  it('names the part in which two URLs differ', async () => {
    const [right, wrong] = ['https://a/b', 'https://a/c'].map((href) =>
      Buffer.from(describeUrl({ ...pick(new URL('https://a/b')), href })),
    );
    expect(await explainUrlDifference(right, wrong)).toEqual({
      path: 'href',
      expected: '"https://a/b"',
      found: '"https://a/c"',
    });
  });

  it('says what is taken for no URL', async () => {
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
  it('refuses a lower bound with a way out', () => {
    expect(() => takeUrlClass({ cross: () => 1 })).toThrow(
      expect.objectContaining({ remedy: 'use the operation cross' }),
    );
  });
});

/** @param {URL} url */
function pick(url) {
  return /** @type {any} */ (Object.fromEntries(PART_NAMES.map((name) => [name, url[name]])));
}
