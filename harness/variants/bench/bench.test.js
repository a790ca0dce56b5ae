import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describeJob, openJobRunner } from '../../run/jobs.js';
import { makeTestDirectory, writeFiles } from '../../testing/support/directories.js';
import { testLong } from '../../testing/support/gates.js';
import { describePlace } from '../../worker/bench/describe-place.js';
import { describeValue } from '../../worker/describe-value.js';
import { makeFamily } from '../test-support/make-family.js';
import { resolveVariant } from '../resolve.js';
import { parseVariantSpec } from '../spec.js';
import { chooseCases, collectBenchmarks, compareLaid } from './family.js';
import { findBenchmarks } from './find-files.js';
import { STAND_INS, findTree, findUnit } from './tree.js';

/** @import { ListedCase, ListReport } from '../../formats/types.ts' */

const workingPath = realpathSync(makeTestDirectory('bench'));
const CACHE = join(workingPath, 'cache');

/** @type {(name: string, files: Record<string, string>) => string} path of a new directory with these files */
function makeTree(name, files) {
  writeFiles(join(workingPath, name), files);
  return join(workingPath, name);
}

const MANIFEST = JSON.stringify({ name: 'codec', type: 'module', exports: './index.js' });
const INDEX = 'export const encode = (value) => JSON.stringify(value);\n';

