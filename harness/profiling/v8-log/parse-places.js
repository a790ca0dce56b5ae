const PLACE = /^(.*):(\d+):(\d+)$/s;
const NAMED_FUNCTION = /^(.*?) ((?:file:\/\/|node:|\/|[A-Za-z]:[\\/]).*)$/s;
const INNERMOST = /^<(.*?)>(?: inlined at <|$)/s;

/**
 * A place in a source; line and column from 1.
 *
 * @typedef {{ url: string, line: number, column: number }} Place
 */

/**
 * @param {string} text `file:///a.js:3:14`
 * @returns {Place | null} null where the text names no place
 */
function parsePlace(text) {
  const match = PLACE.exec(text);
  if (match === null) return null;
  const [, url, line, column] = match;
  return { url: /** @type {string} */ (url), line: Number(line), column: Number(column) };
}

/**
 * @param {string} text what the log calls a function: `writeDocument file:///a.js:34:30`, or
 *   ` file:///a.js:1:1` for one without a name
 * @returns {(Place & { name: string }) | null} null for what belongs to no file
 */
export function parseFunctionName(text) {
  const [, name, rest] = NAMED_FUNCTION.exec(text) ?? [];
  const place = rest === undefined ? null : parsePlace(rest);
  return place === null ? null : { ...place, name: name || '(anonymous)' };
}

/**
 * @param {string} text where code was given up: `<a.js:3:14>`, or with the functions that it was
 *   inlined into: `<a.js:3:14> inlined at <b.js:1:2>`
 * @returns {Place | null} the place itself; null where V8 does not know it
 */
export function parseDeoptPlace(text) {
  const [, innermost] = INNERMOST.exec(text) ?? [];
  return innermost === undefined ? null : parsePlace(innermost);
}
