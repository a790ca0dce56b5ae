/**
 * Has the file `ASSAY_REPLACEMENT` loaded as a CommonJS module, or read, in the place of `ASSAY_REPLACED`, if these
 * variables are set. Mocha loads this before the tests.
 */
import fs from 'node:fs';
import Module from 'node:module';

const { ASSAY_REPLACED: replaced, ASSAY_REPLACEMENT: replacement } = process.env;
const loader = /** @type {any} */ (Module);
const resolve = loader._resolveFilename;
const read = /** @type {any} */ (fs.readFileSync);

/** @param {unknown[]} words */
loader._resolveFilename = function resolveFilename(...words) {
  const file = resolve.apply(this, words);
  return file === replaced ? replacement : file;
};

/** @type {(file: any, ...words: any[]) => any} */
const readFileSync = (file, ...words) => read(file === replaced ? replacement : file, ...words);
fs.readFileSync = readFileSync;