/** What each package's file is, and the cases that are found in it. @type {Record<string, { file: string, text: string, cases: Partial<ListedCase>[] }>} */
const FILES = {
  tinybench: {
    file: 'bench/tinybench.js',
    text: `import { Bench } from 'tinybench';
import { encode } from '../index.js';
const bench = new Bench({ name: 'codec', time: 10, setup: () => {} });
let value;
bench
  .add('encode', () => encode(value), { beforeAll() { value = { a: 1 }; } })
  .add('later', async () => encode(value))
  .add('each', () => {}, { beforeEach() {} })
  .add('wrong', () => { throw new Error('no such thing'); });
await bench.run();
console.table(bench.table());
console.log(bench.tasks[0].result.throughput.mean.toFixed(2), bench.tasks[0].result.latency.samples.length);
process.exit(0);
`,
    cases: [
      { name: 'encode', outcome: 'value' },
      { name: 'later', outcome: 'value', isAsync: true },
      { name: 'each', outcome: 'unsuitable' },
      { name: 'wrong', outcome: 'throws', detail: 'it throws Error: no such thing' },
    ],
  },
  vitest: {
    file: 'bench/vitest.bench.js',
    text: `import { beforeAll, bench, describe } from 'vitest';
import { encode } from 'codec';
describe('codec', () => {
  let value;
  beforeAll(() => { value = [1]; });
  bench('encode', () => encode(value), { time: 10 });
  bench.skip('skipped', () => {});
  describe('inner', () => { bench('nothing', () => { encode(value); }); });
});
`,
    cases: [
      { name: 'codec > encode', outcome: 'value' },
      { name: 'codec > inner > nothing', outcome: 'nothing' },
    ],
  },
  mitata: {
    file: 'bench/mitata.js',
    text: `import { bench, group, run, summary } from 'mitata';
import { encode } from '../index.js';
summary(() => {
  group('sizes', () => {
    bench('array of $size', function* (state) {
      const value = Array(state.get('size')).fill(1);
      yield () => encode(value);
    }).args('size', [1, 10]);
  });
});
bench('computed', function* () {
  yield { [0]() { return 1; }, bench(value) { return value; } };
});
await run();
`,
    cases: [
      { name: 'sizes > array of 1', outcome: 'value' },
      { name: 'sizes > array of 10', outcome: 'value' },
      { name: 'computed', outcome: 'unsuitable' },
    ],
  },
  benchmark: {
    file: 'bench/benchmark.cjs',
    text: `const Benchmark = require('benchmark');
const value = { r: Math.random() };
const suite = new Benchmark.Suite('old');
suite
  .add('encode', () => JSON.stringify(value))
  .add('set up', { setup() { this.text = 'x'; }, fn() { return this.text; } })
  .add('deferred', { defer: true, fn(deferred) { deferred.resolve(); } })
  .add(function named() {})
  .on('cycle', (event) => console.log(String(event.target)))
  .on('complete', function () { console.log(this.filter('fastest').map('name')[0].length); })
  .run({ async: true });
new Benchmark('alone', () => 1).clone({ fn: () => 2 }).run();
`,
    cases: [
      { name: 'old > encode', outcome: 'value' },
      { name: 'old > set up', outcome: 'value' },
      { name: 'old > deferred', outcome: 'unsuitable' },
      { name: 'old > named', outcome: 'nothing' },
      { name: 'alone', outcome: 'value' },
      { name: 'alone', outcome: 'value' },
    ],
  },
  'bench-node': {
    file: 'bench/bench-node.js',
    text: `import { Suite } from 'bench-node';
import { encode } from '../index.js';
const suite = new Suite();
suite.add('encode', { minTime: 0.1 }, () => encode([1]));
suite.add('loop', (timer) => {
  timer.start();
  for (let index = 0; index < timer.count; index++) encode([1]);
  timer.end(timer.count);
});
suite.run();
`,
    cases: [
      { name: 'encode', outcome: 'value' },
      { name: 'loop', outcome: 'nothing', trait: 'timer' },
    ],
  },
  cronometro: {
    file: 'bench/cronometro.js',
    text: `import cronometro from 'cronometro';
import { encode } from '../index.js';
let value;
cronometro({
  encode: { test: () => encode(value), before(done) { value = 1; done(); } },
  callback(done) { done(); },
});
`,
    cases: [
      { name: 'encode', outcome: 'value' },
      { name: 'callback', outcome: 'unsuitable' },
    ],
  },
  functions: {
    file: 'bench/functions.js',
    text: `import { encode } from '../index.js';
let count = 0;
export const counting = () => count++;
export function random() { return encode({ now: performance.now() }); }
export function argument(value) { return encode(value); }
export class NotACase {}
export const reader = () => ({ read() {} });
export default () => encode(1);
`,
    cases: [
      { name: 'default', outcome: 'value' },
      { name: 'argument', outcome: 'unsuitable' },
      { name: 'counting', outcome: 'varies' },
      { name: 'random', outcome: 'varies' },
      { name: 'reader', outcome: 'code' },
    ],
  },
  threads: {
    file: 'bench/threads.cjs',
    text: `const { Worker } = require('node:worker_threads');
const { join } = require('node:path');
(async () => {
  for (const name of ['a', 'b']) {
    const worker = new Worker(join(__dirname, 'thread.cjs'), { workerData: { name } });
    console.log(await new Promise((resolve) => worker.on('message', resolve)));
  }
})();
`,
    cases: [
      { name: 'a', outcome: 'value' },
      { name: 'b', outcome: 'value' },
    ],
  },
  broken: { file: 'bench/broken.js', text: `throw new Error('not today');\n`, cases: [] },
  'broken thread': {
    file: 'bench/broken-thread.cjs',
    text: `const { Worker } = require('node:worker_threads');
new Worker(require('node:path').join(__dirname, 'thread-error.cjs'));
`,
    cases: [],
  },
  usage: {
    file: 'bench/usage.cjs',
    text: `console.log('one\\ntwo\\n\\nthree');
console.error('usage: %s FILE', 'perf');
if (process.argv.length < 9) process.exit(2);
`,
    cases: [],
  },
};

const top = makeTree('codec', {
  ...{ 'package.json': MANIFEST, 'index.js': INDEX },
  ...Object.fromEntries(Object.values(FILES).map(({ file, text }) => [file, text])),
  'bench/thread-error.cjs': `throw new Error('not in a thread');\n`,
  'bench/thread.cjs': `const { parentPort, workerData } = require('worker_threads');
const { Bench } = require('tinybench');
new Bench().add(workerData.name, () => workerData.name).run().then(() => parentPort.postMessage('done'));
`,
});

