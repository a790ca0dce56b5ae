/** @import { Frame, FrameKind } from '../../formats/profile-types.ts' */

/**
 * Marks behind a name as flame graph tools use them (`_[k]`, `_[j]`), and two of ours.
 *
 * @type {[string, FrameKind][]}
 */
const MARKS = [
  ['_[j]', 'js'],
  ['_[b]', 'builtin'],
  ['_[c]', 'code'],
  ['_[k]', 'kernel'],
];
const PLACE = /^(.*) \(([^()]+):(\d+):(\d+)\)$/s;

/**
 * A frame in one line of text: `name (file:line:column)`, `ObjectEntries_[b]`, `malloc`. What
 * divides folded stacks (`;`, line ends) is written as in a URL.
 *
 * @param {Frame} frame
 * @returns {string}
 */
export function formatFrameLabel({ name, kind, file, line, column }) {
  const place = file === null ? '' : ` (${file}:${line ?? 0}:${column ?? 0})`;
  const mark = guessKind(name, file) === kind ? '' : (MARKS.find((m) => m[1] === kind)?.[0] ?? '');
  return `${name}${place}${mark}`.replace(/[%;\r\n]/g, encodeURIComponent);
}

/**
 * @param {string} label as `formatFrameLabel` or another tool writes it
 * @returns {Frame}
 */
export function parseFrameLabel(label) {
  const text = label.replace(/%(?:25|3B|0D|0A)/gi, decodeURIComponent);
  const [mark, kind] = MARKS.find((known) => text.endsWith(known[0])) ?? ['', null];
  const unmarked = text.slice(0, text.length - mark.length);
  const [, name = unmarked, file = null, line, column] = PLACE.exec(unmarked) ?? [];
  return {
    name,
    kind: kind ?? guessKind(name, file),
    file,
    line: Number(line ?? 0) || null,
    column: Number(column ?? 0) || null,
  };
}

/**
 * Two frames with the same key are the same function, wherever in its file it begins: a later
 * version of the file may have moved it.
 *
 * @param {Pick<Frame, 'name' | 'kind' | 'file'>} frame
 * @returns {string}
 */
export function functionKey({ name, kind, file }) {
  // The name comes last: it is the only part that may hold anything at all.
  return `${kind}\t${file ?? ''}\t${name}`;
}

/**
 * For profiles of other tools, which do not tell the kind of a frame.
 *
 * @param {string} name
 * @param {string | null} file
 * @returns {FrameKind}
 */
export function guessKind(name, file) {
  if (name === '(garbage collector)') return 'gc';
  if (name === '(program)') return 'program';
  return file === null ? 'native' : 'js';
}

const INSTALLED = '/node_modules/';
const SEGMENTS_OF_STRANGERS = 3;

/**
 * Names a source file the same on every machine and for every version of a package:
 * `experiments/js-bson/codec/write-text.js` of this project, `bson/lib/bson.mjs` of a package,
 * `…/work/other/index.js` of anything else. What is no path, such as `node:buffer`, stays.
 *
 * @param {string} urlOrPath as V8 names a script: URL, absolute path or ''
 * @param {string} projectPath absolute
 * @returns {string | null} null for what has no file
 */
export function shortenFile(urlOrPath, projectPath) {
  if (urlOrPath === '') return null;
  const path = urlOrPath.startsWith('file://') ? pathOfUrl(urlOrPath) : urlOrPath;
  if (!path.startsWith('/')) return path;
  const installed = path.lastIndexOf(INSTALLED);
  if (installed !== -1) return path.slice(installed + INSTALLED.length);
  const project = projectPath.endsWith('/') ? projectPath : `${projectPath}/`;
  if (path.startsWith(project)) return path.slice(project.length);
  return `…/${path.split('/').filter(Boolean).slice(-SEGMENTS_OF_STRANGERS).join('/')}`;
}

/** @param {string} url */
function pathOfUrl(url) {
  const path = url.slice('file://'.length).replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the name serves as it is.
    return path;
  }
}

/**
 * Finds the measured loop of a program of a family's own. A name fits with or without what it is
 * within, and however the parts of it are divided: `Work::run` fits `org.example.Work.run`.
 *
 * @param {string[]} loop names as `WorkerProgram.loop` has them
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

/** The module lay in `harness/recorders/support/` once, and runs of that time are still read. */
const LOOP_URL =
  /"file:\/\/([^"\s]*)\/harness\/(?:worker|recorders\/support)\/exercise-operation\.js"/;

/**
 * Where Assay lay when V8 recorded a profile, by the module that every exercise runs in: a run may
 * have been copied from another checkout or machine, and V8's files name scripts by absolute paths.
 *
 * @param {string} text of a .cpuprofile or .heapprofile
 * @returns {string | null} absolute path; null where no exercise of Assay is in it
 */
export function findRecordedProject(text) {
  const path = LOOP_URL.exec(text)?.[1] ?? null;
  if (path === null) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the path serves as it is.
    return path;
  }
}
