import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { IMPORT_RECORD_VERSION } from '../../harness/formats/format-version.js';
import { readDocument } from '../../harness/formats/schemas.js';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { explainTwice, listPlaces } from '../../harness/lib/places.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { PROJECT } from '../../harness/lib/project.js';
import { didYouMean } from '../../harness/lib/words.js';
import { storeUserFile } from './user-file.js';

/** @import { Corpus, ImportRecord } from '../../harness/formats/types.ts' */
/** @import { StoredFile } from './user-file.js' */

/**
 * A file that defines corpora, or that is one.
 * @typedef {object} CorpusModule
 * @property {string} group name of its folder, `mflix`; relative to the project if it is not built in
 * @property {string} name of the file, without its ending: `comments`
 * @property {string} file absolute path
 * @property {string} path for messages: `corpora/mflix/comments.js`
 * @property {boolean} isBuiltIn
 */

/**
 * @typedef {object} CorpusPlace
 * @property {string} directory absolute path of the folder of stored and imported corpora
 * @property {string} [projectPath] absolute path of the project that may have corpora of its own
 */

/**
 * @typedef {{ origin: 'defined', module: CorpusModule, corpus: Corpus }
 *   | { origin: 'file', module: CorpusModule, corpus: ImportRecord }
 *   | { origin: 'imported', corpus: ImportRecord }} FoundCorpus
 */

const CORPORA_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const NO_GROUP = 'support';
/** A file of this name may export corpora of any name. */
const TABLE = 'table';
/** Endings of files that contain documents, instead of a program that makes them. */
const DOCUMENT_ENDINGS = ['.json', '.jsonl', '.ndjson', '.ejson', '.bson'];

/** @returns {CorpusModule[]} those of Assay, sorted by group and name */
export function listCorpusModules() {
  return readdirSync(CORPORA_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== NO_GROUP)
    .map((entry) => entry.name)
    .sort()
    .flatMap((group) => {
      const folder = join(CORPORA_FOLDER, group);
      const place = { group, shownPath: `corpora/${group}`, isBuiltIn: true };
      return listFolder(folder, ['.js'], place);
    });
}

/** @type {(projectPath?: string) => Promise<CorpusModule[]>} those of the project and of packages */
async function listAddedModules(projectPath = PROJECT.projectPath) {
  const places = await listPlaces(projectPath);
  const folders = new Set(places.flatMap(({ corporaPaths }) => corporaPaths));
  return [...folders].filter(existsSync).flatMap((folder) => {
    const group = relative(projectPath, folder);
    const place = { group, shownPath: group, isBuiltIn: false };
    return listFolder(folder, ['.js', ...DOCUMENT_ENDINGS], place);
  });
}

/**
 * @param {CorpusPlace} place
 * @returns {Promise<CorpusModule[]>} those of the project, of packages and of Assay, in this order
 */
export async function listAllModules({ projectPath }) {
  return [...(await listAddedModules(projectPath)), ...listCorpusModules()];
}

/**
 * @param {string} folder
 * @param {string[]} endings
 * @param {{ shownPath: string } & Pick<CorpusModule, 'group' | 'isBuiltIn'>} place
 * @returns {CorpusModule[]}
 */
function listFolder(folder, endings, { shownPath, ...place }) {
  return endings.flatMap((ending) =>
    listStems(folder, ending).map((name) => {
      const fileName = `${name}${ending}`;
      return { ...place, name, file: join(folder, fileName), path: `${shownPath}/${fileName}` };
    }),
  );
}

/** @param {CorpusModule} module */
export function isDocumentFile({ file }) {
  return DOCUMENT_ENDINGS.includes(extname(file));
}

/**
 * @param {CorpusModule} module a program
 * @returns {Promise<Corpus[]>} one named like the file, several whose names begin with its name, or
 *   those of a table
 * @throws {FormatError} when it cannot be loaded, or defines none
 */
