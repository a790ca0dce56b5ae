import { readFileSync } from 'node:fs';
import { normalizeLog } from './normalize-log.js';

/** @param {string[]} lines */
function normalize(...lines) {
  return normalizeLog(lines.join('\n'), '/project').split('\n').slice(0, -1);
}

const CREATION = 'code-creation,JS,10,5,0x1000,64,f file:///project/a.js:1:2,0xa0';

describe.each([20, 22, 24, 26])('the log of Node %i', (version) => {
  const text = readFileSync(new URL(`fixtures/node-${version}.log`, import.meta.url), 'utf8');
  const lines = normalizeLog(text, '/project').trimEnd().split('\n');

  /** @param {string} event */
  const fieldsOf = (event) =>
    lines.filter((line) => line.startsWith(`${event},`)).map((line) => line.split(','));

  test('keeps the functions of the program, in the two tiers of V8 8', () => {
    const functions = fieldsOf('code-creation').filter(([, type]) => type === 'LazyCompile');
    expect(functions.some(([, , , , , , name]) => name?.startsWith('runRounds '))).toBe(true);
    expect(new Set(functions.map((fields) => fields.at(-1)))).toEqual(new Set(['~', '*']));
  });

  test('keeps deoptimisations with older kinds and at most two levels of inlining', () => {
    const deopts = fieldsOf('code-deopt');
    expect(new Set(deopts.map(([, , , , , , kind]) => kind))).toEqual(new Set(['eager', 'lazy']));
    const levels = deopts.map(([, , , , , , , place]) => place?.split('inlined at').length);
    expect(Math.max(...levels.map(Number))).toBe(2);
  });

  test('keeps inline caches with a state, without their time', () => {
    const caches = fieldsOf('LoadIC');
    expect(caches).toContainEqual(expect.arrayContaining(['LoadIC', '12', '17', '1', 'P', 'name']));
    expect(caches.filter(([, , , , , state]) => state === 'X')).toEqual([]);
  });

  test('leaves out everything else', () => {
    const events = new Set(lines.map((line) => line.split(',')[0]));
    expect([...events].filter((event) => !/^(code-|v8-version|.*IC$)/.test(event ?? ''))).toEqual(
      [],
    );
    expect(fieldsOf('code-creation').filter(([, type]) => type === 'Builtin')).toEqual([]);
  });
});

test.each([
  ['~', 'LazyCompile', '~'],
  ['^', 'JS', '~'],
  ['+', 'LazyCompile', '*'],
  ["+'", 'LazyCompile', '*'],
  ["o*'", 'LazyCompile', '*'],
])('code marked %s becomes %s marked %s', (mark, type, olderMark) => {
  expect(normalize(`${CREATION},${mark}`)).toEqual([
    `${CREATION.replace('JS', type)},${olderMark}`,
  ]);
});

test('code of the middle tier after optimised code is kept for its address alone', () => {
  const types = normalize(`${CREATION},*`, `${CREATION},+`).map((line) => line.split(',')[1]);
  expect(types).toEqual(['LazyCompile', 'JS']);
});

test('a comma in the name of a function is escaped', () => {
  const line = CREATION.replace('f file', 'a, b file');
  expect(normalize(`${line},~`)[0]).toContain(',a\\x2C b file:///project/a.js:1:2,');
});

test('only moved code of the program is kept', () => {
  const lines = normalize(
    `${CREATION},~`,
    'code-move,0x1000,0x5000',
    'code-move,0x8000,0x9000',
    'LoadIC,0x5008,7,3,4,0,1,0x77,name,,',
  );
  expect(lines.slice(1)).toEqual(['code-move,0x1000,0x5000', 'LoadIC,0x5008,3,4,0,1,0x77,name,,']);
});

test('the state of DOM accessors becomes megamorphic', () => {
  const miss = 'LoadIC,0x1008,7,3,4,N,D,0x77,name,,';
  expect(normalize(`${CREATION},~`, miss)[1]).toBe('LoadIC,0x1008,3,4,N,N,0x77,name,,');
});

test('entries after the window are left out', () => {
  const end = 'code-creation,Script,10,9,0x4000,3, assay:window-end:1:1,0xd0,~';
  expect(normalize(end, `${CREATION},~`)).toEqual([]);
});
