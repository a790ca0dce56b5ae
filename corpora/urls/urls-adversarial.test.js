import { expect, test } from '@jest/globals';
import { EDGE_URLS } from './support/edge-urls.js';
import { corpus } from './urls-adversarial.js';

const hrefs = [...corpus.documents()].map(({ href }) => String(href));

test('it begins with the edges, of which none is there twice', () => {
  expect(hrefs.slice(0, EDGE_URLS.length)).toEqual(EDGE_URLS);
  expect(new Set(EDGE_URLS).size).toBe(EDGE_URLS.length);
});

test('about half of it is no URL', () => {
  const validShare = hrefs.filter(isValid).length / hrefs.length;
  expect(validShare).toBeGreaterThan(0.4);
  expect(validShare).toBeLessThan(0.7);
});

test('it has what old parsers got wrong, and what is hard: upper case, control characters, length', () => {
  expect(hrefs.filter((href) => /^https?:\/\/[^/]*Z/.test(href)).length).toBeGreaterThan(20);
  expect(hrefs.some((href) => /[\t\n\r]/.test(href))).toBe(true);
  expect(hrefs.some((href) => href.length > 10_000)).toBe(true);
});

/** @param {string} href */
function isValid(href) {
  try {
    return new URL(href).href !== '';
  } catch {
    return false;
  }
}
