import { countOf } from '../../lib/numbers.js';
import { listWords } from '../../lib/words.js';

/**
 * What the reader of a file has to say about it besides the profile.
 *
 * @typedef {object} Remarks
 * @property {(one: string, many?: string, count?: number) => void} leaveOut counts what the profile does not have
 * @property {(text: string) => void} add adds a note, once
 * @property {() => string[]} list all notes; one of them counts everything that was left out
 */

/** @returns {Remarks} */
export function openRemarks() {
  /** @type {Set<string>} */
  const notes = new Set();
  /** @type {Map<string, { many: string, count: number }>} */
  const leftOut = new Map();
  return {
    leaveOut(one, many = `${one}s`, count = 1) {
      if (count > 0) leftOut.set(one, { many, count: (leftOut.get(one)?.count ?? 0) + count });
    },
    add(text) {
      notes.add(text);
    },
    list() {
      const counts = [...leftOut].map(([one, { many, count }]) => countOf(count, one, many));
      return counts.length === 0 ? [...notes] : [...notes, `left out: ${listWords(counts)}`];
    },
  };
}
