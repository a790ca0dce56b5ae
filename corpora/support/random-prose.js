import { ACCENTED_WORDS, FAMILY_NAMES, GIVEN_NAMES, WORDS } from './word-lists.js';

/** @import { RandomValues } from './random-values.js' */

const SENTENCE_WORDS = { least: 4, most: 12 };

/**
 * @param {RandomValues} random
 * @param {number} length in characters
 * @returns {string} sentences in ASCII, cut at that length or one or two characters before it
 */
export function makeProse(random, length) {
  let text = '';
  while (text.length < length) text += `${makeSentence(random)} `;
  return `${text.slice(0, length - 1).replace(/[ .]+$/, '')}.`;
}

/** @param {RandomValues} random */
function makeSentence(random) {
  const count = random.integer(SENTENCE_WORDS.least, SENTENCE_WORDS.most);
  let text = capitalize(random.pick(WORDS));
  for (let i = 1; i < count; i++) text += ` ${random.pick(WORDS)}`;
  return `${text}.`;
}

/**
 * @param {RandomValues} random
 * @param {number} least words
 * @param {number} most words
 * @returns {string} words with capitals: `The Quiet Orchard`
 */
export function makeTitle(random, least, most) {
  const count = random.integer(least, most);
  return Array.from({ length: count }, () => capitalize(random.pick(WORDS))).join(' ');
}

/**
 * @param {RandomValues} random
 * @returns {string} of an invented person, 3–21 characters of ASCII
 */
export function makeName(random) {
  const given = random.pick(GIVEN_NAMES);
  return random.chance(0.05) ? given : `${given} ${random.pick(FAMILY_NAMES)}`;
}

/**
 * @param {RandomValues} random
 * @param {string} domain
 * @returns {string} an address at that domain
 */
export function makeEmail(random, domain) {
  return `${random.pick(GIVEN_NAMES)}_${random.pick(FAMILY_NAMES)}@${domain}`.toLowerCase();
}

/**
 * @param {RandomValues} random
 * @param {string} text
 * @param {number} probability
 * @returns {string} the text, with that probability followed by a word with letters beyond ASCII
 */
export function accent(random, text, probability) {
  return random.chance(probability) ? `${text} ${random.pick(ACCENTED_WORDS)}` : text;
}

/** @param {string} word */
function capitalize(word) {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
