import { OBJECT } from '../codec/element-types.js';
import { MOST_KEPT_LEVELS } from './pooled-levels.js';

/**
 * A document being read.
 * @typedef {object} PooledFrame
 * @property {any} target the object or array being filled
 * @property {number} kind `OBJECT`, `ARRAY` or `CODE_WITH_SCOPE`
 * @property {string | number} name of its field in the enclosing frame
 * @property {number} end index at which the document ends
 * @property {boolean} isArray
 * @property {number} nextIndex index of the next array element
 * @property {boolean} raw whether embedded documents remain bytes
 * @property {boolean} validate whether invalid UTF-8 is an error
 * @property {boolean | null} maybeDbRef null until a `$` key has been seen
 * @property {string | null} source of a Code with scope
 * @property {PooledFrame | null} prev the enclosing frame, which never changes
 * @property {PooledFrame | null} inner the last frame used inside it, for reuse
 * @property {number} level 0 is the outermost
 */

/**
 * Outermost frame of an unused chain. A call takes the whole chain and returns it at its end. A
 * nested call finds none and creates its own. The chain of a failed call is dropped with everything
 * that its frames refer to.
 * @type {PooledFrame | null}
 */
let idle = null;

/**
 * Returns a new or reused frame. The caller sets its fields from `target` to `source`.
 * @param {PooledFrame | null} prev the enclosing frame, null for the outermost
 * @returns {PooledFrame}
 */
export function takeFrame(prev) {
  if (prev !== null) return prev.inner ?? makeFrame(prev);
  const frame = idle ?? makeFrame(null);
  idle = null;
  return frame;
}

/** @type {(prev: PooledFrame | null) => PooledFrame} */
function makeFrame(prev) {
  /** @type {PooledFrame} */
  const frame = {
    target: null,
    kind: OBJECT,
    name: '',
    end: 0,
    isArray: false,
    nextIndex: 0,
    raw: false,
    validate: false,
    maybeDbRef: null,
    source: null,
    prev,
    inner: null,
    level: prev === null ? 0 : prev.level + 1,
  };
  if (prev !== null && frame.level < MOST_KEPT_LEVELS) prev.inner = frame;
  return frame;
}

/**
 * Clears a frame. With the outermost, the whole chain is returned to the pool.
 * @param {PooledFrame} frame
 */
export function releaseFrame(frame) {
  frame.target = null;
  frame.name = '';
  frame.source = null;
  if (frame.prev === null) idle = frame;
}
