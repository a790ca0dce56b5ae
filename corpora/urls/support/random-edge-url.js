import { EDGE_URLS } from './edge-urls.js';
import { makeUrl } from './random-url.js';

/** @import { RandomValues } from '../../support/random-values.js' */

/** Pieces to insert into a URL or to replace a character with. */
const PIECES = [
  ...'/\\?#@:.%|<> \t\n\r"\'`{}[]~!$&()*+,;=-_0ZzÄß漢',
  '..',
  '/../',
  '/./',
  '//',
  '%2e',
  '%2F',
  '%00',
  '%',
  ':80',
  ':443',
  ':65536',
  '@@',
  '\u0000',
  '\u007f',
  'Z',
];
const SCHEMES = ['http:', 'HTTPS:', 'ws:', 'wss:', 'ftp:', 'file:', 'web+demo:', 'data:', 'a:', ''];
/** Edge cases that are not mutated, because implementations disagree on similar URLs: carets, drive
 * letters, dot segments, addresses, punycode. */
const MUTABLE_EDGES = EDGE_URLS.filter(
  (url) => !/[\^\\]|file|\/\.|\d\.|xn--|::|%2e|[\u0080-\uffff]/i.test(url),
);
const LONG = { least: 1000, most: 20_000 };

/**
 * A URL that is hard to parse, or an invalid one.
 *
 * @param {RandomValues} random
 * @param {number} index the first ones are the edge cases, later ones mutations
 * @returns {string}
 */
export function makeEdgeUrl(random, index) {
  const edge = EDGE_URLS[index];
  if (edge !== undefined) return edge;
  const kind = random.integer(1, 20);
  if (kind === 1) return makeLongUrl(random);
  if (kind <= 4) return exchangeScheme(random, makeUrl(random).written);
  const text = kind <= 12 ? makeUrl(random).written : random.pick(MUTABLE_EDGES);
  return mutate(random, text);
}

/**
 * @param {RandomValues} random
 * @param {string} text
 * @returns {string} with one to three pieces inserted
 */
function mutate(random, text) {
  let mutated = text;
  for (let left = random.integer(1, 3); left > 0; left--) {
    const at = random.integer(0, mutated.length);
    const removed = random.boolean() ? 1 : 0;
    mutated = mutated.slice(0, at) + random.pick(PIECES) + mutated.slice(at + removed);
  }
  return mutated;
}

/**
 * @param {RandomValues} random
 * @param {string} text
 */
function exchangeScheme(random, text) {
  return random.pick(SCHEMES) + text.slice(text.indexOf(':') + 1);
}

/**
 * @param {RandomValues} random
 * @returns {string} with one very long part
 */
function makeLongUrl(random) {
  const long = random.text(random.integer(LONG.least, LONG.most));
  return random.pick([
    `https://long.example/${long}`,
    `https://long.example/?${long}`,
    `https://long.example/#${long}`,
    `https://${long}:${long}@long.example/`,
    `https://long.example/${'../a/'.repeat(long.length / 5)}`,
    `https://${long.toLowerCase()}.example/`,
    `data:text/plain,${long}`,
    `https://long.example/${'ü '.repeat(long.length / 10)}`,
  ]);
}
