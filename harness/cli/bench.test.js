import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { openJobRunner } from '../run/jobs.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { callAssay } from '../testing/support/project.js';
import { scriptJobs } from '../testing/support/scripted-jobs.js';
import { makeRepository } from '../variants/test-support/make-repository.js';

/** @import { RunJob } from '../run/jobs.js' */

const workingPath = makeTestDirectory('compare-bench');
/** @param {string[]} args */
const compare = (...args) =>
  callAssay(['compare', ...args, '--explain', 'none', '--out', 'runs'], { workingPath });

/** Entries of the cache that these tests make. */
const FOLDERS = ['benches', 'bench-files'];
const listCache = () =>
  FOLDERS.flatMap((folder) => {
    try {
      return readdirSync(join(PROJECT.cachePath, folder)).map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
const before = new Set(listCache());
afterAll(() => {
  for (const entry of listCache().filter((one) => !before.has(one))) {
    rmSync(join(PROJECT.cachePath, entry), { recursive: true, force: true });
  }
});

const repository = makeRepository(join(workingPath, 'codec'));
const encode = (/** @type {string} */ body) => `export const encode = (value) => ${body};\n`;
repository.commit({
  'package.json': JSON.stringify({ name: 'codec', type: 'module', exports: './src/index.js' }),
  'src/index.js': encode('({ list: [1, { text: JSON.stringify(value) }] })'),
});
repository.run('git checkout --quiet -b wrong');
repository.commit({
  'src/index.js': encode('({ list: [1, { text: JSON.stringify([value]) }] })'),
  'bench/encode.js': `import { Bench } from 'tinybench';
import { encode } from '../src/index.js';
const bench = new Bench();
bench.add('small', () => encode(1)).add('broken', () => encode(2n));
await bench.run();
`,
  'bench/plain.js': `import { encode } from '../src/index.js';
export const small = () => encode(1);
`,
});
repository.run('git checkout --quiet -b right');
repository.commit({ 'src/index.js': encode('({ list: [1, { text: String(value) }] })') });

test('a function of a file without a benchmark package is a case', async () => {
  const variants = ['git:codec@main', 'git:codec@wrong'];
  const { status, stdout } = await compare(...variants, '--bench', 'bench/plain.js');
  expect(status).toBe(EXIT.wrongBytes);
  expect(stdout).toMatch(/list\[1\]\.text/);
});

test('a file elsewhere in the checkout of a member is named from the top', async () => {
  const members = makeRepository(join(workingPath, 'members'));
  const pair = "import { one } from '../packages/one/index.js';\nexport const call = () => one;\n";
  members.commit({
    'packages/one/package.json': '{ "name": "one", "type": "module", "exports": "./index.js" }',
    'packages/one/index.js': 'export const one = 1;\n',
    'tools/package.json': '{ "type": "module" }',
    'tools/one.js': pair,
  });
  members.run('git checkout --quiet -b two');
  members.commit({ 'packages/one/index.js': 'export const one = 2;\n' });
  const specs = ['main', 'two'].map((branch) => `git:members/packages/one@${branch}`);
  const { status, stdout } = await compare(...specs, '--bench', 'tools/one.js');
  expect(status).toBe(EXIT.wrongBytes);
  expect(stdout).toContain('call');
});

test('a revision with another result is refused, with the place of the difference', async () => {
  const { status, stdout, stderr } = await compare(
    'git:codec@main',
    'git:codec@wrong',
    '--bench',
    'bench/encode.js',
  );
  expect(status).toBe(EXIT.wrongBytes);
  expect(stdout).toMatch(/list\[1\]\.text/);
  expect(stdout).toContain('"[1]"');
  expect(stderr).toContain('git:codec@main has no bench/encode.js');
  expect(stderr).toContain("'broken' is left out: it throws TypeError");
});

test('without a file it says which there are', async () => {
  const { status, stdout } = await callAssay(['compare', '--pr', 'codec', '--bench'], {
    workingPath,
  });
  expect(status).toBe(EXIT.done);
  expect(stdout).toMatch(/^bench\/encode.js +tinybench\n/);
  expect(stdout).toContain('compare --pr codec --bench bench/encode.js');
});

test('a package without such files says what else there is', async () => {
  makeRepository(join(workingPath, 'plain')).commit({ 'package.json': '{ "name": "plain" }' });
  const { status, stderr } = await callAssay(['compare', '--pr', 'plain', '--bench'], {
    workingPath,
  });
  expect(status).toBe(EXIT.usage);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('needs none: just compare --pr plain');
});

test('a file that wants arguments is refused with what it printed', async () => {
  repository.write({ 'args/usage.cjs': "console.log('usage: FILE');\nprocess.exit(1);\n" });
  const variants = ['git:codec@main', 'git:codec@right'];
  const { status, stderr } = await compare(...variants, '--bench', 'codec/args/usage.cjs');
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain('process.exit(1)');
  expect(stderr).toMatch(/^ *usage: FILE$/m);
  expect(stderr).toContain('--bench-args');
});

test('a file that is not committed is measured as it is on disk', async () => {
  const functions = "import { encode } from 'codec';\nexport const pair = () => encode([1, 2]);\n";
  repository.write({ 'new/functions.js': functions });
  const { status, stdout, stderr } = await compare(
    ...['git:codec@main', 'git:codec@wrong', '--bench', 'codec/new/functions.js'],
  );
  expect(status).toBe(EXIT.wrongBytes);
  expect(stdout).toContain('pair');
  expect(stderr).toContain(
    'git:codec@wrong has no new/functions.js: what is measured with it is that of the current directory',
  );
});

test('a plan needs a file', async () => {
  const { status, stderr } = await callAssay(
    ['plan', '--pr', 'codec', '--base', 'main', '--bench'],
    {
      workingPath,
    },
  );
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain('--bench names no file');
});

test('documents of benchmark files have no sizes to sweep', async () => {
  const { status, stderr } = await compare(
    'git:codec@main',
    '--bench',
    'bench/plain.js',
    '--sweep',
  );
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain("cannot be used with option '--sweep'");
});

test('arguments of no file are refused', async () => {
  const { status, stderr } = await compare(
    'git:codec@main',
    'git:codec@right',
    '--bench-args',
    'a',
  );
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain('add --bench FILE');
});

test.each([
  [
    'a file that is not there',
    ['git:codec@main', 'git:codec@right'],
    'bench/other.js',
    'has no file',
  ],
  [
    'a built-in variant',
    ['generator', 'git:codec@right'],
    'bench/encode.js',
    'which --bench needs',
  ],
  [
    'a file without a case',
    ['git:codec@main', 'git:codec@right'],
    'package.json',
    'can be measured',
  ],
])('%s is refused', async (_, variants, file, message) => {
  const { status, stderr } = await compare(...variants, '--bench', file);
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(message);
});

/**
 * Runs jobs that list cases and check outputs, and answers others here. There is one case, whose output is that of the check.
 * @returns {RunJob}
 */
function scriptTimes() {
  const run = openJobRunner([], { environment: process.env, signal: new AbortController().signal });
  const script = scriptJobs();
  /** @type {string | null} */
  let outputDigest = null;
  return async (job, how) => {
    const isReal = ['list', 'load', 'output'].includes(job.kind);
    const outcome = await (isReal ? run : script)(job, how);
    if (!('report' in outcome)) return outcome;
    const { report } = outcome;
    if (report.kind === 'output') ({ outputDigest } = report);
    if (report.kind !== 'measure' || outputDigest === null) return outcome;
    return { ...outcome, report: { ...report, outputDigest } };
  };
}

test('cases are measured under their names, and a run is resumed', async () => {
  const io = { workingPath, runJob: scriptTimes() };
  const { status, stdout } = await callAssay(
    [
      ...['compare', 'git:codec@main', 'git:codec@right', '--bench', 'bench/encode.js'],
      ...['--explain', 'none', '--out', 'right', '--budget', '0.1'],
    ],
    io,
  );
  expect(status).toBe(EXIT.done);
  expect(stdout).toContain("'broken' is left out");
  const [name] = readdirSync(join(workingPath, 'right'));
  const resumed = await callAssay(
    ['compare', '--resume', join('right', name), '--budget', '60'],
    io,
  );
  expect(resumed.status).toBe(EXIT.done);
  expect(resumed.stderr).toMatch(/^small · /m);
  expect(resumed.stdout).toContain('time per call');
  expect(resumed.stdout).toMatch(/^small +\d/m);
  const report = readFileSync(join(workingPath, 'right', name, 'report.md'), 'utf8');
  expect(report).toMatch(/^\| case \|/m);
  expect(report).toContain('bench/encode.js');
  expect(report).not.toMatch(/\bempty\b|corpus/);
});
