import { runInNewContext } from 'node:vm';
import { FormatError } from '../../lib/errors.js';
import { seedGenerator } from '../../stats/random.js';
import { isLong } from '../../testing/support/parts.js';
import { editSource, readOutline } from './source.js';

const SEEDS = Array.from({ length: isLong ? 40 : 12 }, (_, index) => index);
const SOURCE = `#!/usr/bin/env node
'use strict'
// About the file.
const start = 1 // after code

// Of double.
/* Also of double. */
function double(x) { 'use strict'; return 2 * x }
let order = ''
function note(text) {
  order += text;
  return add(double(start), order.length);
}
async function wait() {} function add(a, b) { return a + b }
class Point { constructor(x) { this.x = x } }
exports.answer = [note('a'), note('b'), new Point(add(3, 4)).x, this === exports]
exports.strict = (function () { return this === undefined })()
`;

/** @param {string} source */
function run(source) {
  const exports = {};
  runInNewContext(
    `(function (exports) {${source.replace(/^#!.*/, '')}\n}).call(exports, exports)`,
    {
      exports,
    },
  );
  return exports;
}

describe('an edited source', () => {
  test.each(SEEDS)('has the same behaviour, with seed %i', (seed) => {
    const edited = editSource(SOURCE, 'commonjs', seedGenerator(seed));
    expect(edited).not.toBe(SOURCE);
    expect(JSON.stringify(run(edited))).toBe(JSON.stringify(run(SOURCE)));
    expect(run(edited)).toHaveProperty('strict', true);
  });

  test('is determined by the seed', () => {
    const [first, again, other] = [1, 1, 2].map((seed) =>
      editSource(SOURCE, 'commonjs', seedGenerator(seed)),
    );
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test('has its functions in varying order, each with its comments', () => {
    const orders = SEEDS.map((seed) => {
      const edited = editSource(SOURCE, 'commonjs', seedGenerator(seed));
      expect(edited).toMatch(/\/\/ Of double\.\n\/\* Also of double\. \*\/\nfunction double\(/);
      const own = /^(double|note|wait|add)$/;
      const { functions } = readOutline(edited, 'commonjs');
      return functions.flatMap(({ name }) => (own.test(name) ? name : [])).join(' ');
    });
    expect(new Set(orders).size).toBeGreaterThan(SEEDS.length / 4);
  });

  test('has additional functions, some of which are called at load', () => {
    const edited = SEEDS.map((seed) => editSource(SOURCE, 'commonjs', seedGenerator(seed)));
    const calling = edited.filter((text) => /\nplacement_\w+_run\(\);\n$/.test(text));
    expect(calling.length).toBeGreaterThan(SEEDS.length / 3);
    expect(calling.length).toBeLessThan(SEEDS.length);
  });

  test('keeps directives at the start, and its exports', () => {
    const module = `'use client';\nexport function a() {}\nexport default function b() {}\nexport { c };\nfunction c() {}\n`;
    for (const seed of SEEDS) {
      const edited = editSource(module, 'module', seedGenerator(seed));
      expect(edited.startsWith(`'use client';\n`)).toBe(true);
      expect(edited).toMatch(/^export function a\(\)/m);
      expect(edited.indexOf('export default')).toBeLessThan(edited.indexOf('export { c }'));
    }
  });

  test('keeps the shebang in the first line', () => {
    const script = `#!/usr/bin/env node\nfunction a() { return 1 }\nfunction b() { return a() }\nexports.b = b();`;
    for (const seed of SEEDS) {
      const edited = editSource(script, 'commonjs', seedGenerator(seed));
      expect(edited.startsWith('#!/usr/bin/env node\n')).toBe(true);
      expect(run(edited)).toEqual({ b: 1 });
    }
  });

  test('keeps the order of functions with the same name, since the last one counts', () => {
    const twice = `function a() { return 1 }\nfunction b() {}\nfunction a() { return 2 }\nexports.a = a();`;
    for (const seed of SEEDS) {
      expect(run(editSource(twice, 'commonjs', seedGenerator(seed)))).toEqual({ a: 2 });
    }
  });
});

test('a source that cannot be parsed is refused with the reason', () => {
  const edit = () => editSource('function (', 'module', seedGenerator(1));
  expect(edit).toThrow(FormatError);
  expect(edit).toThrow(/cannot be parsed as JavaScript: .*\(1:9\)/);
});