/** @type {(directory: string, files: string[], source?: string) => Promise<ListReport>} what a process that loads the files of the tree `source` finds */
async function list(directory, files, source = top) {
  const places = { cachePath: CACHE };
  const path = await collectBenchmarks(
    files.map((file) => ({ path: file, top: source })),
    { trees: [directory], entries: ['index.js'] },
    places,
  );
  const bench = { path, files, directory: '.', args: ['--quick'] };
  const family = { ...makeFamily('benchmarks', { path: workingPath }), bench };
  const context = {
    families: [family],
    family,
    assayPath: workingPath,
    cachePath: CACHE,
    workingPath,
  };
  const variant = await resolveVariant(parseVariantSpec(`path:${directory}`), context);
  const runJob = openJobRunner([], {
    environment: process.env,
    signal: new AbortController().signal,
  });
  const outcome = await runJob({ ...describeJob('list', { variant, family }), kind: 'list' });
  if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
  return /** @type {ListReport} */ (outcome.report);
}

describe('the files of each package', () => {
  /** @type {ListReport} */
  let report;
  beforeAll(async () => {
    report = await list(
      top,
      Object.values(FILES).map(({ file }) => file),
    );
  });

  test.each(Object.entries(FILES))(
    '%s: cases, and what becomes of a call',
    (_, { file, cases }) => {
      const found = report.cases.filter((one) => one.file === file);
      expect(found).toEqual(cases.map((one) => expect.objectContaining(one)));
    },
  );

  test('every stand-in has a file here', () => {
    expect(STAND_INS.filter((name) => !(name in FILES))).toEqual([]);
  });

  test('a file without a case says why, and what it printed', () => {
    expect(report.failures).toEqual({
      'bench/broken.js': 'Error: not today',
      'bench/broken-thread.cjs': 'Error: not in a thread',
      'bench/usage.cjs': 'it defines no case and exports no function, and calls process.exit(2)',
    });
    expect(report.printed).toEqual({
      'bench/broken.js': [],
      'bench/broken-thread.cjs': [],
      'bench/usage.cjs': ['one', 'two', 'three', 'usage: perf FILE'],
    });
  });

  test('random numbers of a file are the same in another process', async () => {
    const again = await list(top, [FILES['benchmark'].file]);
    const digestOf = (/** @type {ListReport} */ { cases }) =>
      cases.find(({ name }) => name === 'old > encode')?.detail;
    expect(digestOf(again)).toBe(digestOf(report));
  });
});

test('files run with the code of another tree, which has no such files', async () => {
  const other = makeTree('other', {
    'package.json': MANIFEST,
    'index.js': 'export const encode = () => "other";\n',
  });
  const files = [FILES['tinybench'].file];
  const [one, two] = [await list(top, files), await list(other, files)];
  expect(two.cases[0]).toMatchObject({ name: 'encode', outcome: 'value' });
  expect(two.cases[0].detail).not.toBe(one.cases[0].detail);
});

test('a package of a company with the name of a benchmark package is no stand-in', async () => {
  const tree = makeTree('company', {
    'package.json': MANIFEST,
    'index.js': INDEX,
    'node_modules/@company/benchmark/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/@company/benchmark/index.js': 'export const value = 1;\n',
    'bench/own.js': `import { value } from '@company/benchmark';\nexport const own = () => value;\n`,
  });
  const { cases, failures } = await list(tree, ['bench/own.js'], tree);
  expect(failures).toEqual({});
  expect(cases).toMatchObject([{ name: 'own', outcome: 'value' }]);
});

