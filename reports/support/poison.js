/** Puts hostile text wherever a format takes text. Used by tests only. */

/** @import { FormatKind } from '../../harness/formats/types.ts' */

import { AssayError } from '../../harness/lib/errors.js';
import { validate } from '../../harness/formats/schemas.js';

/**
 * Markup, Markdown, CSS and shell mischief; a link, a title and a cleared screen for a terminal, in
 * seven bits and in eight; a line written over; text that runs the other way, is invisible or broken.
 */
export const POISON =
  '\u001b[2J\u001b]8;;http://x.y\u001b\\\u001b]0;owned\u0007\u009b2J\u009d0;x\u009c' +
  '</script></style></svg>|`--><img src=x onerror=alert(1)>"\'onload=x javascript:x url(//x.y) }' +
  '\n# head\n* a\n\n| a |\n```\r\b\u202eevil\u2066 @all #1 GH-1 :tada: **b** [l](http://x.y) ' +
  '![i](//x.y) </details> \u0000\ud800\u2028$x$ \u200b\u{e0041}__proto__ ';

/** What is left of it where a text is shown. */
export const POISONED = /onerror=alert/;

/** What may steer a terminal, hide text or turn it round; a line end may not. */
const UNSEEN = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** The colours of Assay's own. */
// eslint-disable-next-line no-control-regex
const COLOUR = /\u001b\[(?:[012]|3[123])m/g;

/** @typedef {Record<string, unknown> | unknown[]} Holder */

/** @type {Map<string, boolean>} whether the schema takes any text there, by kind and path */
const known = new Map();

/**
 * @param {string} text for a terminal
 * @returns {string | null} the first character that is neither seen nor a colour of Assay's own
 */
export function findUnseen(text) {
  return UNSEEN.exec(text.replaceAll(COLOUR, ''))?.[0] ?? null;
}

/**
 * A copy of a document in which every text and every key that its schema does not hold to a list or a
 * pattern is hostile. Equal texts stay equal, so that what refers to something still does.
 *
 * @template T
 * @param {FormatKind} kind
 * @param {T} document fits its schema
 * @returns {Promise<T>}
 */
export async function poisonDocument(kind, document) {
  const copy = { document: structuredClone(document) };
  for (const { holder, key, path } of listTexts(copy)) {
    const place = `${kind}:${path}`;
    const before = take(holder, key);
    put(holder, key, POISON + String(before));
    const isFree = known.get(place) ?? (await fits(kind, copy.document));
    known.set(place, isFree);
    if (!isFree) put(holder, key, before);
  }
  await poisonKeys(kind, copy);
  return copy.document;
}

/**
 * The same without a schema: what is a word of Assay's own, such as `v8-cpu-profile`, stays.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function poisonDeeply(value) {
  const copy = { value: structuredClone(value) };
  for (const { holder, key } of listTexts(copy)) {
    const text = String(take(holder, key));
    if (!/^[a-z\d-]*$/.test(text)) put(holder, key, POISON + text);
  }
  return copy.value;
}

/**
 * @param {FormatKind} kind
 * @param {{ document: unknown }} copy
 */
async function poisonKeys(kind, copy) {
  for (const { holder, path } of listHolders(copy)) {
    if (Array.isArray(holder) || holder === copy) continue;
    for (const key of Object.keys(holder)) {
      const place = `${kind}:${path}{}${key}`;
      const value = holder[key];
      delete holder[key];
      holder[POISON + key] = value;
      const isFree = known.get(place) ?? (await fits(kind, copy.document));
      known.set(place, isFree);
      if (isFree) continue;
      delete holder[POISON + key];
      holder[key] = value;
    }
  }
}

/**
 * @param {FormatKind} kind
 * @param {unknown} document
 */
async function fits(kind, document) {
  try {
    validate(kind, document);
    return true;
  } catch (error) {
    if (error instanceof AssayError) return false;
    throw error;
  }
}

/**
 * @param {Holder} root
 * @returns {{ holder: Holder, key: string, path: string }[]}
 */
function listTexts(root) {
  return listHolders(root).flatMap(({ holder, path }) =>
    Object.keys(holder)
      .filter((key) => typeof take(holder, key) === 'string')
      .map((key) => ({ holder, key, path: stepInto(holder, key, path) })),
  );
}

/**
 * @param {Holder} root
 * @returns {{ holder: Holder, path: string }[]} with the root; paths have no places in lists
 */
function listHolders(root) {
  const found = [{ holder: root, path: '' }];
  for (const { holder, path } of found) {
    for (const key of Object.keys(holder)) {
      const value = take(holder, key);
      if (typeof value !== 'object' || value === null) continue;
      found.push({ holder: /** @type {Holder} */ (value), path: stepInto(holder, key, path) });
    }
  }
  return found;
}

/**
 * @param {Holder} holder
 * @param {string} key
 * @param {string} path
 */
function stepInto(holder, key, path) {
  return Array.isArray(holder) ? `${path}[]` : `${path}.${key}`;
}

/**
 * @param {Holder} holder
 * @param {string} key
 * @returns {unknown}
 */
function take(holder, key) {
  return /** @type {Record<string, unknown>} */ (holder)[key];
}

/**
 * @param {Holder} holder
 * @param {string} key
 * @param {unknown} value
 */
function put(holder, key, value) {
  /** @type {Record<string, unknown>} */ (holder)[key] = value;
}
