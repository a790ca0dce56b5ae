/** @import { Parts, UrlClass, UrlObject } from './bridge/types.ts' */

const FULL = 'https://user:pass@host.example:8080/a/b?c=d#e';
const FULL_PARTS = Object.freeze({
  href: FULL,
  origin: 'https://host.example:8080',
  protocol: 'https:',
  hostname: 'host.example',
  pathname: '/a/b',
  search: '?c=d',
  username: 'user',
  password: 'pass',
  port: '8080',
  hash: '#e',
});
const NO_URL = 'no url';

/**
 * What the URL class of every variant promises.
 * @type {import('../support/contract.js').Theme<[UrlClass]>[]}
 */
export const CONTRACT = [
  {
    title: 'Parts',
    rows: [
      {
        name: 'ten-parts',
        promise: 'all ten parts of a URL are correct',
        check: (URL) => demandParts(URL, FULL, FULL_PARTS),
      },
      {
        name: 'missing-parts',
        promise: 'a missing or empty part is the empty string',
        check: checkMissingParts,
      },
      {
        name: 'opaque-paths',
        promise:
          'a URL without an authority has no host, and its origin is null unless it is a blob',
        check: checkOpaquePaths,
      },
      {
        name: 'normal-form',
        promise: 'scheme, host, default port and dot segments are normalized',
        check: (URL) =>
          demandParts(URL, 'HTTPS://BÜCHER.Example:443/a/../ü', {
            href: 'https://xn--bcher-kva.example/%C3%BC',
            port: '',
          }),
      },
    ],
  },
  {
    title: 'Objects',
    rows: [
      {
        name: 'kept-urls',
        promise: 'a URL keeps its parts when others are parsed after it',
        check: checkKeptUrls,
      },
      {
        name: 'reuse-after-refusal',
        promise: 'after an invalid URL, the parts of earlier and later URLs are correct',
        check: checkReuse,
      },
      {
        name: 'input-to-text',
        promise: 'the input is converted to a string, and lone surrogates are replaced',
        check: checkInputToText,
      },
    ],
  },
  {
    title: 'Refusals',
    rows: [
      {
        name: 'invalid-url-error',
        promise: 'an invalid URL is rejected with a TypeError with the code ERR_INVALID_URL',
        check: checkRefusal,
      },
      {
        name: 'ipv4-range',
        promise: 'an address whose last number is above 255 is rejected',
        check: (URL) => void demandRefusal(URL, 'http://192.0.2.256/'),
      },
      {
        name: 'ipv6-zone',
        promise: 'an IPv6 address with a zone is rejected',
        check: (URL) => void demandRefusal(URL, 'http://[::1%25eth0]/'),
      },
    ],
  },
  {
    title: 'Where parsers went wrong',
    rows: [
      {
        name: 'upper-case-z',
        promise: 'an upper-case Z in a host becomes lower case, like all other letters',
        check: (URL) =>
          demandParts(URL, 'https://ZEBRA.Example/Z', {
            href: 'https://zebra.example/Z',
            hostname: 'zebra.example',
          }),
      },
      {
        name: 'full-width-ipv4',
        promise: 'an address in full-width digits is an address',
        check: (URL) => demandParts(URL, 'http://１９２.0.2.1/', { href: 'http://192.0.2.1/' }),
      },
      {
        name: 'single-number-host',
        promise: 'a host that is a single number is an address',
        check: (URL) => demandParts(URL, 'https://0/', { hostname: '0.0.0.0' }),
      },
    ],
  },
];

/** @param {UrlClass} URL */
function checkMissingParts(URL) {
  const empty = { search: '', hash: '', username: '', password: '', port: '' };
  demandParts(URL, 'https://host.example', { ...empty, href: 'https://host.example/' });
  demandParts(URL, 'https://host.example/?', { ...empty, href: 'https://host.example/?' });
  demandParts(URL, 'https://host.example/#', { ...empty, href: 'https://host.example/#' });
  demandParts(URL, 'https://user@host.example/', { ...empty, username: 'user' });
  demandParts(URL, 'https://:pass@host.example/', { ...empty, password: 'pass' });
}

/** @param {UrlClass} URL */
function checkOpaquePaths(URL) {
  const none = { hostname: '', port: '' };
  demandParts(URL, 'mailto:a@b', { ...none, origin: 'null', pathname: 'a@b' });
  demandParts(URL, 'a:/.//b', { ...none, origin: 'null', pathname: '//b' });
  demandParts(URL, 'file:///a', { ...none, origin: 'null', pathname: '/a' });
  demandParts(URL, 'blob:https://host.example:8080/a', {
    ...none,
    origin: 'https://host.example:8080',
  });
}

/** @param {UrlClass} URL */
function checkKeptUrls(URL) {
  const kept = new URL(FULL);
  demandParts(URL, 'http://b.example/', { hostname: 'b.example' });
  demandParts(URL, 'blob:https://c.example/', { origin: 'https://c.example' });
  demandSame(FULL, kept, FULL_PARTS);
}

/** @param {UrlClass} URL */
function checkReuse(URL) {
  const kept = new URL(FULL);
  demandRefusal(URL, NO_URL);
  demandSame(FULL, kept, FULL_PARTS);
  demandParts(URL, FULL, FULL_PARTS);
}

/** @param {UrlClass} URL */
function checkInputToText(URL) {
  const object = /** @type {any} */ ({ toString: () => FULL });
  demandParts(URL, object, FULL_PARTS);
  demandParts(URL, 'https://host.example/\ud800', { pathname: '/%EF%BF%BD' });
}

/** @param {UrlClass} URL */
function checkRefusal(URL) {
  const error = /** @type {{ code?: unknown }} */ (demandRefusal(URL, NO_URL));
  if (!(error instanceof TypeError)) throw new Error(`it is rejected with ${String(error)}`);
  if (error.code !== 'ERR_INVALID_URL') throw new Error(`the error has code ${String(error.code)}`);
}

/**
 * @param {UrlClass} URL
 * @param {string} input
 * @param {Partial<Parts>} parts expected ones
 * @throws {Error} if one differs
 */
function demandParts(URL, input, parts) {
  /** @type {UrlObject} */
  let url;
  try {
    url = new URL(input);
  } catch (error) {
    throw new Error(`${quote(input)} is rejected`, { cause: error });
  }
  demandSame(input, url, parts);
}

/**
 * @param {string} input for the message
 * @param {UrlObject} url
 * @param {Partial<Parts>} parts expected ones
 * @throws {Error} if one differs
 */
function demandSame(input, url, parts) {
  for (const [name, expected] of Object.entries(parts)) {
    const found = Reflect.get(url, name);
    if (found === expected) continue;
    throw new Error(`${name} of ${quote(input)} is ${quote(found)}, expected ${quote(expected)}`);
  }
}

/**
 * @type {(URL: UrlClass, input: string) => unknown} what it throws
 * @throws {Error} if the input is accepted
 */
function demandRefusal(URL, input) {
  /** @type {string} */
  let href;
  try {
    ({ href } = new URL(input));
  } catch (error) {
    return error;
  }
  throw new Error(`${quote(input)} is accepted as ${quote(href)}`);
}

/** @param {unknown} value */
function quote(value) {
  return JSON.stringify(value);
}
