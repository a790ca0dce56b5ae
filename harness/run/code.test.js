import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { PROJECT } from '../lib/project.js';
import { noteCode } from '../stats/code-notes.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { identifyCode, openCodeWatch, rereadCode } from './code.js';
import { listDifferences } from './identity.js';
import { openJobRunner } from './jobs.js';

/** @import { Job, ResolvedVariant } from '../formats/types.ts' */

const directory = makeTestDirectory('code');
const family = { name: 'js-bson', path: join(PROJECT.assayPath, 'experiments/js-bson') };
const EARLIER = new Date(Date.now() - 60_000);
let count = 0;

/** @type {(files: Record<string, string>) => string} the directory of a package with these files, written a minute ago */
function makePackage(files) {
  const path = join(directory, `package-${count++}`);
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
    utimesSync(join(path, name), EARLIER, EARLIER);
  }
  return path;
}

/** @type {(path: string, spec?: string) => ResolvedVariant} */
function makeVariant(path, spec = `path:${path}`) {
  const modulePath = join(path, 'index.js');
  const described = { family: 'js-bson', idea: '', source: '', settings: {} };
  return { spec, kind: 'path', digest: `sha256:${'0'.repeat(64)}`, modulePath, ...described };
}

/** @type {(variant: ResolvedVariant) => Job} */
function makeJob(variant) {
  const { spec, modulePath, settings } = variant;
  return {
    formatVersion: FORMAT_VERSION,
    id: 'load',
    kind: 'load',
    family: family.name,
    familyPath: family.path,
    variant: { spec, modulePath, settings },
  };
}

/** @type {(loaded: string[]) => import('./jobs.js').RunJob} runs jobs that have loaded these files */
function answer(loaded) {
  return async (job) => ({
    workerMs: 1,
    report: /** @type {any} */ ({ kind: 'load', jobId: job.id, loaded }),
  });
}

const REEXPORT = "export * from './real.js';\n";

test('a worker reports modules, CommonJS and JSON that it loaded, and what they import', async () => {
  const path = makePackage({
    'index.js': `import { createRequire } from 'node:module';\n${REEXPORT}createRequire(import.meta.url)('./old.cjs');\n`,
    'real.js': "import json from './data.json' with { type: 'json' };\nexport { json };\n",
    'old.cjs': "module.exports = require('dependency');\n",
    'data.json': '{}',
    'node_modules/dependency/package.json': '{"name":"dependency"}',
    'node_modules/dependency/index.js': '',
  });
  const { signal } = new AbortController();
  const watch = openCodeWatch();
  const runJob = watch.watch(openJobRunner([], { environment: process.env, signal }));
  await runJob(makeJob(makeVariant(path)));
  const names = watch.files.map(({ name }) => name).filter((name) => !name.startsWith('harness/'));
  expect(names.sort()).toEqual([
    'data.json',
    'index.js',
    'node_modules/dependency/index.js',
    'node_modules/dependency/package.json',
    'old.cjs',
    'package.json',
    'real.js',
  ]);
});

test.each([
  ['is written', (/** @type {string} */ file) => writeFileSync(file, 'export const x = 2;')],
  ['is removed', (/** @type {string} */ file) => rmSync(file)],
  [
    'is replaced by one of the same size and times',
    (/** @type {string} */ file) => {
      writeFileSync(`${file}.new`, "export * from './rael.js';\n");
      utimesSync(`${file}.new`, EARLIER, EARLIER);
      renameSync(`${file}.new`, file);
    },
  ],
])('a run ends once a file that a job loaded %s', async (_how, change) => {
  const path = makePackage({ 'index.js': REEXPORT, 'real.js': REEXPORT });
  const file = join(path, 'real.js');
  const watch = openCodeWatch();
  const runJob = watch.watch(answer([join(path, 'index.js'), file]));
  const job = makeJob(makeVariant(path));
  await runJob(job);
  await runJob(job);
  change(file);
  const message = { message: expect.stringContaining(`'${file}' changed while it was measured`) };
  await expect(runJob(job)).rejects.toMatchObject({ ...message, exitStatus: 4 });
  expect(() => watch.requireUnchanged()).toThrow(/real\.js/);
  const { files } = watch;
  const changed = listDifferences({ loaded: files }, { loaded: rereadCode(files) });
  expect(changed).toMatchObject([{ aspect: 'code', label: `code of 'path:${path}' (real.js)` }]);
});

test('a file that is written again with the same content has not changed', async () => {
  const path = makePackage({ 'index.js': REEXPORT });
  const file = join(path, 'index.js');
  const watch = openCodeWatch();
  const runJob = watch.watch(answer([file]));
  await runJob(makeJob(makeVariant(path)));
  writeFileSync(file, REEXPORT);
  await runJob(makeJob(makeVariant(path)));
  expect(() => watch.requireUnchanged()).not.toThrow();
});

test('a file that was written after its job began may not be what was loaded', async () => {
  const path = makePackage({ 'index.js': REEXPORT });
  const file = join(path, 'index.js');
  const runJob = openCodeWatch().watch((job) => {
    const startMs = Date.now();
    while (Date.now() < startMs + 3);
    const written = new Date(startMs + 1);
    utimesSync(file, written, written);
    return answer([file])(job);
  });
  await expect(runJob(makeJob(makeVariant(path)))).rejects.toThrow(/changed while/);
});

