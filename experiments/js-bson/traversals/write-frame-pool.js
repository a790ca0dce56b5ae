import { NO_SCOPE } from '../codec/write-container.js';
import { MOST_KEPT_LEVELS } from './pooled-levels.js';

/** @import { Rules } from '../codec/write-container.js' */
/**
 * A document being written, iterated by index: with `keys` for an object, `entries` for a Map,
 * neither for an array.
 * @typedef {object} PooledFrame
 * @property {any} document the document itself, for the path
 * @property {any} source source of the values: the document, or the result of its toBSON
 * @property {boolean} isArray
 * @property {string[] | null} keys, listed once
 * @property {Iterator<[any, any]> | null} entries
 * @property {number} next index of the next key or array element
 * @property {number} sizeOffset
 * @property {number} scopeOffset
 * @property {Rules} rules has no references, so it need not be cleared
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
 * Returns a new or reused frame. The caller sets its fields from `document` to `rules`.
 * @param {Rules} rules
 * @param {PooledFrame | null} prev the enclosing frame, null for the outermost
 * @returns {PooledFrame}
 */
export function takeFrame(rules, prev) {
  if (prev !== null) return prev.inner ?? makeFrame(rules, prev);
  const frame = idle ?? makeFrame(rules, null);
  idle = null;
  return frame;
}

/** @type {(rules: Rules, prev: PooledFrame | null) => PooledFrame} */
function makeFrame(rules, prev) {
  /** @type {PooledFrame} */
  const frame = {
    document: null,
    source: null,
    isArray: false,
    keys: null,
    entries: null,
    next: 0,
    sizeOffset: 0,
    scopeOffset: NO_SCOPE,
    rules,
    prev,
    inner: null,
    level: prev === null ? 0 : prev.level + 1,
  };
  if (prev !== null && frame.level < MOST_KEPT_LEVELS) prev.inner = frame;
  return frame;
}

/**
 * Clears a frame. With the outermost, the whole chain is returned to the pool.
 * @type {(frame: PooledFrame) => PooledFrame | null} the enclosing frame
 */
export function releaseFrame(frame) {
  frame.document = null;
  frame.source = null;
  frame.keys = null;
  frame.entries = null;
  if (frame.prev === null) idle = frame;
  return frame.prev;
}
