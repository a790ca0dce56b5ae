import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean } from '../../harness/did-you-mean.js';
import { FormatError, UsageError } from '../../harness/errors.js';

/** @import { Corpus } from '../../harness/types.ts' */

/**
 * What is remembered of an imported corpus; its documents are in the store.
 *
 * @typedef {object} ImportRecord
 * @property {number} formatVersion
 * @property {string} name
 * @property {string} stresses one line: where it came from
 * @property {string} digest `sha256:…` of the canonical BSON
 * @property {string} textDigest `sha256:…` of the Extended JSON
 */

/**
 * @typedef {{ origin: 'built-in', corpus: Corpus } | { origin: 'imported', corpus: ImportRecord }}
 *   FoundCorpus
 */

/** Of the record of an import. */
export const RECORD_VERSION = 1;

const BUILT_IN_FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** @returns {string[]} names of the corpora that come with Assay, sorted */
export function listBuiltInNames() {
  return readdirSync(BUILT_IN_FOLDER)
    .filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'))
    .map((file) => file.slice(0, -'.js'.length))
    .sort();
}

/**
 * @param {{ directory: string }} place where imported corpora are kept
 * @returns {string[]} names of the user's own corpora, sorted
 */
export function listImportedNames({ directory }) {
  const folder = join(directory, 'imported');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * @param {string} name
 * @param {{ directory: string }} place where imported corpora are kept
 * @returns {Promise<FoundCorpus>}
 * @throws {UsageError} when there is none of this name, or two
 * @throws {FormatError} when the record of an import cannot be read
 */
export async function findCorpus(name, { directory }) {
  const builtIn = listBuiltInNames();
  const imported = listImportedNames({ directory });
  if (builtIn.includes(name) && imported.includes(name)) {
    throw new UsageError(`'${name}' names a built-in corpus and an imported one`, {
      remedy: `Remove ${recordPath(directory, name)} and import the file under another name.`,
    });
  }
  if (builtIn.includes(name)) {
    const { corpus } = await import(new URL(`../${name}.js`, import.meta.url).href);
    return { origin: 'built-in', corpus };
  }
  if (imported.includes(name)) return { origin: 'imported', corpus: readRecord(directory, name) };
  const names = [...builtIn, ...imported];
  throw new UsageError(`no corpus '${name}'${didYouMean(name, names)}`, {
    remedy: `There is ${names.join(', ')}; 'just corpora import NAME FILE' adds your own documents.`,
  });
}

/**
 * @param {string} directory of all corpora
 * @param {string} name of an imported corpus
 */
export function recordPath(directory, name) {
  return join(directory, 'imported', `${name}.json`);
}

/**
 * @param {string} directory
 * @param {string} name
 * @returns {ImportRecord}
 */
function readRecord(directory, name) {
  const path = recordPath(directory, name);
  const remedy = `Remove it, or import the corpus again with --replace.`;
  let record;
  try {
    record = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new FormatError(`${path} is no record of an imported corpus`, { remedy, cause });
  }
  if (record?.formatVersion !== RECORD_VERSION) {
    throw new FormatError(
      `${path} has format ${record?.formatVersion}, this Assay reads format ${RECORD_VERSION}`,
      { remedy },
    );
  }
  return record;
}
