import { dirname, relative, sep } from 'node:path';
import { UsageError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { readPackage } from '../../variants/package-entry.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { shortenFile } from '../profiles/frames.js';
import { findEndByIndent } from './function-ranges.js';
import { findTree } from './edits.js';
import { isInside, openSourceFiles, pathOf } from './source-files.js';

/** @import { DescribedPlace, EditedFiles, ExerciseJob, Sources } from '../../formats/types.ts' */
/** @import { Place, SourceFiles } from './source-files.js' */

/** Of a package without a name, as in archives of npm. */
const NAMELESS = 'package';

/**
 * Finds the sources of places that an engine names in the files that it loaded for a variant: by way of source maps, with the
 * package that they belong to.
 *
 * @param {Pick<ExerciseJob, 'variant' | 'familyPath'>} job
 * @param {EditedFiles | null} edits in the sources of the variant; null if they are unknown
 * @returns {Sources}
 */
export function openSources({ variant, familyPath }, edits) {
  const checkout = findCheckout(variant);
  const { assayPath, projectPath, cachePath } = PROJECT;
  const files = openSourceFiles([
    assayPath,
    projectPath,
    cachePath,
    familyPath,
    checkout ?? dirname(variant.modulePath),
  ]);
  const nameFile = makeFileNamer(checkout, familyPath);

  /** @type {Sources['describe']} */
  function describe(place) {
    const { name, url, line, column } = place;
    const inFile = { ...place, file: nameFile(url) };
    if (line === null || column === null) return inFile;
    const generated = { url, line, column };
    const end = findEnd(generated, files);
    // The code of a whole script is that of all its sources.
    if (line === 1 && column === 1 && end === null) return inFile;
    const found = files.locate(generated);
    const last = end === null ? null : files.locate({ url, ...end });
    const edited = findEdited(found, last, edits);
    return {
      name: findName(name, generated, files),
      ...found,
      file: found.url === url ? inFile.file : nameFile(found.url),
      ...(edited === null ? {} : { edited }),
    };
  }

  /** A log names a place thousands of times. @type {Map<string, DescribedPlace>} */
  const known = new Map();
  return {
    describe(place) {
      const key = JSON.stringify(place);
      const described = known.get(key) ?? describe(place);
      known.set(key, described);
      return described;
    },
    describeLines: ({ url, line, column }, ticks) =>
      line === null || column === null ? [] : describeLines({ url, line, column }, ticks, files),
  };
}

/** @type {(variant: ExerciseJob['variant']) => string | null} the tree of a variant from a checkout; null for any other */
function findCheckout({ spec, modulePath }) {
  const { kind } = parseVariantSpec(spec);
  return kind === 'git' || kind === 'path' ? findTree(modulePath) : null;
}

/**
 * @param {string | null} checkout
 * @param {string} familyPath
 * @returns {(url: string) => string | null} the name of a file in reports; in a checkout that is the same for all
 *   revisions and for the published package
 */
function makeFileNamer(checkout, familyPath) {
  const { assayPath, projectPath } = PROJECT;
  return function nameFile(url) {
    const path = pathOf(url);
    // `webpack://name/./src/parse.ts`
    if (path === null) return shortenFile(url.replace(/^[a-z-]+:\/\/+/, ''), projectPath);
    const isOwn =
      checkout !== null &&
      isInside(path, checkout) &&
      !path.slice(checkout.length).includes('/node_modules/') &&
      !isInside(path, familyPath);
    if (!isOwn) return shortenFile(url, isInside(path, projectPath) ? projectPath : assayPath);
    const { name, directory } = findPackage(dirname(path), checkout);
    return [name, ...relative(directory, path).split(sep)].join('/');
  };
}

/** @type {(directory: string, checkout: string) => { name: string, directory: string }} the nearest package with a name */
function findPackage(directory, checkout) {
  const name = readName(directory);
  if (name !== undefined) return { name, directory };
  return directory === checkout
    ? { name: NAMELESS, directory }
    : findPackage(dirname(directory), checkout);
}

/** @type {(directory: string) => string | undefined} */
function readName(directory) {
  try {
    return readPackage(directory).name;
  } catch (error) {
    // What is wrong with a package.json is no matter of a profile.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy;
const LAST_WORD = /[^. ]+$/;
/** Characters between the name of a function and its parameters. */
const MAX_DISTANCE = 40;
/** A bundler numbers functions of the same name: `parse$1`. */
const NUMBER = /\$\d+$/;

/**
 * The name that a function has in its source, where a bundler changed it.
 *
 * @param {string} name of V8: `a`, `get a`, `Codec.a`
 * @param {Place} place of its parameters in the generated file
 * @param {SourceFiles} files
 * @returns {string}
 */
function findName(name, { url, line, column }, files) {
  const file = files.open(url);
  const [last = ''] = LAST_WORD.exec(name) ?? [];
  if (!file?.mapping || last === '') return name;
  const head = file.lines[line - 1]?.slice(0, column - 1) ?? '';
  const at = findLastWord(head.slice(-MAX_DISTANCE - last.length), last);
  const start = column - Math.min(head.length, MAX_DISTANCE + last.length) + at;
  const original = at === -1 ? null : file.mapping.find(line, start);
  const isExact = original?.generatedColumn === start;
  const word = isExact
    ? (original.name ?? readWord(files.locate({ url, line, column: start }), files))
    : last.replace(NUMBER, '');
  return `${name.slice(0, name.length - last.length)}${word ?? last}`;
}

/** @type {(text: string, word: string) => number} −1 if it is not there */
function findLastWord(text, word) {
  const isPart = (/** @type {string | undefined} */ character) =>
    character !== undefined && /[\p{ID_Continue}$#]/u.test(character);
  let at = text.lastIndexOf(word);
  while (at !== -1 && (isPart(text[at - 1]) || isPart(text[at + word.length]))) {
    at = at === 0 ? -1 : text.lastIndexOf(word, at - 1);
  }
  return at;
}

/** @type {(place: Place, files: SourceFiles) => string | null} the word that begins there */
function readWord({ url, line, column }, files) {
  WORD.lastIndex = column - 1;
  return WORD.exec(files.open(url)?.lines[line - 1] ?? '')?.[0] ?? null;
}

/**
 * @param {Place} place of a function that was run
 * @param {SourceFiles} files
 * @returns {{ line: number, column: number } | null} its end in the same file; null if unknown
 */
function findEnd({ url, line, column }, files) {
  const file = files.open(url);
  const offset = file?.offsets[line - 1];
  if (!file || offset === undefined) return null;
  const ranges = file.listRanges();
  if (ranges === null) return { line: findEndByIndent(file.lines, line), column: 1 };
  const at = offset + column - 1;
  return ranges.findLast(({ start, body }) => start <= at && at <= body)?.end ?? null;
}

/** @type {(first: Place, last: Place | null, edits: EditedFiles | null) => boolean | null} null if unknown */
function findEdited({ url, line }, last, edits) {
  const path = pathOf(url);
  if (edits === null || path === null || !isInside(path, edits.root)) return null;
  const file = path.slice(edits.root.length + 1);
  if (file.includes('node_modules/')) return null;
  const end = last?.url === url ? Math.max(line, last.line) : line;
  return (edits.files.get(file) ?? []).some(({ from, to }) => from <= end && to >= line);
}

/** A line of generated code that comes from more lines than these does not say from which. */
const MAX_SPAN = 3;

/** @type {(place: Place, ticks: Parameters<Sources['describeLines']>[1], files: SourceFiles) => ReturnType<Sources['describeLines']>} */
function describeLines(place, ticks, files) {
  const file = files.open(place.url);
  const end = findEnd(place, files);
  if (file === null || end === null) return [];
  const { url } = files.locate(place);
  const source = files.open(url);
  return ticks.flatMap(({ line, ticks: count }) => {
    // V8 attributes ticks of inlined code to the caller, with line numbers of the other function.
    if (line < place.line || line > end.line) return [];
    const found = locateLine({ url: place.url, line }, place, end, files);
    const text = found?.url === url ? source?.lines[found.line - 1] : undefined;
    if (found === null || source === null || text === undefined) return [];
    // An edit moves the lines after it, so that a line is not identified by its number.
    const occurrence = source.lines.slice(0, found.line).filter((other) => other === text).length;
    return [{ line: found.line, ticks: count, text, occurrence }];
  });
}

/**
 * @param {{ url: string, line: number }} generated
 * @param {Place} first of the function
 * @param {{ line: number, column: number }} last of the function
 * @param {SourceFiles} files
 * @returns {Place | null} null if the line comes from many lines
 */
function locateLine({ url, line }, first, last, files) {
  const text = files.open(url)?.lines[line - 1] ?? '';
  const indent = text.search(/\S|$/) + 1;
  const from = files.locate({ url, line, column: line === first.line ? first.column : indent });
  const column = line === last.line ? last.column : Math.max(1, text.length);
  const to = files.locate({ url, line, column });
  return from.url === to.url && Math.abs(to.line - from.line) > MAX_SPAN ? null : from;
}
