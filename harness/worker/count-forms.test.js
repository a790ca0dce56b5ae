/** Each case is an expression that is evaluated in a process with V8's natives. */

import { execFileSync } from 'node:child_process';
import { NATIVES_FLAGS } from './v8-natives.js';

/** @import { ValueForms } from '../formats/types.ts' */

const EMPTY = {
  objects: 0,
  dictionaries: 0,
  hiddenClasses: 0,
  arrays: 0,
  elements: {},
  smis: 0,
  doubles: 0,
  strings: {},
  mostKeys: 0,
};

/** @type {[name: string, roots: string, expected: Partial<ValueForms>][]} */
const CASES = [
  ['nothing', '[]', {}],
  [
    'an object literal is fast and has one hidden class',
    '[{ a: true, b: null }]',
    { objects: 1, hiddenClasses: 1, mostKeys: 2 },
  ],
  [
    'objects with the same keys in the same order share a hidden class',
    '[{ a: 0, b: 0 }, { a: 0, b: 0 }, { a: 0, b: 0 }, { b: 0, a: 0 }]',
    { objects: 4, hiddenClasses: 2, smis: 8, mostKeys: 2 },
  ],
  [
    'objects with the same keys and different prototypes have different hidden classes',
    '[{ a: null }, Object.setPrototypeOf({ a: null }, null)]',
    { objects: 2, hiddenClasses: 2, mostKeys: 1 },
  ],
  [
    'a parsed object with 1100 keys is a dictionary, without a hidden class',
    "[JSON.parse('{' + Array.from({ length: 1100 }, (_, i) => `\"k${i}\":null`).join() + '}')]",
    { objects: 1, dictionaries: 1, mostKeys: 1100 },
  ],
  [
    'instances of classes count like other objects',
    '[new (class Id { hex = true })(), new Date(0)]',
    { objects: 2, hiddenClasses: 2, mostKeys: 1 },
  ],
  [
    'whole numbers of 32 bits are small integers, all others doubles',
    '[{ a: 1, b: -(2 ** 31), c: 2 ** 31, d: -0, e: 0.5, f: NaN }]',
    { objects: 1, hiddenClasses: 1, smis: 2, doubles: 4, mostKeys: 6 },
  ],
  [
    'a whole number is a double if its property or array holds doubles',
    '[{ x: 0.5 }, { x: 1 }, [1, 2, 0.5]]',
    {
      objects: 2,
      hiddenClasses: 1,
      arrays: 1,
      elements: { 'packed double': 1 },
      doubles: 5,
      mostKeys: 1,
    },
  ],
  [
    'arrays are counted by kind of elements',
    "[[1], [0.5], [{}], [1, , 2], Object.assign([], { 10000000: 0 }), ['']]",
    {
      arrays: 6,
      elements: {
        'packed smi': 1,
        'packed double': 1,
        'packed object': 2,
        'holey smi': 1,
        dictionary: 1,
      },
      objects: 1,
      hiddenClasses: 1,
      smis: 4,
      doubles: 1,
      strings: { 'one-byte': 1, internalized: 1 },
    },
  ],
  [
    'strings are counted by character width, and internalized ones',
    "[['literal', ['made', 'up at run time'].join(' '), '\\u20ac'.repeat(30)]]",
    {
      arrays: 1,
      elements: { 'packed object': 1 },
      strings: { 'one-byte': 2, 'two-byte': 1, internalized: 1 },
    },
  ],
  ['bytes are not counted', '[new Uint8Array(9), Buffer.alloc(9), new ArrayBuffer(9)]', {}],
  [
    'an object counts once, even with several references or a cycle',
    '(() => { const o = { self: null }; o.self = o; return [o, o]; })()',
    { objects: 1, hiddenClasses: 1, mostKeys: 1 },
  ],
  [
    'accessors are not called',
    "[{ get a() { throw new Error('called'); } }]",
    { objects: 1, dictionaries: 1, mostKeys: 1 },
  ],
  [
    'nesting may be 20 000 levels deep',
    '(() => { let o = {}; for (let i = 0; i < 20_000; i++) o = { o }; return [o]; })()',
    { objects: 20_001, hiddenClasses: 2, mostKeys: 1 },
  ],
  [
    'counting stops at 200 000 values',
    "[JSON.parse('[' + '1,'.repeat(300_000) + '1]')]",
    { arrays: 1, elements: { 'packed smi': 1 }, smis: 199_999 },
  ],
];

const found = describeAll(CASES.map(([, roots]) => roots));

/** @type {(expressions: string[]) => ValueForms[]} */
function describeAll(expressions) {
  const moduleUrl = new URL('count-forms.js', import.meta.url).href;
  const program = `
    import { countForms } from ${JSON.stringify(moduleUrl)};
    console.log(JSON.stringify([${expressions.join()}].map((roots) => countForms(roots))));
  `;
  const args = [...NATIVES_FLAGS, '--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test.each(CASES.map(([name, , expected], index) => ({ name, expected, index })))(
  '$name',
  ({ expected, index }) => {
    expect(found[index]).toEqual({ ...EMPTY, ...expected });
  },
);