export async function loadCorpora({ file, path }) {
  let loaded;
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (cause) {
    throw new FormatError(`'${path}' cannot be loaded: ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy: 'Correct the file.',
    });
  }
  const { corpus, corpora = [corpus] } = loaded;
  const isValid = (/** @type {any} */ each) =>
    typeof each?.name === 'string' && typeof each.documents === 'function';
  if (Array.isArray(corpora) && corpora.every(isValid)) return corpora;
  throw new FormatError(`'${path}' exports no corpus`, {
    remedy: 'export const corpus = { name, stresses, *documents() { yield { … }; } };',
  });
}

/**
 * Corpora of one file that differ in a parameter: `object-id`, `object-id-array-1`, …
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

/** @type {(place: CorpusPlace) => Promise<string[]>} names of all corpora, the imported ones last */
export async function listCorpusNames(place) {
  const names = [];
  for (const module of await listAllModules(place)) {
    if (isDocumentFile(module)) names.push(module.name);
    else names.push(...(await loadCorpora(module)).map(({ name }) => name));
  }
  return [...names, ...listImportedNames(place)];
}

/** @type {(place: CorpusPlace) => string[]} names of the imported corpora, sorted */
export function listImportedNames({ directory }) {
  const folder = join(directory, 'imported');
  return existsSync(folder) ? listStems(folder, '.json') : [];
}

/**
 * @type {(name: string, place: CorpusPlace) => Promise<FoundCorpus>}
 * @throws {UsageError} when there is none of this name, or two
 * @throws {FormatError} when one is invalid
 */
export async function findCorpus(name, place) {
  const { directory } = place;
  const defined = await findDefined(name, place);
  const isImported = listImportedNames(place).includes(name);
  if (defined !== null && isImported) {
    const { isBuiltIn, path } = defined.module;
    const owner = isBuiltIn ? 'a built-in corpus' : `the corpus ${path}`;
    throw new UsageError(`'${name}' names ${owner} and an imported one`, {
      remedy: `Remove the imported one, '${PROGRAM} corpora remove ${name}', and import the file under another name.`,
    });
  }
  if (defined !== null) return defined;
  if (isImported) return { origin: 'imported', corpus: readRecord(directory, name) };
  const names = await listCorpusNames(place);
  throw new UsageError(`no corpus '${name}'${didYouMean(name, names)}`, {
    remedy: `'${PROGRAM} corpora' lists them; '${PROGRAM} corpora import NAME FILE' adds your own documents.`,
  });
}

/**
 * @param {string} name
 * @param {CorpusPlace} place
 * @returns {Promise<Exclude<FoundCorpus, { origin: 'imported' }> | null>}
 * @throws {UsageError} when there are two of this name
 * @throws {FormatError} when a file of this name is invalid
 */
export async function findDefined(name, place) {
  const found = [];
  for (const module of await listAddedModules(place.projectPath)) {
    found.push(...(await findIn([module], name, place)));
  }
  found.push(...(await findIn(listCorpusModules(), name, place)));
  const [first, second] = found;
  if (second === undefined) return first ?? null;
  throw explainTwice(`corpus '${name}'`, nameOwner(first), nameOwner(second));
}

/** @param {{ module: CorpusModule }} found */
function nameOwner({ module: { isBuiltIn, path } }) {
  return isBuiltIn ? 'Assay' : path;
}

/**
 * Loads a table only when no other file can define the corpus, to keep start-up fast.
 * @param {CorpusModule[]} modules
 * @param {string} name
 * @param {CorpusPlace} place
 * @returns {Promise<Exclude<FoundCorpus, { origin: 'imported' }>[]>} at most one
 */
async function findIn(modules, name, { directory }) {
  const candidates = [
    ...modules.filter((module) => `${name}-`.startsWith(`${module.name}-`)),
    ...modules.filter((module) => module.name === TABLE),
  ];
  for (const module of candidates) {
    if (isDocumentFile(module)) {
      if (module.name !== name) continue;
      return [{ origin: 'file', module, corpus: readDocumentFile(module, directory) }];
    }
    const corpus = (await loadCorpora(module)).find((each) => each.name === name);
    if (corpus !== undefined) return [{ origin: 'defined', module, corpus }];
  }
  return [];
}

/**
 * Documents by file, since a command asks for them several times.
 * @type {Map<string, ImportRecord>}
 */
const documentFiles = new Map();

/** @type {(module: CorpusModule, directory: string) => ImportRecord} */
function readDocumentFile({ name, file, path }, directory) {
  const { mtimeMs, size } = statSync(file);
  const key = JSON.stringify([file, mtimeMs, size, directory]);
  const known = documentFiles.get(key);
  if (known !== undefined) return known;
  const { format, ...stored } = storeUserFile(file, directory);
  const record = makeRecord(name, `the documents of ${path} (${format})`, stored);
  documentFiles.set(key, record);
  return record;
}

/** @type {(name: string, stresses: string, stored: Omit<StoredFile, 'format'>) => ImportRecord} */
export function makeRecord(name, stresses, { digest, textDigest, notes, changedValues }) {
  return {
    formatVersion: IMPORT_RECORD_VERSION,
    ...{ name, stresses, digest, textDigest },
    ...(notes.length === 0 ? {} : { notes }),
    ...(changedValues === 0 ? {} : { changedValues }),
  };
}

/**
 * @param {string} folder
 * @param {string} ending
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
 * @throws {FormatError} when it is broken or of another version
 */
export function readRecord(directory, name) {
  const path = recordPath(directory, name);
  const remedy = `Remove it, '${PROGRAM} corpora remove ${name}', or import the corpus again with --replace.`;
  return readDocument(path, 'import-record', remedy);
}
