import { OBJECT } from '../codec/element-types.js';

/** @import { FindElements } from './make-element-picker.js' */

/**
 * An index of the elements of one document, without those of inner documents.
 * @template Level
 * @typedef {object} Indexing
 * @property {(bytes: Buffer, start: number, limit: number) => Level} open indexes the document at `start`
 * @property {(bytes: Buffer, level: Level, key: Buffer) => number} find where the last key with these bytes begins; -1
 */

/**
 * Makes the search that indexes a document without knowing what is wanted, and looks up each path in it. An inner document is
 * indexed when a path leads into it.
 * @template Level
 * @param {Buffer[][]} paths
 * @param {Indexing<Level>} indexing
 * @returns {FindElements}
 */
export function makeIndexFinder(paths, { open, find }) {
  return function findElements(bytes, { types, starts }) {
    /** @type {Map<number, Level>} by start */
    const levels = new Map();

    /** @param {number} start @param {number} limit */
    function openOnce(start, limit) {
      const known = levels.get(start);
      if (known !== undefined) return known;
      const level = open(bytes, start, limit);
      levels.set(start, level);
      return level;
    }

    for (let index = 0; index < paths.length; index++) {
      const path = paths[index];
      let type = OBJECT;
      let start = 0;
      for (let depth = 0; depth < path.length && type !== 0; depth++) {
        const key = path[depth];
        const at = type === OBJECT ? find(bytes, openOnce(start, bytes.length), key) : -1;
        type = at === -1 ? 0 : bytes[at - 1];
        start = at + key.length + 1;
      }
      types[index] = type;
      starts[index] = start;
    }
  };
}
