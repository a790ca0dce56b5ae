import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FormatError } from '../../lib/errors.js';
import { readPackage } from '../package-entry.js';
import { readOutline } from './read-outline.js';

/** @import { SourceKind } from './read-outline.js' */

/** @typedef {{ text: string, kind: SourceKind }} Source */

const EXTENSIONS = ['.js', '.mjs', '.cjs'];
/** More than any codec consists of. */
const MAX_FILES = 500;

/**
 * JavaScript files and all that they load by a relative path written out in them, directly and
 * indirectly. What is loaded by a name, or by a path that is computed, is not among them.
 *
 * @param {string[]} entries absolute paths
 * @returns {Map<string, Source>} by absolute path
 * @throws {FormatError} when one cannot be read as what it is, or there are too many
 */
export function listSources(entries) {
  /** @type {Map<string, Source>} */
  const sources = new Map();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sources.has(file)) continue;
    if (sources.size === MAX_FILES) {
      throw new FormatError(`it consists of more than ${MAX_FILES} files`);
    }
    const kind = findKind(file);
    const text = readFileSync(file, 'utf8');
    const { imports } = outline(file, text, kind);
    sources.set(file, { text, kind });
    for (const specifier of imports) {
      const target = resolveRelative(specifier, file, kind);
      if (target !== null && EXTENSIONS.includes(extname(target))) waiting.push(target);
    }
  }
  return sources;
}

/**
 * @param {string} file
 * @param {string} text
 * @param {SourceKind} kind
 */
function outline(file, text, kind) {
  try {
    return readOutline(text, kind);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`'${file}': ${error.message}`, { cause: error });
  }
}

/**
 * How Node reads a file, by its name and the package that it belongs to.
 *
 * @param {string} file
 * @returns {SourceKind}
 * @throws {FormatError} when it is no JavaScript
 */
function findKind(file) {
  const extension = extname(file);
  if (extension === '.mjs') return 'module';
  if (extension === '.cjs') return 'commonjs';
  if (extension !== '.js') throw new FormatError(`'${file}' is no JavaScript file`);
  const { type } = /** @type {{ type?: string }} */ (
    readPackage(findPackageDirectory(file) ?? '/')
  );
  return type === 'module' ? 'module' : 'commonjs';
}

/**
 * @param {string} file absolute path
 * @returns {string | null} the nearest directory above with a package.json
 */
export function findPackageDirectory(file) {
  for (let path = dirname(file); ; path = dirname(path)) {
    if (existsSync(join(path, 'package.json'))) return path;
    if (path === dirname(path)) return null;
  }
}

/**
 * @param {string} specifier
 * @param {string} file that has it
 * @param {SourceKind} kind of that file
 * @returns {string | null} absolute path; null where there is nothing, which the program may allow for
 */
function resolveRelative(specifier, file, kind) {
  if (kind === 'commonjs') {
    try {
      return createRequire(file).resolve(specifier);
    } catch {
      return null;
    }
  }
  const target = fileURLToPath(new URL(specifier, pathToFileURL(file)));
  return existsSync(target) && statSync(target).isFile() ? target : null;
}
