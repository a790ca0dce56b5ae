import { UsageError } from '../../../../harness/lib/errors.js';

// It is taken before a variant is loaded, because a variant could replace it.
export const { stringify } = JSON;

/**
 * The functions and classes that an operation calls.
 * @param {object} module namespace object of the variant
 * @param {string[]} names
 * @returns {any} an object with these exports
 * @throws {UsageError} when the variant lacks one
 */
export function takeExports(module, names) {
  const taken = names.map((name) => [name, Reflect.get(module, name)]);
  const missing = taken.filter(([, value]) => typeof value !== 'function').map(([name]) => name);
  if (missing.length > 0) {
    throw new UsageError(`the variant exports no ${missing.join(' and no ')}`, {
      remedy: 'choose another operation or another variant',
    });
  }
  return Object.fromEntries(taken);
}

/** Documents in one response, as for the GET in NODE-6246. */
const PAGE_DOCUMENTS = 100;

/**
 * @template Document
 * @param {Document[]} documents
 * @returns {Document[][]} pages of 100, the last with the rest
 */
export function splitPages(documents) {
  const pages = [];
  for (let start = 0; start < documents.length; start += PAGE_DOCUMENTS) {
    pages.push(documents.slice(start, start + PAGE_DOCUMENTS));
  }
  return pages;
}

/**
 * The work of an application for a GET: reads the documents of a page and writes them as JSON.
 * @param {(bytes: Uint8Array) => object} deserialize
 * @param {Uint8Array[]} page BSON documents
 * @returns {string} a JSON array
 */
export function formatPage(deserialize, page) {
  const documents = [];
  for (let index = 0; index < page.length; index++) documents.push(deserialize(page[index]));
  return stringify(documents);
}

/** @type {(text: string) => Uint8Array} UTF-8 */
export function encodeText(text) {
  return Buffer.from(text);
}

/**
 * Describes the first difference of two JSON texts.
 * @param {Uint8Array} expected UTF-8
 * @param {Uint8Array} found UTF-8
 * @returns {Promise<{ path: string, expected: string, found: string }>}
 */
export async function explainJsonDifference(expected, found) {
  const { describeValue } = await import('../../../../harness/worker/describe-value.js');
  const { explainTextDifference } = await import('../../../support/explain-difference.js');
  const [expectedText, foundText] = [expected, found].map((text) =>
    Buffer.from(describeValue(JSON.parse(Buffer.from(text).toString()))),
  );
  return explainTextDifference(expectedText, foundText);
}
