import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FormatError } from '../../lib/errors.js';
import { parseLog } from './log-reader.js';

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

  test('says where a function begins and that it was optimised', () => {
    expect(functionNamed('readOfTwoShapes')).toMatchObject({
      file: 'program.js',
      line: 11,
      column: 25,
      tier: 'optimized',
    });
  });

  test('leaves out what is no function of a file', () => {
    const { functions } = parseLog(readFixture(version), '/project');
    expect(new Set(functions.map(({ file }) => file))).toEqual(new Set(['program.js']));
  });

  test('knows a place that met two hidden classes', () => {
    expect(functionNamed('readOfTwoShapes').sites).toEqual([
      { cache: 'LoadIC', state: 'polymorphic', key: 'name', line: 12, column: 17, classes: 2 },
    ]);
  });

  test('knows a place that met eight', () => {
    expect(functionNamed('readOfManyShapes').sites).toEqual([
      { cache: 'LoadIC', state: 'megamorphic', key: 'name', line: 17, column: 17, classes: 8 },
    ]);
  });

  test('knows a place where keys change, and names none of them', () => {
    expect(functionNamed('readByKey').sites).toEqual([
      { cache: 'KeyedLoadIC', state: 'megamorphic', key: null, line: 25, column: 16, classes: 1 },
    ]);
  });

  test('puts a deoptimisation of inlined code where that stands in the source', () => {
    expect(functionNamed('runRounds').deopts).toContainEqual(
      expect.objectContaining({ kind: 'eager', file: 'program.js', line: 30, column: 12 }),
    );
  });

  test('tells deoptimisations of the warm-up from later ones', () => {
    const { deopts } = functionNamed('runRounds');
    const numbers = deopts.filter(({ reason }) => reason === 'not a Smi');
    const texts = deopts.filter(({ reason }) => reason.startsWith('not a Number'));
    expect(numbers.some(({ count, late }) => late < count)).toBe(true);
    expect(texts.map(({ late }) => late)).toEqual(texts.map(({ count }) => count));
  });

  test('knows code that was given up because what it relied on changed', () => {
    expect(functionNamed('readConstant').deopts).toEqual([
      expect.objectContaining({ kind: 'dependency-change', line: 38, column: 22 }),
    ]);
  });

  test('keeps names with commas, accents and without letters', () => {
    expect(functionNamed('a, b é').line).toBe(44);
    expect(functionNamed('get value').line).toBe(47);
    expect(parseLog(readFixture(version), '/project').functions).toContainEqual(
      expect.objectContaining({ name: '(anonymous)', line: 53, column: 46 }),
    );
  });
});

test('functions come in the order of their places', () => {
  const lines = parseLog(readFixture(20), '/project').functions.map(({ line }) => line);
  expect(lines).toEqual([...lines].sort((a, b) => a - b));
});

test('a function that is only ever inlined reaches the tier of the code around it', () => {
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

test("a place that optimised code reports counts only where the function's own code had it", () => {
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

test('what follows the window, a torn line too, is not read', () => {
  const text = readFixture(24);
  expect(parseLog(`${text}code-deopt,1,2`, '/project')).toEqual(parseLog(text, '/project'));
});

test.each([
  ['nothing', '', 'not a V8 log'],
  ['something else', '{"functions":[]}', 'not a V8 log'],
  ['a log without an end', 'v8-version,11,3\nprofiler,begin\n', 'breaks off'],
  ['a log cut in the window', cutInWindow(readFixture(20)), 'breaks off'],
  ['a broken address', 'v8-version,11,3\ncode-deopt,1,2,0xzz,\n', 'line 2: expected a number'],
  ['a short entry', 'v8-version,11,3\nLoadIC,0x1,5,3\n', 'line 2: the entry of an inline cache'],
])('%s is refused with one clear message', (_, text, message) => {
  const parse = () => parseLog(text, '/project');
  expect(parse).toThrow(FormatError);
  expect(parse).toThrow(message);
});
