/** @import { Frame, FrameKind } from '../../formats/profile-types.ts' */
/** @import { Sources } from '../../formats/types.ts' */

/**
 * Suffixes of names as in other flame graph tools (`_[k]`, `_[j]`), and five of Assay.
 *
 * @type {[string, FrameKind][]}
 */
const MARKS = [
  ['_[j]', 'js'],
  ['_[b]', 'builtin'],
  ['_[c]', 'code'],
  ['_[k]', 'kernel'],
  ['_[n]', 'native'],
  ['_[g]', 'gc'],
  ['_[p]', 'program'],
];
/** Other tools write parentheses in file names as they are. */
const PLACE = /^(.*?) \(((?:[^()]|\([^()]*\))+):(\d+):(\d+)\)$/s;
/** The characters that labels and lines of folded stacks may encode. */
const ENCODED = /%(?:09|0A|0D|20|23|25|28|29|2F|3B|5D)/gi;

/**
 * Formats a frame as text: `name (file:line:column)`, `ObjectEntries_[b]`, `malloc`. Separators of folded
 * stacks (`;`, line ends) are percent-encoded, and so is what would be read as another part of the label.
 * @type {(frame: Frame) => string}
 */
export function formatFrameLabel({ name, kind, file, line, column }) {
  const mark = guessKind(name, file) === kind ? '' : (MARKS.find((m) => m[1] === kind)?.[0] ?? '');
  const text = name.replace(/[%;\r\n]/g, encodeCharacter);
  if (file !== null) {
    const place = file.replace(/[%;\r\n()]/g, encodeCharacter);
    return `${text} (${place}:${line ?? 0}:${column ?? 0})${mark}`;
  }
  const isMarked = mark === '' && MARKS.some(([ending]) => text.endsWith(ending));
  return (isMarked || PLACE.test(text) ? text.replace(/.$/s, encodeCharacter) : text) + mark;
}

/** @param {string} character of ASCII @returns {string} `%3B` */
export function encodeCharacter(character) {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** @param {string} label of `formatFrameLabel` or another tool @returns {Frame} */
export function parseFrameLabel(label) {
  const [mark, kind] = MARKS.find((known) => label.endsWith(known[0])) ?? ['', null];
  const unmarked = label.slice(0, label.length - mark.length);
  const [, text = unmarked, place, line, column] = PLACE.exec(unmarked) ?? [];
  const name = text === '' ? '(anonymous)' : text.replace(ENCODED, decodeURIComponent);
  const file = place?.replace(ENCODED, decodeURIComponent) ?? null;
  return {
    name,
    kind: kind ?? guessKind(name, file),
    file,
    line: Number(line ?? 0) || null,
    column: Number(column ?? 0) || null,
  };
}

/**
 * Key that identifies a function. It has no line, since another version of the file may have moved it.
 * @type {(frame: Pick<Frame, 'name' | 'kind' | 'file'>) => string}
 */
export function functionKey({ name, kind, file }) {
  // The name comes last, since it may contain any character.
  return `${kind}\t${file ?? ''}\t${name}`;
}

/**
 * Kind of a frame in profiles of other tools, which do not record it.
 * @type {(name: string, file: string | null) => FrameKind}
 */
export function guessKind(name, file) {
  if (name === '(garbage collector)') return 'gc';
  if (name === '(program)') return 'program';
  return file === null ? 'native' : 'js';
}

const INSTALLED = '/node_modules/';
/** A file of Assay has the same name, whether that is a checkout or a package. */
const OWN_PACKAGE = /^assay\/(?=(?:harness|corpora|experiments)\/)/;
const KEPT_SEGMENTS = 3;
/** The patched copy of a family in the cache, which mirrors the project. */
const PATCHED = /^.*\/cache\/patched\/[^/]+\/[0-9a-f]{16}\//s;

/**
 * Shortens a file name to one that is the same on all machines and for all versions of a package:
 * `experiments/js-bson/codec/write-text.js` of this project, `bson/lib/bson.mjs` of a package,
 * `…/work/other/index.js` of anything else. A file of a patched copy of a family has the name of the file in the
 * project. Names such as `node:buffer` are kept.
 *
 * @param {string} urlOrPath name of a script in V8: URL, absolute path or ''
 * @param {string} projectPath absolute
 * @returns {string | null} null without a file
 */
export function shortenFile(urlOrPath, projectPath) {
  if (urlOrPath === '') return null;
  const path = urlOrPath.startsWith('file://') ? pathOfUrl(urlOrPath) : urlOrPath;
  if (!path.startsWith('/')) return path;
  const installed = path.lastIndexOf(INSTALLED);
  if (installed !== -1) return path.slice(installed + INSTALLED.length).replace(OWN_PACKAGE, '');
  const copied = PATCHED.exec(path);
  if (copied !== null) return path.slice(copied[0].length);
  const project = projectPath.endsWith('/') ? projectPath : `${projectPath}/`;
  if (path.startsWith(project)) return path.slice(project.length);
  return `…/${path.split('/').filter(Boolean).slice(-KEPT_SEGMENTS).join('/')}`;
}

/**
 * Places of a recording whose sources are not here.
 *
 * @param {string} projectPath absolute
 * @returns {Sources['describe']} with the short name of the file
 */
export function describeBy(projectPath) {
  return (place) => ({ ...place, file: shortenFile(place.url, projectPath) });
}

/** @param {string} url */
function pathOfUrl(url) {
  return decodePath(url.slice('file://'.length).replace(/[?#].*$/s, ''));
}

/** @param {string} path of a URL @returns {string} unchanged if it is not percent-encoded */
function decodePath(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Matches the measured loop of a family's own program. A name matches with or without its namespace and
 * with any separator: `Work::run` matches `org.example.Work.run`.
 *
 * @param {string[]} loop names as in `WorkerProgram.loop`
 * @returns {(frame: Frame) => boolean}
 */
export function matchLoopFrame(loop) {
  const names = loop.map((name) => `.${dividePlainly(name)}`);
  return function isLoopFrame({ name, kind }) {
    if (kind !== 'code' && kind !== 'js') return false;
    return names.some((ending) => `.${dividePlainly(name)}`.endsWith(ending));
  };
}

/** @param {string} name */
function dividePlainly(name) {
  return name.replaceAll('::', '.');
}

/** Older runs have the module in `harness/recorders/support/`. */
const LOOP_URL =
  /"file:\/\/([^"\s]*)\/harness\/(?:worker|recorders\/support)\/exercise-operation\.js"/;

/**
 * Path of the Assay that recorded a V8 profile, found by the module of every exercise. A run may come
 * from another checkout or machine, and V8 profiles have absolute paths.
 *
 * @param {string} text of a .cpuprofile or .heapprofile
 * @returns {string | null} absolute path; null without an exercise of Assay
 */
export function findRecordedAssay(text) {
  const [, path] = LOOP_URL.exec(text) ?? [];
  return path === undefined ? null : decodePath(path);
}
