import { makeInvalidUrlError } from './addon.js';

/** @import { PartList, UrlClass } from './types.ts' */

/**
 * A class of URLs whose parts are all created with the URL, in a list.
 * @type {(parse: (input: string) => PartList | undefined) => UrlClass}
 */
export function makeListedPartsUrl(parse) {
  return class ListedPartsUrl {
    /** @type {PartList} */
    #parts;

    /** @param {string} input */
    constructor(input) {
      const text = `${input}`;
      const parts = parse(text);
      if (parts === undefined) throw makeInvalidUrlError(text);
      this.#parts = parts;
    }

    get href() {
      return this.#parts[0];
    }

    get origin() {
      return this.#parts[1];
    }

    get protocol() {
      return this.#parts[2];
    }

    get hostname() {
      return this.#parts[3];
    }

    get pathname() {
      return this.#parts[4];
    }

    get search() {
      return this.#parts[5];
    }

    get username() {
      return this.#parts[6];
    }

    get password() {
      return this.#parts[7];
    }

    get port() {
      return this.#parts[8];
    }

    get hash() {
      return this.#parts[9];
    }
  };
}