test('a file that has no folder of benchmarks is laid alone, with files beside it that the other tree lacks', async () => {
  const mine = makeTree('mine', { 'bench.js': 'a', 'index.js': 'new', 'helper.js': 'b' });
  const other = makeTree('theirs', { 'bench.js': 'old', 'index.js': 'old' });
  const source = [{ path: 'bench.js', top: mine }];
  const variants = { trees: [other, mine], entries: ['index.js'] };
  const path = await collectBenchmarks(source, variants, { cachePath: CACHE });
  expect(readFileSync(join(path, 'helper.js'), 'utf8')).toBe('b');
  expect(() => readFileSync(join(path, 'index.js'))).toThrow('ENOENT');
  expect(compareLaid(path, other, ['bench.js'])).toBe('another bench.js and 1 other file');
  expect(compareLaid(path, mine, ['bench.js'])).toBeNull();
});

test.each([
  ['bench/a.js', 'bench'],
  ['packages/codec-bench/src/a.ts', 'packages/codec-bench'],
  ['test/benchmarks/custom/a.js', 'test/benchmarks'],
  ['benchmark.js', null],
  ['src/a.bench.js', null],
])('the folder of benchmarks of %s', (file, unit) => {
  expect(findUnit(file)).toBe(unit);
});

test('the tree of a module without a checkout is its package', () => {
  expect(findTree(join(top, 'index.js'))).toBe(top);
});

test('files are found by what they import, or by their names', () => {
  const found = findBenchmarks(top, '').map(({ file, uses }) => [file, uses]);
  expect(found).toContainEqual(['bench/benchmark.cjs', 'benchmark']);
  expect(found).toContainEqual(['bench/vitest.bench.js', 'vitest']);
  expect(found.map(([file]) => file)).not.toContain('index.js');
});

test('a property in the place of another is named', () => {
  const [one, other] = [
    { a: 1, b: 'x' },
    { b: 'x', a: 1 },
  ].map((value) => Buffer.from(describeValue(value)));
  expect(describePlace(one, other)).toEqual({
    path: 'a',
    expected: 'number 1',
    found: 'b in its place: string "x"',
  });
});

describe('the cases that are measured', () => {
  /** @type {(...cases: [name: string, outcome: ListedCase['outcome'], detail?: string][]) => ListReport} */
  const reportOf = (...cases) => {
    const listed = cases.map(([name, outcome, detail]) => ({
      ...{ file: 'bench.js', name, outcome },
      ...(detail === undefined ? {} : { detail }),
    }));
    return /** @type {ListReport} */ ({ cases: listed, failures: {}, printed: {} });
  };
  /** @type {(baseline: ListReport, candidate: ListReport, again?: ListReport) => ReturnType<typeof chooseCases>} */
  const choose = (baseline, candidate, again = candidate) =>
    chooseCases([baseline, candidate, again], ['old', 'new', 'new']);

  test('are those that all variants define and that do not throw with the baseline', () => {
    const { chosen, left } = choose(
      reportOf(
        ['both', 'value', 'x'],
        ['broken', 'throws', 'it throws 1'],
        ['dies', 'value', 'x'],
        ['new', 'throws', 'it throws 2'],
      ),
      reportOf(
        ['both', 'value', 'y'],
        ['broken', 'throws', 'it throws 1'],
        ['dies', 'throws', 'it throws 3'],
        ['new', 'value', 'x'],
        ['added', 'value', 'x'],
      ),
    );
    expect(chosen.map(({ title, unchecked }) => [title, unchecked])).toEqual([
      ['both', undefined],
      // What only the candidate throws is refused by the gate.
      ['dies', undefined],
    ]);
    expect(left).toEqual([
      "'broken' is left out: it throws 1",
      "'new' is left out: it throws 2 with old",
      "'added' is left out: old does not define it",
    ]);
  });

  test('are missing for a reason, which is given once for each file', () => {
    const whole = {
      ...reportOf(),
      failures: { 'bench.js': 'Error: gone', 'other.js': 'Error: no' },
    };
    const baseline = { ...reportOf(['a', 'value', 'x']), failures: { 'other.js': 'Error: old' } };
    expect(choose(baseline, whole).left).toEqual([
      "'a' is left out: new does not define it",
      "'other.js' has no case: Error: old",
      "'bench.js' has no case with new: Error: gone",
    ]);
  });

  test('are not checked without a result that is the same at every call and in every process', () => {
    const one = reportOf(
      ['a', 'nothing'],
      ['b', 'varies'],
      ['c', 'value', 'x'],
      ['d', 'value', 'x'],
      ['e', 'code'],
    );
    const other = reportOf(
      ['a', 'nothing'],
      ['b', 'varies'],
      ['c', 'value', 'y'],
      ['d', 'value', 'x'],
      ['e', 'code'],
    );
    expect(choose(one, one, other).chosen.map(({ unchecked }) => unchecked)).toEqual([
      'it returns nothing',
      'its result differs from call to call',
      'its result differs from process to process',
      undefined,
      'its result holds functions',
    ]);
  });

  test('have different names, whatever the file calls them', () => {
    const names = ['a/b', 'a b', 'A-b', 'é', 'è', '', ' '];
    const report = reportOf(
      ...names.map((name) => /** @type {[string, 'nothing']} */ ([name, 'nothing'])),
    );
    const { chosen } = choose(report, report);
    expect(chosen.map(({ operation }) => operation)).toEqual([
      'a-b',
      'a-b-2',
      'A-b-3',
      'case',
      'case-2',
      'case-3',
      'case-4',
    ]);
    expect(chosen.map(({ title }) => title)).toEqual([
      'a/b',
      'a b (2)',
      'A-b (3)',
      'é',
      'è (2)',
      'case (3)',
      'case (4)',
    ]);
  });
});

