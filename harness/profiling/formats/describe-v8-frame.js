import { shortenFile } from '../profiles/shorten-file.js';

/** @import { Frame, FrameKind } from '../../formats/profile-types.ts' */

/**
 * A place as V8's own profilers write it; lines and columns count from 0.
 *
 * @typedef {object} CallFrame
 * @property {string} functionName
 * @property {string} url
 * @property {number} lineNumber −1 where there is none
 * @property {number} columnNumber
 */

/**
 * @param {CallFrame} callFrame
 * @param {string} projectPath
 * @returns {Frame}
 */
export function describeV8Frame({ functionName, url, lineNumber, columnNumber }, projectPath) {
  const file = shortenFile(url, projectPath);
  return {
    name: functionName === '' ? '(anonymous)' : functionName,
    kind: chooseKind(functionName, file),
    file,
    line: file === null || lineNumber < 0 ? null : lineNumber + 1,
    column: file === null || columnNumber < 0 ? null : columnNumber + 1,
  };
}

/**
 * A function without a script is a callback of node's API, such as `utf8Write`, or one of V8's
 * builtins: V8 does not tell which. Names in parentheses are states of the machine.
 *
 * @param {string} name
 * @param {string | null} file
 * @returns {FrameKind}
 */
function chooseKind(name, file) {
  if (file !== null) return 'js';
  if (name === '(garbage collector)' || name === '(GC)') return 'gc';
  return name.startsWith('(') ? 'program' : 'builtin';
}

/**
 * @param {unknown} value
 * @returns {value is CallFrame}
 */
export function isCallFrame(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { functionName, url, lineNumber, columnNumber } = /** @type {Partial<CallFrame>} */ (value);
  return (
    typeof functionName === 'string' &&
    typeof url === 'string' &&
    Number.isInteger(lineNumber) &&
    Number.isInteger(columnNumber)
  );
}
