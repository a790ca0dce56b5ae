import { makeInvalidUrlError } from './addon.js';

/** @import { Parts, UrlClass } from './types.ts' */

/**
 * A class of URLs whose parts are all created with the URL, by name.
 * @type {(parse: (input: string) => Parts | undefined) => UrlClass}
 */
export function makeNamedPartsUrl(parse) {
  return class NamedPartsUrl {
    /** @type {Parts} */
    #parts;

    /** @param {string} input */
    constructor(input) {
      const text = `${input}`;
      const parts = parse(text);
      if (parts === undefined) throw makeInvalidUrlError(text);
      this.#parts = parts;
    }

    get href() {
      return this.#parts.href;
    }

    get origin() {
      return this.#parts.origin;
    }

    get protocol() {
      return this.#parts.protocol;
    }

    get hostname() {
      return this.#parts.hostname;
    }

    get pathname() {
      return this.#parts.pathname;
    }

    get search() {
      return this.#parts.search;
    }

    get username() {
      return this.#parts.username;
    }

    get password() {
      return this.#parts.password;
    }

    get port() {
      return this.#parts.port;
    }

    get hash() {
      return this.#parts.hash;
    }
  };
}
