import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocument } from '../../harness/formats/schemas.js';
import { UsageError } from '../../harness/lib/errors.js';
import { didYouMean } from '../../harness/lib/words.js';

/** @import { Corpus, ImportRecord } from '../../harness/formats/types.ts' */

/**
 * A file that defines built-in corpora.
 *
 * @typedef {object} CorpusModule
 * @property {string} group name of its folder: `mflix`
 * @property {string} name of the file, without its ending: `comments`
 * @property {string} path from the root of Assay: `corpora/mflix/comments.js`
 */

/**
 * @typedef {{ origin: 'built-in', module: CorpusModule, corpus: Corpus }
 *   | { origin: 'imported', corpus: ImportRecord }} FoundCorpus
 */

const CORPORA_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const NO_GROUP = 'support';
/** A file of this name may export corpora of any name. */
const TABLE = 'table';

/** @returns {CorpusModule[]} sorted by group and name */
export function listCorpusModules() {
  return readdirSync(CORPORA_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== NO_GROUP)
    .map((entry) => entry.name)
    .sort()
    .flatMap((group) =>
      listStems(join(CORPORA_FOLDER, group), '.js').map((name) => {
        return { group, name, path: `corpora/${group}/${name}.js` };
      }),
    );
}

/**
 * @param {CorpusModule} module
 * @returns {Promise<Corpus[]>} one named like the file, several whose names begin with its name, or
 *   those of a table
 */
export async function loadCorpora({ group, name }) {
  const { corpus, corpora = [corpus] } = await import(`../${group}/${name}.js`);
  return corpora;
}

/**
 * Corpora of one file that differ in a parameter: `object-id`, `object-id-array-1`, …
 *
 * @param {CorpusModule} module
 * @returns {Promise<Corpus[][]>} the first name of a series is the prefix of the others
 */
export async function loadSeries(module) {
  /** @type {Corpus[][]} */
  const series = [];
  for (const corpus of await loadCorpora(module)) {
    const last = series.at(-1);
    if (last !== undefined && corpus.name.startsWith(`${last[0]?.name}-`)) last.push(corpus);
    else series.push([corpus]);
  }
  return series;
}

/**
 * @param {{ directory: string }} place where imported corpora are kept
 * @returns {Promise<string[]>} names of the built-in corpora, then of the imported ones
 */
export async function listCorpusNames(place) {
  const names = [];
  for (const module of listCorpusModules()) {
    names.push(...(await loadCorpora(module)).map(({ name }) => name));
  }
  return [...names, ...listImportedNames(place)];
}

/**
 * @param {{ directory: string }} place where imported corpora are kept
 * @returns {string[]} names of the imported corpora, sorted
 */
export function listImportedNames({ directory }) {
  const folder = join(directory, 'imported');
  return existsSync(folder) ? listStems(folder, '.json') : [];
}

/**
 * @param {string} name
 * @param {{ directory: string }} place where imported corpora are kept
 * @returns {Promise<FoundCorpus>}
 * @throws {UsageError} when there is none of this name, or two
 * @throws {import('../../harness/lib/errors.js').FormatError} when the record of an import cannot be
 *   read
 */
export async function findCorpus(name, { directory }) {
  const builtIn = await findBuiltIn(name);
  const imported = listImportedNames({ directory });
  if (builtIn !== null && imported.includes(name)) {
    throw new UsageError(`'${name}' names a built-in corpus and an imported one`, {
      remedy: `Remove ${recordPath(directory, name)} and import the file under another name.`,
    });
  }
  if (builtIn !== null) return builtIn;
  if (imported.includes(name)) return { origin: 'imported', corpus: readRecord(directory, name) };
  const names = await listCorpusNames({ directory });
  throw new UsageError(`no corpus '${name}'${didYouMean(name, names)}`, {
    remedy: "'just corpora' lists them; 'just corpora import NAME FILE' adds your own documents.",
  });
}

/**
 * Loads a table only when no other file can define the corpus, to keep start-up fast.
 * @type {(name: string) => Promise<Extract<FoundCorpus, { origin: 'built-in' }> | null>}
 */
export async function findBuiltIn(name) {
  const modules = listCorpusModules();
  const candidates = [
    ...modules.filter((module) => `${name}-`.startsWith(`${module.name}-`)),
    ...modules.filter((module) => module.name === TABLE),
  ];
  for (const module of candidates) {
    const corpus = (await loadCorpora(module)).find((each) => each.name === name);
    if (corpus !== undefined) return { origin: 'built-in', module, corpus };
  }
  return null;
}

/**
 * @param {string} folder
 * @param {'.js' | '.json'} ending
 * @returns {string[]} names of its files without the ending, tests left out, sorted
 */
function listStems(folder, ending) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending) && !file.endsWith('.test.js'))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/**
 * @param {string} directory of all corpora
 * @param {string} name of an imported corpus
 */
export function recordPath(directory, name) {
  return join(directory, 'imported', `${name}.json`);
}

/**
 * @param {string} directory of all corpora
 * @param {string} name of an imported corpus
 * @returns {ImportRecord}
 * @throws {import('../../harness/lib/errors.js').FormatError} when it is broken or of another version
 */
function readRecord(directory, name) {
  const path = recordPath(directory, name);
  const remedy = `Remove it, or import the corpus again with --replace.`;
  return readDocument(path, 'import-record', remedy);
}
