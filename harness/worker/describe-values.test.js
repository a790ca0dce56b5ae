/** In a process with V8's natives, of which each case is an expression there. */

import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
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
    'three objects of one shape share a hidden class, one with its keys the other way round does not',
    '[{ a: 0, b: 0 }, { a: 0, b: 0 }, { a: 0, b: 0 }, { b: 0, a: 0 }]',
    { objects: 4, hiddenClasses: 2, smis: 8, mostKeys: 2 },
  ],
  [
    'objects that agree in their keys and differ in their prototype differ in their hidden class',
    '[{ a: null }, Object.setPrototypeOf({ a: null }, null)]',
    { objects: 2, hiddenClasses: 2, mostKeys: 1 },
  ],
  [
    'a parsed object of 1100 keys is a dictionary and has no hidden class of its own',
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
    'a whole number is a double where its property or its array holds doubles',
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
    'arrays are told by their elements',
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
    'strings are told by the width of their characters and by being internalized',
    "[['literal', ['made', 'up at run time'].join(' '), '\\u20ac'.repeat(30)]]",
    {
      arrays: 1,
      elements: { 'packed object': 1 },
      strings: { 'one-byte': 2, 'two-byte': 1, internalized: 1 },
    },
  ],
  ['bytes are not counted', '[new Uint8Array(9), Buffer.alloc(9), new ArrayBuffer(9)]', {}],
  [
    'an object that is met twice, or holds itself, counts once',
    '(() => { const o = { self: null }; o.self = o; return [o, o]; })()',
    { objects: 1, hiddenClasses: 1, mostKeys: 1 },
  ],
  [
    'accessors are not called',
    "[{ get a() { throw new Error('called'); } }]",
    { objects: 1, dictionaries: 1, mostKeys: 1 },
  ],
  [
    'depth is no limit',
    '(() => { let o = {}; for (let i = 0; i < 20_000; i++) o = { o }; return [o]; })()',
    { objects: 20_001, hiddenClasses: 2, mostKeys: 1 },
  ],
  [
    'beyond 200 000 values the rest is left out',
    "[JSON.parse('[' + '1,'.repeat(300_000) + '1]')]",
    { arrays: 1, elements: { 'packed smi': 1 }, smis: 199_999 },
  ],
];

const found = describeAll(CASES.map(([, roots]) => roots));

/**
 * @param {string[]} expressions
 * @returns {ValueForms[]}
 */
function describeAll(expressions) {
  const moduleUrl = new URL('describe-values.js', import.meta.url).href;
  const program = `
    import { describeValues } from ${JSON.stringify(moduleUrl)};
    console.log(JSON.stringify([${expressions.join()}].map((roots) => describeValues(roots))));
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
