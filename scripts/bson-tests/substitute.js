/**
 * Has CommonJS modules whose path begins with `ASSAY_REPLACED` loaded from the file `ASSAY_REPLACEMENT`, if these variables
 * are set. Mocha loads this before the tests.
 */
import Module from 'node:module';

const { ASSAY_REPLACED: replaced, ASSAY_REPLACEMENT: replacement } = process.env;
const loader = /** @type {any} */ (Module);
const resolve = loader._resolveFilename;

/** @param {unknown[]} words */
loader._resolveFilename = function resolveFilename(...words) {
  const file = resolve.apply(this, words);
  return replaced !== undefined && file.startsWith(replaced) ? replacement : file;
};