test('files from the future, where the clock was set back, have not changed', async () => {
  const path = makePackage({ 'index.js': REEXPORT });
  const file = join(path, 'index.js');
  const later = new Date(Date.now() + 1e9);
  utimesSync(file, later, later);
  const watch = openCodeWatch();
  await watch.watch(answer([file]))(makeJob(makeVariant(path)));
  expect(() => watch.requireUnchanged()).not.toThrow();
});

test('earlier sessions are watched too, copies that the harness makes are not', async () => {
  const path = makePackage({ 'index.js': REEXPORT });
  const first = openCodeWatch();
  await first.watch(answer([join(path, 'index.js')]))(makeJob(makeVariant(path)));
  writeFileSync(join(path, 'index.js'), 'export const x = 1;\n');
  expect(() => openCodeWatch(first.files).requireUnchanged()).toThrow(/index\.js/);
  const copies = openCodeWatch();
  await copies.watch(answer([join(path, 'index.js')]), directory)(makeJob(makeVariant(path)));
  expect(copies.files).toEqual([]);
});

/** @type {(...paths: string[]) => Promise<ResolvedVariant[]>} identified by scripted jobs that load all their modules */
async function identify(...paths) {
  const [baseline, ...candidates] = paths.map((path) => makeVariant(path));
  const identified = await identifyCode(
    { baseline, candidates },
    {
      family,
      cells: [],
      code: openCodeWatch(),
      runJob: (job) => {
        const home = join(job.variant.modulePath, '..');
        return answer(['index.js', 'real.js'].map((name) => join(home, name)))(job);
      },
    },
  );
  return [identified.baseline, ...identified.candidates];
}

test('the digest of a variant covers every file, and not where they are', async () => {
  const files = { 'index.js': REEXPORT, 'real.js': 'export const x = 1;\n' };
  const [one, same, other] = await identify(
    makePackage(files),
    makePackage(files),
    makePackage({ ...files, 'real.js': 'export const x = 2;\n' }),
  );
  expect(same.digest).toBe(one.digest);
  expect(other.digest).not.toBe(one.digest);
  expect(noteCode({ baseline: one, candidates: [same] })).toEqual([
    {
      kind: 'same-code',
      text: `${same.spec} loads the same files as ${one.spec}, with the same content: the code is compared with itself.`,
    },
  ]);
  expect(noteCode({ baseline: one, candidates: [one, other] })).toEqual([]);
});

test('what was loaded to identify a variant is watched from then on', async () => {
  const path = makePackage({ 'index.js': REEXPORT });
  const file = join(path, 'index.js');
  const code = openCodeWatch();
  const variants = { baseline: makeVariant(path), candidates: [] };
  const { baseline } = await identifyCode(variants, {
    ...{ family, cells: [], code },
    runJob: answer([file]),
  });
  writeFileSync(file, 'export const x = 1;\n');
  await expect(code.watch(answer([file]))(makeJob(baseline))).rejects.toThrow(/changed while/);
});

test('variants of one family have digests of their own, the same each time', async () => {
  const { signal } = new AbortController();
  const runJob = openJobRunner([], { environment: process.env, signal });
  const [one, same, other] = ['generator', 'generator', 'recursive'].map((spec) => ({
    ...makeVariant(join(family.path, 'variants'), spec),
    modulePath: join(family.path, 'variants', `${spec}.js`),
  }));
  const { baseline, candidates } = await identifyCode(
    { baseline: one, candidates: [other] },
    { family, cells: [], runJob, code: openCodeWatch() },
  );
  const again = await identifyCode(
    { baseline: same, candidates: [] },
    { family, cells: [], runJob, code: openCodeWatch() },
  );
  expect(again.baseline.digest).toBe(baseline.digest);
  expect(candidates[0].digest).not.toBe(baseline.digest);
});

test('a source that is newer than what is loaded is noted, with what builds it', async () => {
  const files = { 'index.js': REEXPORT, 'real.js': 'export const x = 1;\n', 'src/index.ts': '' };
  const manifest = { type: 'module', scripts: { build: 'tsc' } };
  const path = makePackage({ ...files, 'package.json': JSON.stringify(manifest) });
  const [fresh] = await identify(path);
  expect(fresh.staleBuild).toBeUndefined();
  utimesSync(join(path, 'src/index.ts'), new Date(), new Date());
  const [stale] = await identify(path);
  expect(stale.staleBuild).toEqual({ source: 'src/index.ts', command: 'npm run build' });
  expect(noteCode({ baseline: fresh, candidates: [stale] }).map(({ text }) => text)).toContain(
    `'src/index.ts' of ${stale.spec} is newer than the files that it loads (run npm run build): what is measured may be older than the sources.`,
  );
});

test('links are followed', async () => {
  const path = makePackage({ 'index.js': REEXPORT });
  const link = join(directory, 'link');
  symlinkSync(path, link);
  const watch = openCodeWatch();
  await watch.watch(answer([join(path, 'index.js')]))(makeJob(makeVariant(link)));
  expect(watch.files.map(({ name }) => name)).toContain('index.js');
});
