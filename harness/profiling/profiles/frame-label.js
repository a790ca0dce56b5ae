import { guessKind } from './guess-kind.js';

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
