import { readFileSync } from 'node:fs';
import { describeBy } from '../profiles/frames.js';
import { parseLog, readInlining } from './log-reader.js';

/** @import { FunctionLog } from '../../formats/types.ts' */

const describePlace = describeBy('/project');

/** @param {number} version of Node @returns {string} log of `fixtures/program.js` */
function readFixture(version) {
  return readFileSync(new URL(`fixtures/node-${version}.log`, import.meta.url), 'utf8');
}

/** @param {string} text @returns {(name: string) => FunctionLog} */
function parseByName(text) {
  const { functions } = parseLog(text, describePlace);
  return function functionNamed(name) {
    const found = functions.find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`no function '${name}' in the log`);
    return found;
  };
}

describe.each([20, 22, 24, 26])('the log of Node %i', (version) => {
  const functionNamed = parseByName(readFixture(version));

  test('has the functions of the program, sorted by position, with name and tier', () => {
    const { functions } = parseLog(readFixture(version), describePlace);
    const lines = functions.map(({ line }) => line);
    expect(new Set(functions.map(({ file }) => file))).toEqual(new Set(['program.js']));
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    for (const place of [
      { name: 'readOfTwoShapes', line: 11, column: 25, tier: 'optimized' },
      { name: 'a, b é', line: 44 },
      { name: 'get value', line: 47 },
      { name: '(anonymous)', line: 53, column: 46 },
    ]) {
      expect(functions).toContainEqual(expect.objectContaining(place));
    }
  });

  test.each([
    ['readOfTwoShapes', 'LoadIC', 'polymorphic', 'name', 12, 17, 2],
    ['readOfManyShapes', 'LoadIC', 'megamorphic', 'name', 17, 17, 8],
    ['readByKey', 'KeyedLoadIC', 'megamorphic', null, 25, 16, 1],
  ])('has the site of %s: %s, %s', (name, cache, state, key, line, column, classes) => {
    expect(functionNamed(name).sites).toEqual([{ cache, state, key, line, column, classes }]);
  });

  test('has deoptimisations with source position, kind, and whether they are late', () => {
    const { deopts } = functionNamed('runRounds');
    expect(deopts).toContainEqual(
      expect.objectContaining({ kind: 'eager', file: 'program.js', line: 30, column: 12 }),
    );
    expect(functionNamed('readConstant').deopts).toEqual([
      expect.objectContaining({ kind: 'dependency-change', line: 38, column: 22 }),
    ]);
    const duringWarmUp = deopts.filter(({ reason }) => reason === 'not a Smi');
    const later = deopts.filter(({ reason }) => reason.startsWith('not a Number'));
    expect(duringWarmUp.some(({ count, late }) => late < count)).toBe(true);
    expect(later.map(({ late }) => late)).toEqual(later.map(({ count }) => count));
  });
});

const HEAD = 'v8-version,11,3,244,8,-node.38,0';
const END = ['code-creation,Script,10,1,0x4000,3, assay:window-end:1:1,0xd0,~', ''];

test('an inlined function reaches the tier of the code that contains it', () => {
  const log = [
    HEAD,
    'code-creation,JS,10,1,0x1000,10,inner file:///project/a.js:1:1,0xa0,~',
    'code-creation,JS,10,1,0x2000,10,outer file:///project/a.js:2:1,0xb0,~',
    'sfi-move,0xa0,0xc0',
    'code-creation,JS,13,1,0x3000,10,outer file:///project/a.js:2:1,0xb0,*',
    'code-source-info,0x3000,1,0,9,C0O1I0,F0O3,S0xc0',
    ...END,
  ];
  expect(parseByName(log.join('\n'))('inner').tier).toBe('optimized');
});

test("a site in optimised code counts only if the function's own code had it before", () => {
  const log = [
    HEAD,
    'code-creation,JS,10,1,0x1000,10,f file:///project/a.js:1:1,0xa0,~',
    'LoadIC,0x1002,1,2,3,0,1,0x77,own,,',
    'code-creation,JS,13,1,0x3000,10,f file:///project/a.js:1:1,0xa0,*',
    'LoadIC,0x3002,1,2,3,1,P,0x78,own,,',
    'LoadIC,0x3002,1,9,9,1,P,0x78,inlined,,',
    ...END,
  ];
  expect(parseByName(log.join('\n'))('f').sites).toEqual([
    { cache: 'LoadIC', state: 'polymorphic', key: 'own', line: 2, column: 3, classes: 2 },
  ]);
});

