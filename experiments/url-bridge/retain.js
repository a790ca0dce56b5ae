import { constructUrl, takeUrlClass } from './operations/support/construct.js';
import { readHref } from './operations/support/urls.js';

/** @import { UrlObject } from './bridge/types.ts' */

/**
 * How this family reads a document of which a memory job keeps every part: it constructs the URL and
 * reads no part of it.
 * @param {object} module namespace of the variant
 * @returns {(bytes: Uint8Array) => UrlObject | null} null for an invalid URL
 */
export function openDocumentReader(module) {
  const URL = takeUrlClass(module);
  return function readDocument(bytes) {
    return constructUrl(URL, readHref(bytes));
  };
}