describe('TypeScript', () => {
  const typed = makeTree('typed', {
    'package.json': MANIFEST,
    'index.js': INDEX,
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
    'src/codec.ts': `import { prefix } from './plain.js';
export enum Kind { Small, Large }
export const pack = (kind: Kind): string => prefix + Kind[kind];
`,
    'src/plain.js':
      "export const prefix = import.meta.url.endsWith('/src/plain.js') ? 'mine ' : '';\n",
    'bench/values.ts': `export namespace Values { export const list: number[] = [1, 2]; }
export { default as data } from './data.json';
`,
    'bench/data.json': '{ "a": 1 }',
    'bench/typed.ts': `import { Bench, type Task } from 'tinybench';
import { encode } from 'codec';
import { Kind, pack } from '../src/codec';
import { Values, data } from './values.js';
const bench: Bench = new Bench();
bench.add('package', () => encode(Values.list)).add('sources', () => pack(Kind.Large));
bench.add('data', () => [data, __dirname.endsWith('bench'), require('node:path').sep]);
await bench.run();
`,
    'bench/broken.ts': 'const = 1;\n',
  });

  testLong('is bundled with the sources of each variant, and packages are not', async () => {
    const other = makeTree('typed-other', {
      'package.json': MANIFEST,
      'index.js': INDEX,
      'src/codec.ts': 'export enum Kind { Large }\nexport const pack = () => "other";\n',
    });
    const [own, others] = [
      await list(typed, ['bench/typed.ts'], typed),
      await list(other, ['bench/typed.ts'], typed),
    ];
    expect([own.failures, others.failures]).toEqual([{}, {}]);
    const digests = (/** @type {ListReport} */ { cases }) => cases.map(({ detail }) => detail);
    expect(own.cases.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['package', 'value'],
      ['sources', 'value'],
      ['data', 'value'],
    ]);
    const [same, differs, data] = digests(own);
    expect(digests(others)).toEqual([same, expect.not.stringMatching(differs ?? ''), data]);
  });

  testLong('that is none is refused, with its line', async () => {
    await expect(list(typed, ['bench/broken.ts'], typed)).rejects.toThrow(
      "'bench/broken.ts' cannot be bundled: bench/broken.ts:1:6",
    );
  });
});
