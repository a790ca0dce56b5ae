import { WORDS } from '../../support/prose.js';
import { EDGE_URLS } from './edge-urls.js';

/** @import { RandomValues } from '../../support/random-values.js' */

/**
 * A piece of a URL in two spellings: as typically written, and as in the href of the parsed URL.
 * @typedef {object} Piece
 * @property {string} written
 * @property {string} normal
 */

/** Non-ASCII labels and their IDNA form, the same in all versions of its tables. */
const FOREIGN_LABELS = [
  ['bücher', 'xn--bcher-kva'],
  ['café', 'xn--caf-dma'],
  ['müller', 'xn--mller-kva'],
  ['señal', 'xn--seal-hqa'],
  ['français', 'xn--franais-xxa'],
  ['østers', 'xn--sters-uua'],
  ['jalapeño', 'xn--jalapeo-9za'],
  ['пример', 'xn--e1afmkfd'],
  ['例え', 'xn--r8jz45g'],
];
const FOREIGN_WORDS = ['café', 'größe', 'naïve', 'señor', 'łódź', 'привет', '東京', 'crème'];
const SUBDOMAINS = ['api', 'blog', 'cdn', 'docs', 'forum', 'img', 'm', 'mail', 'news', 'shop'];
const PORTS = [81, 3000, 5000, 8000, 8080, 8443, 9000, 9200];
const FILE_ENDINGS = ['html', 'html', 'html', 'php', 'jpg', 'png', 'js', 'css', 'pdf', 'xml'];
const QUERY_KEYS = [
  'id',
  'q',
  'page',
  'ref',
  'lang',
  'sort',
  'utm_source',
  'utm_campaign',
  'v',
  't',
];
const MAX_SEGMENTS = 5;

/** @type {(random: RandomValues) => Piece} an http or https URL */
export function makeUrl(random) {
  const isSecure = random.chance(0.92);
  const scheme = isSecure ? 'https' : 'http';
  const pieces = [
    same(`${scheme}://`),
    same(random.chance(0.005) ? `${makeWord(random)}:${random.text(10)}@` : ''),
    makeHost(random),
    makePort(random, isSecure ? 443 : 80),
    makePath(random),
    same(random.chance(0.3) ? `?${makeQuery(random)}` : ''),
    same(random.chance(0.06) ? `#${makeSlug(random)}` : ''),
  ];
  return join(pieces);
}

/** @type {(random: RandomValues) => Piece} */
function makeHost(random) {
  const kind = random.integer(1, 1000);
  if (kind <= 5) return same(`192.0.2.${random.integer(1, 254)}`);
  if (kind <= 7) return same(`[2001:db8::${makeHexGroup(random)}:${makeHexGroup(random)}]`);
  if (kind <= 17) {
    const [written = '', normal = ''] = random.pick(FOREIGN_LABELS);
    return { written: `${written}.example`, normal: `${normal}.example` };
  }
  return same(`${makeSubdomain(random)}${makeWord(random)}${makeWord(random)}.example`);
}

/** @param {RandomValues} random */
function makeSubdomain(random) {
  if (random.chance(0.5)) return 'www.';
  return random.chance(0.4) ? `${random.pick(SUBDOMAINS)}.` : '';
}

/** @param {RandomValues} random */
function makeHexGroup(random) {
  return random.integer(1, 0xffff).toString(16);
}

/** @type {(random: RandomValues, defaultPort: number) => Piece} mostly empty */
function makePort(random, defaultPort) {
  if (random.chance(0.02)) return same(`:${random.pick(PORTS)}`);
  return { written: random.chance(0.005) ? `:${defaultPort}` : '', normal: '' };
}

/** @type {(random: RandomValues) => Piece} */
function makePath(random) {
  const count = Math.min(random.integer(0, MAX_SEGMENTS), random.integer(0, MAX_SEGMENTS + 1));
  if (count === 0) return { written: random.chance(0.7) ? '' : '/', normal: '/' };
  const segments = Array.from({ length: count }, () => makeSegment(random));
  const end = random.chance(0.3) ? `.${random.pick(FILE_ENDINGS)}` : random.pick(['', '/']);
  return join([...segments, same(end)]);
}

/** @type {(random: RandomValues) => Piece} with the slash before it */
function makeSegment(random) {
  if (random.chance(0.02)) {
    const word = random.pick(FOREIGN_WORDS);
    const normal = `/${encodeURIComponent(word)}`;
    return { written: random.boolean() ? `/${word}` : normal, normal };
  }
  if (random.chance(0.2)) return same(`/${random.integer(1, 9_999_999)}`);
  return same(`/${makeSlug(random)}`);
}

/** @param {RandomValues} random */
function makeQuery(random) {
  const count = Math.min(random.integer(1, 5), random.integer(1, 5));
  const pairs = Array.from({ length: count }, () => {
    return `${random.pick(QUERY_KEYS)}=${makeQueryValue(random)}`;
  });
  return pairs.join('&');
}

/** @param {RandomValues} random */
function makeQueryValue(random) {
  const kind = random.integer(1, 10);
  if (kind <= 4) return String(random.integer(1, 99_999));
  if (kind <= 5) return random.text(random.integer(8, 32));
  if (kind <= 6) return `${makeWord(random)}${random.pick(['%20', '+'])}${makeWord(random)}`;
  return makeSlug(random);
}

/** @param {RandomValues} random */
function makeSlug(random) {
  const count = Math.min(random.integer(1, 6), random.integer(1, 6));
  return Array.from({ length: count }, () => makeWord(random)).join('-');
}

/** @param {RandomValues} random */
function makeWord(random) {
  return random.pick(WORDS);
}

/** @type {(text: string) => Piece} */
function same(text) {
  return { written: text, normal: text };
}

/** @type {(pieces: Piece[]) => Piece} */
function join(pieces) {
  return {
    written: pieces.map(({ written }) => written).join(''),
    normal: pieces.map(({ normal }) => normal).join(''),
  };
}

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

/** @type {(random: RandomValues, text: string) => string} with one to three pieces inserted */
function mutate(random, text) {
  let mutated = text;
  for (let left = random.integer(1, 3); left > 0; left--) {
    const at = random.integer(0, mutated.length);
    const removed = random.boolean() ? 1 : 0;
    mutated = mutated.slice(0, at) + random.pick(PIECES) + mutated.slice(at + removed);
  }
  return mutated;
}

/** @param {RandomValues} random @param {string} text */
function exchangeScheme(random, text) {
  return random.pick(SCHEMES) + text.slice(text.indexOf(':') + 1);
}

/** @type {(random: RandomValues) => string} with one very long part */
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
