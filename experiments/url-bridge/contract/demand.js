/** @import { Parts, UrlClass, UrlObject } from '../bridge/types.ts' */

/**
 * @param {UrlClass} URL
 * @param {string} input
 * @param {Partial<Parts>} parts expected ones
 * @throws {Error} where one is another
 */
export function demandParts(URL, input, parts) {
  /** @type {UrlObject} */
  let url;
  try {
    url = new URL(input);
  } catch (error) {
    throw new Error(`${quote(input)} is refused`, { cause: error });
  }
  demandSame(input, url, parts);
}

/**
 * @param {string} input for the message
 * @param {UrlObject} url
 * @param {Partial<Parts>} parts expected ones
 * @throws {Error} where one is another
 */
export function demandSame(input, url, parts) {
  for (const [name, expected] of Object.entries(parts)) {
    const found = Reflect.get(url, name);
    if (found === expected) continue;
    throw new Error(`${name} of ${quote(input)} is ${quote(found)}, expected ${quote(expected)}`);
  }
}

/**
 * @param {UrlClass} URL
 * @param {string} input
 * @returns {unknown} what it throws
 * @throws {Error} where the input is taken for a URL
 */
export function demandRefusal(URL, input) {
  /** @type {string} */
  let href;
  try {
    ({ href } = new URL(input));
  } catch (error) {
    return error;
  }
  throw new Error(`${quote(input)} is taken for ${quote(href)}`);
}

/** @param {unknown} value */
function quote(value) {
  return JSON.stringify(value);
}
