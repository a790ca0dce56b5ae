/** Loads CommonJS modules in a page, as a bundler for browsers makes them work. */

import { ask, askJson } from './ask.js';

/** By path. @type {Map<string, { exports: any }>} */
const modules = new Map();

/**
 * @param {string} specifier
 * @param {string} from URL of the module that asks
 * @returns {string} absolute path of the file that a browser would be given
 * @throws {Error} when there is none
 */
export function resolveModule(specifier, from) {
  return askJson('resolve', { specifier, from });
}

/**
 * @param {string} specifier
 * @param {string} from URL of the module that asks
 * @returns {any} what the module exports
 * @throws {Error} when there is none, or it throws
 */
export function requireModule(specifier, from) {
  return requireFile(resolveModule(specifier, from));
}

/** @param {string} path absolute @returns {URL} of the file, in the page */
export function locate(path) {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), import.meta.url);
}

/** @param {string} path absolute @returns {any} what the module exports */
export function requireFile(path) {
  const known = modules.get(path);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(path, module);
  const text = new TextDecoder().decode(ask('read', path));
  if (path.endsWith('.json')) return (module.exports = JSON.parse(text));
  const url = locate(path).href;
  // On one line with the text, so that its lines keep their numbers.
  const source = `(function (exports, require, module, __filename, __dirname) {${text}\n})\n//# sourceURL=${url}`;
  const load = (0, eval)(source);
  const require = (/** @type {string} */ specifier) => requireModule(specifier, url);
  load(module.exports, require, module, path, path.slice(0, path.lastIndexOf('/')));
  return module.exports;
}
