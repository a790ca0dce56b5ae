import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { setUpFamily } from './build-family.js';

const directory = mkdtempSync(join(tmpdir(), 'assay-set-up-'));
const cachePath = join(directory, 'cache');
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * @param {string} name
 * @param {{ leastVersion?: string, build?: string }} [worker] body of its build; none for a family
 *   without a worker
 */
function makeFamily(name, worker) {
  const path = join(directory, name);
  mkdirSync(path);
  if (worker === undefined) return { name, path };
  const { leastVersion = '20', build = '' } = worker;
  const tool = { name: 'node', leastVersion, versionArgs: ['--version'], install: 'brew node' };
  const code = `export const worker = {
    toolchain: [${JSON.stringify(tool)}],
    sources: [],
    async build({ outputPath, run }) { ${build} },
  };`;
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(path, 'worker.js'), code);
  return { name, path };
}

test('what builds nothing is ready', async () => {
  const setUp = await setUpFamily(makeFamily('plain'), { cachePath });
  expect(setUp).toEqual({ name: 'plain', outcome: 'ready', toolchain: {}, buildMs: null });
});

test('what is built is ready, and tells the second time that it was', async () => {
  const family = makeFamily('built', { build: "await run('node', ['--version']);" });
  /** @type {string[]} */
  const notes = [];
  const places = { cachePath, onNote: (/** @type {string} */ text) => notes.push(text) };
  const first = await setUpFamily(family, places);
  expect(first).toEqual({
    name: 'built',
    outcome: 'ready',
    toolchain: { node: process.versions.node },
    buildMs: expect.any(Number),
  });
  expect(await setUpFamily(family, places)).toEqual({ ...first, buildMs: null });
  expect(notes).toHaveLength(1);
});

test('a program that is too old is told, and nothing is built', async () => {
  const setUp = await setUpFamily(makeFamily('ahead', { leastVersion: '999' }), { cachePath });
  expect(setUp).toMatchObject({
    outcome: 'missing',
    missing: [{ tool: { name: 'node' }, found: process.versions.node }],
  });
  expect(readdirSync(cachePath)).not.toContain('ahead');
});

test('a build that fails is told, and leaves nothing that would count as built', async () => {
  const build = "await run('node', ['-e', 'throw new Error(`no linker`)']);";
  const family = makeFamily('broken', { build });
  const setUp = await setUpFamily(family, { cachePath });
  expect(setUp).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('no linker'),
  });
  expect(readdirSync(join(cachePath, 'broken'))).toEqual([]);
  expect(await setUpFamily(family, { cachePath })).toMatchObject({ outcome: 'failed' });
});

test('a defect of the worker is not taken for a failed build', async () => {
  const family = makeFamily('defect', { build: 'undefined.length' });
  await expect(setUpFamily(family, { cachePath })).rejects.toThrow(TypeError);
});

test('an interrupted build is no answer', async () => {
  const family = makeFamily('interrupted', { build: "await run('node', ['--version']);" });
  const signal = AbortSignal.abort();
  await expect(setUpFamily(family, { cachePath, signal })).rejects.toThrow();
});
