import { readFileSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFunctionRanges } from './function-ranges.js';
import { openSourceMap } from './source-map.js';

/** @import { FunctionRange } from './function-ranges.js' */
/** @import { Mapping } from './source-map.js' */

/** What is read and shown is code, whatever a source map names. */
const CODE = /\.[cm]?[jt]sx?$/;
const MAP = /\.map$|\.json$/;
const MAX_BYTES = 64 * 1024 * 1024;
/** A bundler may be given what a compiler wrote. */
const MAX_MAPS = 4;

/** Line and column from 1. @typedef {{ url: string, line: number, column: number }} Place */

/**
 * A file of code.
 *
 * @typedef {object} SourceFile
 * @property {string[]} lines
 * @property {number[]} offsets of the lines
 * @property {Mapping | null} mapping to what it was generated from
 * @property {() => FunctionRange[] | null} listRanges null if it is not JavaScript
 */

/**
 * @typedef {object} SourceFiles
 * @property {(url: string) => SourceFile | null} open null for what may not be read, or is not there
 * @property {(place: Place) => Place} locate the same place if its file has no source map, or that does not have the place
 */

/**
 * The files of code below some directories, with their source maps.
 *
 * @param {string[]} roots absolute paths; a source map may name any file, but no other is read
 * @returns {SourceFiles}
 */
export function openSourceFiles(roots) {
  const realRoots = roots.flatMap((root) => realPath(root) ?? []);
  /** @type {Map<string, SourceFile | null>} */
  const files = new Map();
  /** Sources that source maps contain. @type {Map<string, string>} */
  const contained = new Map();

  /** @param {string} url @param {RegExp} pattern @returns {string | null} */
  function read(url, pattern) {
    const path = pathOf(url);
    const real = path === null ? null : realPath(path);
    if (real === null || !pattern.test(real)) return null;
    if (!realRoots.some((root) => isInside(real, root))) return null;
    const stats = statSync(real);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(real, 'utf8') : null;
  }

  /** @type {SourceFiles['open']} */
  function open(url) {
    const known = files.get(url);
    if (known !== undefined) return known;
    // A file may have changed since the build.
    const text = contained.get(url) ?? read(url, CODE);
    const file = text === null ? null : makeFile(text, url, (map) => read(map.href, MAP));
    files.set(url, file);
    return file;
  }

  return {
    open,
    locate(place) {
      let found = place;
      for (let step = 0; step < MAX_MAPS; step++) {
        const mapping = open(found.url)?.mapping;
        const original = mapping?.find(found.line, found.column) ?? null;
        if (original === null) break;
        const { url, line, column } = original;
        const text = mapping?.textOf(url);
        if (text !== undefined) contained.set(url, text);
        found = { url, line, column };
      }
      return found;
    },
  };
}

/** @type {(text: string, url: string, readMap: (map: URL) => string | null) => SourceFile} */
function makeFile(text, url, readMap) {
  const lines = text.split('\n');
  let end = 0;
  /** @type {FunctionRange[] | null | undefined} */
  let ranges;
  return {
    lines,
    offsets: lines.map(({ length }) => (end += length + 1) - length - 1),
    mapping: openSourceMap(url, text, readMap),
    listRanges() {
      if (ranges === undefined) ranges = listFunctionRanges(text);
      return ranges;
    },
  };
}

/** @type {(url: string) => string | null} of a script in V8: a URL or a path; null for one that is no file */
export function pathOf(url) {
  if (url.startsWith('/')) return url;
  if (!url.startsWith('file:')) return null;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

/** @type {(path: string) => string | null} null if there is nothing */
export function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** @type {(path: string, root: string) => boolean} */
export function isInside(path, root) {
  return path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
