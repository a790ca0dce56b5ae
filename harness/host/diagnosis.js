/** @import { Diagnosis } from '../formats/types.ts' */

/**
 * @param {string} name
 * @param {string} value
 * @param {string} sentence
 * @returns {Diagnosis} of what is as it should be
 */
export function callFine(name, value, sentence) {
  return { name, value, state: 'fine', sentence, advice: null };
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} sentence
 * @param {string | null} advice
 * @returns {Diagnosis} of what figures may suffer from
 */
export function callNote(name, value, sentence, advice) {
  return { name, value, state: 'note', sentence, advice };
}

/**
 * @param {string} name
 * @param {string} sentence
 * @returns {Diagnosis} of what the host does not tell
 */
export function callUnknown(name, sentence) {
  return { name, value: 'not known', state: 'unknown', sentence, advice: null };
}
