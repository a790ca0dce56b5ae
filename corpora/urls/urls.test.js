import { EDGE_URLS } from './support/edge-urls.js';
import { corpus as adversarial } from './urls-adversarial.js';
import { corpora } from './urls.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */

const SAMPLE = 5000;
const [written, normal] = corpora.map(readHrefs);

/** @param {Corpus} corpus */
function readHrefs(corpus) {
  return [...corpus.documents(SAMPLE)].map(({ href }) => String(href));
}

/** @type {(test: (url: URL) => boolean) => number} share of the written ones, 0…1 */
function share(test) {
  return written.filter((href) => test(new URL(href))).length / SAMPLE;
}

/** @param {string} href */
function readHost(href) {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(href)?.[1];
}

describe('urls', () => {
  it('are all valid, and most have path segments', () => {
    expect(() => written.map((href) => new URL(href))).not.toThrow();
    expect(share(({ pathname }) => pathname.length > 1)).toBeGreaterThan(0.7);
  });

  it('have queries often, fragments sometimes, ports and credentials rarely', () => {
    expect(share(({ search }) => search !== '')).toBeCloseTo(0.3, 1);
    expect(share(({ hash }) => hash !== '')).toBeCloseTo(0.06, 1);
    expect(share(({ port }) => port !== '')).toBeCloseTo(0.02, 1);
    expect(share(({ password }) => password !== '')).toBeGreaterThan(0);
    expect(share(({ password }) => password !== '')).toBeLessThan(0.02);
  });

  it('have a few non-ASCII names and addresses as hosts', () => {
    expect(share(({ hostname }) => hostname.startsWith('xn--'))).toBeGreaterThan(0);
    expect(share(({ hostname }) => hostname.startsWith('['))).toBeGreaterThan(0);
    expect(share(({ hostname }) => /^[\d.]+$/.test(hostname))).toBeGreaterThan(0);
  });

  it('have no upper-case letter in a host, which old parsers get wrong', () => {
    expect(written.filter((href) => /[A-Z]/.test(String(readHost(href))))).toEqual([]);
  });
});

describe('urls-normal', () => {
  it('are each their own href', () => {
    expect(normal.map((href) => new URL(href).href)).toEqual(normal);
  });

  it('are the URLs of urls', () => {
    expect(normal).toEqual(written.map((href) => new URL(href).href));
    expect(normal).not.toEqual(written);
  });
});

describe('urls-adversarial', () => {
  const hrefs = [...adversarial.documents()].map(({ href }) => String(href));

  it('begins with the edge cases, each once', () => {
    expect(hrefs.slice(0, EDGE_URLS.length)).toEqual(EDGE_URLS);
    expect(new Set(EDGE_URLS).size).toBe(EDGE_URLS.length);
  });

  it('is invalid in about half of the cases', () => {
    const validShare = hrefs.filter((href) => URL.canParse(href)).length / hrefs.length;
    expect(validShare).toBeGreaterThan(0.4);
    expect(validShare).toBeLessThan(0.7);
  });

  it('has upper-case Z in hosts, control characters and long URLs', () => {
    expect(hrefs.filter((href) => /^https?:\/\/[^/]*Z/.test(href)).length).toBeGreaterThan(20);
    expect(hrefs.some((href) => /[\t\n\r]/.test(href))).toBe(true);
    expect(hrefs.some((href) => href.length > 10_000)).toBe(true);
  });
});
