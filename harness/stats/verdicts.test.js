import {
  contractViolations,
  isDecided,
  isDirection,
  isFaster,
  isSlower,
  toMemoryWord,
  VERDICTS,
} from './verdicts.js';

/** @import { VerdictWord } from '../formats/types.ts' */

const WORDS = /** @type {VerdictWord[]} */ (Object.keys(VERDICTS));

test('rows of the contract that fail refuse a comparison, unless they or all rows are accepted', () => {
  const row = (/** @type {string} */ name, /** @type {'fails' | 'holds'} */ outcome) => ({
    ...{ theme: 'Text', name, outcome, promise: 'a promise', detail: null },
  });
  const contracts = { a: [row('cycles', 'fails'), row('json', 'fails'), row('text', 'holds')] };
  const refusedBy = (/** @type {string[]} */ accepted) =>
    contractViolations(contracts, accepted).map(({ row: { name } }) => name);
  expect(refusedBy([])).toEqual(['cycles', 'json']);
  expect(refusedBy(['json'])).toEqual(['cycles']);
  expect(refusedBy(['all'])).toEqual([]);
});

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
