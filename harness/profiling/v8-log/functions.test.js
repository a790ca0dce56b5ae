import { expect, test } from '@jest/globals';
import { CodeMap } from './functions.js';

const START = 0x10_0ff0;

/** @returns {CodeMap<string>} with code that lies across the border of a page */
function mapWithOne() {
  const map = new CodeMap();
  map.add(START, 0x40, 'one');
  return map;
}

test('code is found by every address in it, on both sides of a page boundary', () => {
  const map = mapWithOne();
  expect([START, START + 0x3f, START + 0x40].map((address) => map.find(address))).toEqual([
    'one',
    'one',
    'one',
  ]);
});

test('addresses without code find nothing', () => {
  const map = mapWithOne();
  expect([map.find(START - 1), map.find(START + 0x41)]).toEqual([null, null]);
});

test('newer code at the same address is found first', () => {
  const map = mapWithOne();
  map.add(START, 0x10, 'two');
  expect([map.find(START), map.at(START), map.find(START + 0x20)]).toEqual(['two', 'two', 'one']);
});

test('code that moved is found at its new address', () => {
  const map = mapWithOne();
  map.move(START, 0x50_0000);
  expect([map.at(0x50_0000), map.find(0x50_0030)]).toEqual(['one', 'one']);
});

test('only the first address is the start of code', () => {
  expect(mapWithOne().at(START + 1)).toBeNull();
});
