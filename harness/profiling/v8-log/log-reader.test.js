import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FormatError } from '../../lib/errors.js';
import { parseLog, readInlining } from './log-reader.js';

/** @import { FunctionLog } from '../../formats/types.ts' */

const VERSIONS = [20, 22, 24, 26];

/** @param {number} version of Node */
function readFixture(version) {
  return readFileSync(new URL(`fixtures/node-${version}.log`, import.meta.url), 'utf8');
}

/**
 * @param {string} text
 * @returns {(name: string) => FunctionLog}
 */
function parseByName(text) {
  const { functions } = parseLog(text, '/project');
  return function functionNamed(name) {
    const found = functions.find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`no function '${name}' in the log`);
    return found;
  };
}

/** @param {string} text */
function cutInWindow(text) {
  return text.slice(0, text.indexOf('assay:window-end') - 100);
}

describe.each(VERSIONS)('the log of Node %i', (version) => {
  const functionNamed = parseByName(readFixture(version));

  test('has the position of a function and its tier', () => {
    expect(functionNamed('readOfTwoShapes')).toMatchObject({
      file: 'program.js',
      line: 11,
      column: 25,
      tier: 'optimized',
    });
  });

  test('leaves out code without a file', () => {
    const { functions } = parseLog(readFixture(version), '/project');
    expect(new Set(functions.map(({ file }) => file))).toEqual(new Set(['program.js']));
  });

  test('has a site with two hidden classes', () => {
    expect(functionNamed('readOfTwoShapes').sites).toEqual([
      { cache: 'LoadIC', state: 'polymorphic', key: 'name', line: 12, column: 17, classes: 2 },
    ]);
  });

  test('has a site with eight hidden classes', () => {
    expect(functionNamed('readOfManyShapes').sites).toEqual([
      { cache: 'LoadIC', state: 'megamorphic', key: 'name', line: 17, column: 17, classes: 8 },
    ]);
  });

  test('has a site with changing keys, without a key', () => {
    expect(functionNamed('readByKey').sites).toEqual([
      { cache: 'KeyedLoadIC', state: 'megamorphic', key: null, line: 25, column: 16, classes: 1 },
    ]);
  });

  test('places a deoptimisation of inlined code at its source', () => {
    expect(functionNamed('runRounds').deopts).toContainEqual(
      expect.objectContaining({ kind: 'eager', file: 'program.js', line: 30, column: 12 }),
    );
  });

  test('distinguishes deoptimisations during warm-up from later ones', () => {
    const { deopts } = functionNamed('runRounds');
    const numbers = deopts.filter(({ reason }) => reason === 'not a Smi');
    const texts = deopts.filter(({ reason }) => reason.startsWith('not a Number'));
    expect(numbers.some(({ count, late }) => late < count)).toBe(true);
    expect(texts.map(({ late }) => late)).toEqual(texts.map(({ count }) => count));
  });

  test('has deoptimisations due to changed dependencies', () => {
    expect(functionNamed('readConstant').deopts).toEqual([
      expect.objectContaining({ kind: 'dependency-change', line: 38, column: 22 }),
    ]);
  });

  test('keeps names with commas, accents and symbols', () => {
    expect(functionNamed('a, b é').line).toBe(44);
    expect(functionNamed('get value').line).toBe(47);
    expect(parseLog(readFixture(version), '/project').functions).toContainEqual(
      expect.objectContaining({ name: '(anonymous)', line: 53, column: 46 }),
    );
  });
});

test('functions are sorted by position', () => {
  const lines = parseLog(readFixture(20), '/project').functions.map(({ line }) => line);
  expect(lines).toEqual([...lines].sort((a, b) => a - b));
});

test('a function that is only inlined reaches the tier of the containing code', () => {
  const log = [
    'v8-version,11,3,244,8,-node.38,0',
    'code-creation,JS,10,1,0x1000,10,inner file:///project/a.js:1:1,0xa0,~',
    'code-creation,JS,10,1,0x2000,10,outer file:///project/a.js:2:1,0xb0,~',
    'sfi-move,0xa0,0xc0',
    'code-creation,JS,13,1,0x3000,10,outer file:///project/a.js:2:1,0xb0,*',
    'code-source-info,0x3000,1,0,9,C0O1I0,F0O3,S0xc0',
    'code-creation,Script,10,1,0x4000,3, assay:window-end:1:1,0xd0,~',
    '',
  ];
  expect(parseByName(log.join('\n'))('inner').tier).toBe('optimized');
});

test("a site reported by optimised code counts only if the function's own code had it", () => {
  const log = [
    'v8-version,11,3,244,8,-node.38,0',
    'code-creation,JS,10,1,0x1000,10,f file:///project/a.js:1:1,0xa0,~',
    'LoadIC,0x1002,1,2,3,0,1,0x77,own,,',
    'code-creation,JS,13,1,0x3000,10,f file:///project/a.js:1:1,0xa0,*',
    'LoadIC,0x3002,1,2,3,1,P,0x78,own,,',
    'LoadIC,0x3002,1,9,9,1,P,0x78,inlined,,',
    'code-creation,Script,10,1,0x4000,3, assay:window-end:1:1,0xd0,~',
    '',
  ];
  expect(parseByName(log.join('\n'))('f').sites).toEqual([
    { cache: 'LoadIC', state: 'polymorphic', key: 'own', line: 2, column: 3, classes: 2 },
  ]);
});

test('nothing after the window is read', () => {
  const text = readFixture(24);
  expect(parseLog(`${text}code-deopt,1,2`, '/project')).toEqual(parseLog(text, '/project'));
});

test.each([
  ['nothing', '', 'not a V8 log'],
  ['something else', '{"functions":[]}', 'not a V8 log'],
  ['a log without an end', 'v8-version,11,3\nprofiler,begin\n', 'ends'],
  ['a log cut in the window', cutInWindow(readFixture(20)), 'ends'],
  ['a broken address', 'v8-version,11,3\ncode-deopt,1,2,0xzz,\n', 'line 2: expected a number'],
  ['a short entry', 'v8-version,11,3\nLoadIC,0x1,5,3\n', 'line 2: the entry of an inline cache'],
])('%s is refused with one clear message', (_, text, message) => {
  const parse = () => parseLog(text, '/project');
  expect(parse).toThrow(FormatError);
  expect(parse).toThrow(message);
});

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

  test('the inlined function comes before its caller', () => {
    expect(findAt(278)).toEqual(['mix file:///a,b.js:1:13', ' file:///a.js:2:19']);
    expect(findAt(291)).toEqual(['mix file:///a,b.js:1:13', ' file:///a.js:2:19']);
    expect(findAt(292)).toEqual([' file:///a.js:2:19']);
  });

  test('code of the function itself has no inlined functions', () => {
    expect([0, 264, 310, 699].map(findAt)).toEqual([[], [], [], []]);
  });

  test('other code is unknown', () => {
    expect(read([], 0x2000)(278)).toEqual([]);
  });
});

test('newer code replaces older code at its address', () => {
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
