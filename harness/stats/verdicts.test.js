import { describe, expect, test } from '@jest/globals';

import { isDecided, isDirection, isFaster, isSlower, toMemoryWord, VERDICTS } from './verdicts.js';

/** @import { VerdictWord } from '../formats/types.ts' */

const WORDS = /** @type {VerdictWord[]} */ (Object.keys(VERDICTS));

describe('the table of verdicts', () => {
  test('two words are a direction, of which one is a regression', () => {
    expect(WORDS.filter(isDirection)).toEqual(['faster', 'slower']);
    expect(WORDS.filter(isFaster)).toEqual(['faster']);
    expect(WORDS.filter(isSlower)).toEqual(['slower']);
  });

  test('more processes may change two of them', () => {
    expect(WORDS.filter((word) => !isDecided(word))).toEqual(['inconclusive', 'untrusted']);
  });

  test('an unknown word is no direction', () => {
    const word = /** @type {VerdictWord} */ ('constructor');
    expect([isDirection(word), isDecided(word)]).toEqual([false, false]);
  });

  test('times translate to memory', () => {
    const words = /** @type {VerdictWord[]} */ (['faster', 'slower', 'equivalent', 'inconclusive']);
    expect(words.map(toMemoryWord)).toEqual(['smaller', 'larger', 'equivalent', 'inconclusive']);
  });
});
