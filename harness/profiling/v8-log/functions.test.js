import { CodeMap } from './functions.js';

const START = 0x10_0ff0;
const ELSEWHERE = 0x50_0000;

/** @returns {CodeMap<string>} with code across the boundary of a page */
function mapWithOne() {
  const map = new CodeMap();
  map.add(START, 0x40, 'one');
  return map;
}

test('code is found by every address in it and by its end, also across pages', () => {
  const map = mapWithOne();
  const addresses = [START - 1, START, START + 0x3f, START + 0x40, START + 0x41];
  expect(addresses.map((address) => map.find(address))).toEqual([null, 'one', 'one', 'one', null]);
  expect([map.at(START), map.at(START + 1)]).toEqual(['one', null]);
});

test('newer code at the same address is found first', () => {
  const map = mapWithOne();
  map.add(START, 0x10, 'two');
  expect([map.find(START), map.at(START), map.find(START + 0x20)]).toEqual(['two', 'two', 'one']);
});

test('moved code is found at its new address', () => {
  const map = mapWithOne();
  map.move(START, ELSEWHERE);
  expect([map.at(ELSEWHERE), map.find(ELSEWHERE + 0x30)]).toEqual(['one', 'one']);
});
