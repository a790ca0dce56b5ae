import { describe, expect, test } from '@jest/globals';
import { readInlining } from './read-inlining.js';

const LOG = [
  'v8-version,11,3,244,8,-node.38,0',
  'code-creation,JS,2,1,0x5000,888,mix file:///a\\x2Cb.js:1:13,0x9100,~',
  'code-creation,JS,2,2,0x5400,888, file:///a.js:2:19,0x9200,~',
  'code-creation,JS,13,3,0x1000,700,run file:///a.js:5:13,0x9300,*',
  'code-source-info,0x1000,99,158,232,C0O158C207O181C265O106I0C278O35I1C292O114I0C310O199,F0O207F1O122I0,S0x9200S0x9100',
];

/** @param {string[]} more @param {number} [startAddress] @returns {(offset: number) => string[]} */
function read(more, startAddress = 0x1000) {
  const findInlined = readInlining([...LOG, ...more].join('\n'));
  return (offset) => findInlined(startAddress, offset);
}

describe('at an offset', () => {
  const findAt = read([]);

  test('the function that was inlined comes before the one that it was inlined into', () => {
    expect(findAt(278)).toEqual(['mix file:///a,b.js:1:13', ' file:///a.js:2:19']);
    expect(findAt(291)).toEqual(['mix file:///a,b.js:1:13', ' file:///a.js:2:19']);
    expect(findAt(292)).toEqual([' file:///a.js:2:19']);
  });

  test('of the function itself nothing is inlined', () => {
    expect([0, 264, 310, 699].map(findAt)).toEqual([[], [], [], []]);
  });

  test('nothing is known of other code', () => {
    expect(read([], 0x2000)(278)).toEqual([]);
  });
});

test('code laid over other code takes its place', () => {
  const over = 'code-creation,JS,13,4,0x1000,700,other file:///a.js:9:1,0x9400,*';
  expect(read([over])(278)).toEqual([]);
});

test('a function that was moved keeps its name', () => {
  const moved = [
    'sfi-move,0x9100,0x9700',
    'code-creation,JS,13,4,0x3000,700,run file:///a.js:5:13,0x9300,*',
    'code-source-info,0x3000,99,158,232,C0O158I0,F0O207,S0x9700',
  ];
  expect(read(moved, 0x3000)(5)).toEqual(['mix file:///a,b.js:1:13']);
});

test('a function without an entry is left out, and a circle ends', () => {
  const damaged = [
    'code-creation,JS,13,4,0x3000,700,run file:///a.js:5:13,0x9300,*',
    'code-source-info,0x3000,99,158,232,C0O158I0C9O1I2,FO207F0O1I2F1O1I1,S0x9100S0x9200',
  ];
  const findAt = read(damaged, 0x3000);
  expect(findAt(5)).toEqual([]);
  expect(findAt(9).slice(0, 2)).toEqual([' file:///a.js:2:19', 'mix file:///a,b.js:1:13']);
});

test('a log that is cut short tells what comes before', () => {
  expect(read(['code-source-info,0x', 'code-cre'])(278)).toHaveLength(2);
});
