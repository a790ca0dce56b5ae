import { makeInvalidUrlError } from './addon.js';

/** @import { Addon, UrlClass } from './types.ts' */

/** Two of Ada's types of schemes. */
const NOT_SPECIAL = 1;
const FILE = 6;

/** Offsets of the parts of one href, copied because the next URL overwrites the shared array. */
class Offsets {
  /**
   * @param {string} href
   * @param {Uint32Array} shared
   */
  constructor(href, shared) {
    this.href = href;
    this.protocolEnd = shared[0];
    this.usernameEnd = shared[1];
    this.hostStart = shared[2];
    this.hostEnd = shared[3];
    this.portStart = shared[4];
    this.pathnameStart = shared[5];
    this.searchStart = shared[6];
    this.hashStart = shared[7];
    this.schemeType = shared[8];
  }
}

/**
 * A class of URLs that store the href and the offsets of its parts, and slice a part when it is
 * read, like Node since 20.0.0.
 * @type {(addon: Addon) => UrlClass}
 */
export function makeLazyPartsUrl({ parseToOffsets, offsets }) {
  return class LazyPartsUrl {
    /** @type {Offsets} */
    #parts;

    /** @param {string} input */
    constructor(input) {
      const text = `${input}`;
      const href = parseToOffsets(text);
      if (href === undefined) throw makeInvalidUrlError(text);
      this.#parts = new Offsets(href, offsets);
    }

    get href() {
      return this.#parts.href;
    }

    get origin() {
      const parts = this.#parts;
      const isOfPath = parts.schemeType === NOT_SPECIAL && this.protocol === 'blob:';
      return isOfPath ? findBlobOrigin(this.pathname) : formatOrigin(parts);
    }

    get protocol() {
      const { href, protocolEnd } = this.#parts;
      return href.slice(0, protocolEnd);
    }

    get hostname() {
      const parts = this.#parts;
      return parts.href.slice(findHost(parts), parts.hostEnd);
    }

    get pathname() {
      const { href, pathnameStart, searchStart } = this.#parts;
      return href.slice(pathnameStart, searchStart);
    }

    get search() {
      const { href, searchStart, hashStart } = this.#parts;
      // A question mark without a query is only in the href.
      return hashStart - searchStart > 1 ? href.slice(searchStart, hashStart) : '';
    }

    get username() {
      const { href, protocolEnd, usernameEnd } = this.#parts;
      const start = protocolEnd + 2;
      return usernameEnd > start ? href.slice(start, usernameEnd) : '';
    }

    get password() {
      const { href, usernameEnd, hostStart } = this.#parts;
      return hostStart > usernameEnd ? href.slice(usernameEnd + 1, hostStart) : '';
    }

    get port() {
      const { href, portStart, pathnameStart } = this.#parts;
      return href.slice(portStart, pathnameStart);
    }

    get hash() {
      const { href, hashStart } = this.#parts;
      return href.length - hashStart > 1 ? href.slice(hashStart) : '';
    }
  };

  /**
   * @param {string} pathname of a blob: URL
   * @returns {string}
   */
  function findBlobOrigin(pathname) {
    const inner = parseToOffsets(pathname);
    if (inner === undefined || !/^https?:/.test(inner)) return 'null';
    return formatOrigin(new Offsets(inner, offsets));
  }
}

/** @type {(parts: Offsets) => number} start of the host, after credentials */
function findHost({ href, hostStart }) {
  return href[hostStart] === '@' ? hostStart + 1 : hostStart;
}

/** @type {(parts: Offsets) => string} `https://host:port`, or `null` for schemes without an origin */
function formatOrigin(parts) {
  if (parts.schemeType === NOT_SPECIAL || parts.schemeType === FILE) return 'null';
  const { href, protocolEnd, pathnameStart } = parts;
  return `${href.slice(0, protocolEnd)}//${href.slice(findHost(parts), pathnameStart)}`;
}
