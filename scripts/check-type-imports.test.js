import { listForbidden } from './check-type-imports.js';

test.each([
  [
    'harness/stats/a.js',
    "/** @import { B } from '../run/b.js' */",
    'below-stats: harness/run/b.js',
  ],
  ['harness/lib/a.ts', "type A = import('../formats/b.ts').B;", 'below-lib: harness/formats/b.ts'],
  ['harness/run/a.js', "/** @typedef {import('../stats/b.js').B} B */", null],
  ['harness/stats/a.test.js', "/** @import { B } from '../run/b.js' */", null],
  ['experiments/a/b.js', "/** @import { B } from './c.js' */", null],
  [
    'experiments/a/b.js',
    "/** @import { B } from '../d/c.js' */",
    'experiments: experiments/d/c.js',
  ],
])('of %s, %j is forbidden by %j', (path, text, expected) => {
  const [rule, target] = expected?.split(': ') ?? [];
  expect(listForbidden(path, text)).toEqual(
    expected === null ? [] : [`${rule}: ${path} imports ${target}`],
  );
});