test('entries after the window are ignored', () => {
  const text = readFixture(24);
  expect(parseLog(`${text}code-deopt,1,2`, describePlace)).toEqual(parseLog(text, describePlace));
});

const WHOLE = readFixture(20);

test.each([
  ['an empty text', '', 'not a V8 log'],
  ['JSON', '{"functions":[]}', 'not a V8 log'],
  ['a log without a window', 'v8-version,11,3\nprofiler,begin\n', 'ends'],
  ['a truncated log', WHOLE.slice(0, WHOLE.indexOf('assay:window-end') - 100), 'ends'],
  ['an invalid address', 'v8-version,11,3\ncode-deopt,1,2,0xzz,\n', 'line 2: expected a number'],
  ['a short entry', 'v8-version,11,3\nLoadIC,0x1,5,3\n', 'line 2: the entry of an inline cache'],
])('%s is refused', (_, text, message) => {
  expect(() => parseLog(text, describePlace)).toThrow(
    expect.objectContaining({ name: 'FormatError', message: expect.stringContaining(message) }),
  );
});

describe('inlined functions', () => {
  const LOG = [
    HEAD,
    'code-creation,JS,2,1,0x5000,888,mix file:///a\\x2Cb.js:1:13,0x9100,~',
    'code-creation,JS,2,2,0x5400,888, file:///a.js:2:19,0x9200,~',
    'code-creation,JS,13,3,0x1000,700,run file:///a.js:5:13,0x9300,*',
    'code-source-info,0x1000,99,158,232,C0O158C207O181C265O106I0C278O35I1C292O114I0C310O199,F0O207F1O122I0,S0x9200S0x9100',
  ];
  const MIX = 'mix file:///a,b.js:1:13';
  const CALLER = ' file:///a.js:2:19';
  const RUN = 'code-creation,JS,13,4,0x3000,700,run file:///a.js:5:13,0x9300,*';

  test.each([
    { name: 'come before their callers', offset: 278, expected: [MIX, CALLER] },
    { name: 'extend to the next position', offset: 291, expected: [MIX, CALLER] },
    { name: 'end at the next position', offset: 292, expected: [CALLER] },
    ...[0, 264, 310, 699].map((offset) => ({
      name: `are none in the function itself, at ${offset}`,
      offset,
      expected: [],
    })),
    { name: 'of other code are unknown', start: 0x2000, offset: 278, expected: [] },
    {
      name: 'of replaced code are unknown',
      more: ['code-creation,JS,13,4,0x1000,700,other file:///a.js:9:1,0x9400,*'],
      offset: 278,
      expected: [],
    },
    {
      name: 'keep their names when moved',
      more: [
        'sfi-move,0x9100,0x9700',
        RUN,
        'code-source-info,0x3000,99,158,232,C0O158I0,F0O207,S0x9700',
      ],
      start: 0x3000,
      offset: 5,
      expected: [MIX],
    },
    {
      name: 'of a truncated log are those before its end',
      more: ['code-source-info,0x', 'code-cre'],
      offset: 278,
      expected: [MIX, CALLER],
    },
  ])('$name', ({ more = [], start = 0x1000, offset, expected }) => {
    expect(readInlining([...LOG, ...more].join('\n'))(start, offset)).toEqual(expected);
  });

  test('of a damaged log leave out unknown functions and end in a cycle', () => {
    const damaged = [
      RUN,
      'code-source-info,0x3000,99,158,232,C0O158I0C9O1I2,FO207F0O1I2F1O1I1,S0x9100S0x9200',
    ];
    const findInlined = readInlining([...LOG, ...damaged].join('\n'));
    expect(findInlined(0x3000, 5)).toEqual([]);
    expect(findInlined(0x3000, 9).slice(0, 2)).toEqual([CALLER, MIX]);
  });
});
