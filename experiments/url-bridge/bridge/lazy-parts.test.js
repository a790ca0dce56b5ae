import { makeLazyPartsUrl } from './lazy-parts.js';

/** @import { Addon } from './types.ts' */

const HTTPS = 2;
const NOT_SPECIAL = 1;

/** Offsets as in the shared array. */
const OFFSETS = new Map([
  ['https://user:pass@host:81/a?b#c', [6, 12, 17, 22, 23, 25, 27, 29, HTTPS]],
  ['https://host/', [6, 8, 8, 12, 12, 12, 13, 13, HTTPS]],
  ['https://host/?#', [6, 8, 8, 12, 12, 12, 13, 14, HTTPS]],
  ['blob:https://host/', [5, 5, 5, 5, 5, 5, 18, 18, NOT_SPECIAL]],
]);

/** @returns {any} */
function makeFakeAddon() {
  const offsets = new Uint32Array(9);
  return {
    offsets,
    /** @param {string} input */
    parseToOffsets(input) {
      const found = OFFSETS.get(input);
      if (found === undefined) return undefined;
      offsets.set(found);
      return input;
    },
  };
}

const LazyUrl = makeLazyPartsUrl(/** @type {Addon} */ (makeFakeAddon()));

describe('a lazy URL', () => {
  it('slices every part of its href', () => {
    const url = new LazyUrl('https://user:pass@host:81/a?b#c');
    const { href, origin, protocol, hostname, pathname, search } = url;
    const { username, password, port, hash } = url;
    expect([href, origin, protocol, hostname, pathname]).toEqual([
      'https://user:pass@host:81/a?b#c',
      'https://host:81',
      'https:',
      'host',
      '/a',
    ]);
    expect([search, username, password, port, hash]).toEqual(['?b', 'user', 'pass', '81', '#c']);
  });

  it.each(['https://host/', 'https://host/?#'])(
    'has empty strings for the missing parts of %s',
    (input) => {
      const { search, username, password, port, hash } = new LazyUrl(input);
      expect([search, username, password, port, hash]).toEqual(['', '', '', '', '']);
    },
  );

  it('keeps its offsets when another URL is parsed', () => {
    const first = new LazyUrl('https://user:pass@host:81/a?b#c');
    expect(new LazyUrl('https://host/').pathname).toBe('/');
    expect(first.pathname).toBe('/a');
  });

  it('has the origin of the URL in its path, if it is a blob', () => {
    const url = new LazyUrl('blob:https://host/');
    expect(url.origin).toBe('https://host');
    expect(url.pathname).toBe('https://host/');
  });

  it('throws the error of Node for an invalid URL', () => {
    expect(() => new LazyUrl('nothing')).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_URL', input: 'nothing', name: 'TypeError' }),
    );
  });
});
