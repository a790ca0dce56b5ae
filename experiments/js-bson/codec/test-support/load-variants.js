import { readdir } from 'node:fs/promises';

const FOLDER = new URL('../../variants/', import.meta.url);

/**
 * Loads every variant that the folder holds.
 * @returns {Promise<[name: string, module: any][]>}
 */
export async function loadVariants() {
  const files = (await readdir(FOLDER)).filter(isVariantFile).sort();
  /** @type {[string, any][]} */
  const variants = [];
  // One after the other: jest does not link modules that are imported at the same time.
  for (const file of files) variants.push(await loadVariant(file));
  return variants;
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function isVariantFile(file) {
  return file.endsWith('.js') && !file.endsWith('.test.js');
}

/**
 * @param {string} file
 * @returns {Promise<[string, any]>}
 */
async function loadVariant(file) {
  return [file.slice(0, -'.js'.length), await import(new URL(file, FOLDER).href)];
}

/**
 * Whether a variant says that it differs from bson in this.
 * @param {any} module
 * @param {RegExp} words
 * @returns {boolean}
 */
export function differsIn(module, words) {
  return (module.variant.differs ?? []).some((/** @type {string} */ text) => words.test(text));
}
