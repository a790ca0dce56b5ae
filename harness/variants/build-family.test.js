import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingToolError, buildFamily, loadFamilyWorker } from './build-family.js';

/** @import { FamilyWorker } from '../formats/types.ts' */

const NODE = { name: 'node', leastVersion: '20', versionArgs: ['--version'], install: 'node 20' };

let path = '';
let cachePath = '';
let builds = 0;

/** @type {FamilyWorker} */
const worker = {
  toolchain: [NODE],
  sources: ['program'],
  async build({ familyPath, outputPath, run }) {
    builds++;
    const source = readFileSync(join(familyPath, 'program', 'main.txt'), 'utf8');
    const version = await run('node', ['--print', 'process.version']);
    writeFileSync(join(outputPath, 'built.txt'), `${source} by ${version}`);
  },
};

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-family-'));
  cachePath = join(path, 'cache');
  builds = 0;
  mkdirSync(join(path, 'program'));
  writeFileSync(join(path, 'program', 'main.txt'), 'one');
  writeFileSync(join(path, 'worker.js'), '// The build is in this file.');
});

afterEach(() => rmSync(path, { recursive: true }));

/** @param {Partial<FamilyWorker>} [changes] */
function build(changes) {
  return buildFamily({ name: 'made-up', path }, { ...worker, ...changes }, { cachePath });
}

test('the same sources are built once', async () => {
  const first = await build();
  const second = await build();
  expect(second).toEqual(first);
  expect(builds).toBe(1);
  expect(first.toolchain).toEqual({ node: process.versions.node });
  expect(readFileSync(join(first.buildPath, 'built.txt'), 'utf8')).toBe(
    `one by ${process.version}\n`,
  );
});

test('changed sources are built anew, beside the former', async () => {
  const first = await build();
  writeFileSync(join(path, 'program', 'main.txt'), 'two');
  const second = await build();
  expect(second.buildPath).not.toBe(first.buildPath);
  expect(readFileSync(join(second.buildPath, 'built.txt'), 'utf8')).toMatch(/^two/);
});

test('so is what is built in another way, but nothing for a line that is not built', async () => {
  const first = await build();
  writeFileSync(join(path, 'family.js'), 'export const family = {};');
  expect((await build()).buildPath).toBe(first.buildPath);
  writeFileSync(join(path, 'worker.js'), '// The build is another.');
  expect((await build()).buildPath).not.toBe(first.buildPath);
});

test('a program that takes too long is ended, and that is said', async () => {
  const failing = build({
    async build({ run }) {
      await run('node', ['--eval', 'setTimeout(() => {}, 60_000)'], { timeoutMs: 100 });
    },
  });
  await expect(failing).rejects.toThrow('node timed out after 0.1 s');
});

test('a build that fails leaves nothing behind and tells the last that was said', async () => {
  const failing = build({
    async build({ run }) {
      await run('node', ['--eval', 'console.error("error: no such header"); process.exit(3)']);
    },
  });
  await expect(failing).rejects.toThrow(/node ended with exit status 3\n {2}error: no such header/);
  expect(readdirSync(join(cachePath, 'made-up'))).toEqual([]);
});

test('what is missing or too old is told, all of it at once', async () => {
  const toolchain = [
    { ...NODE, leastVersion: '999' },
    { name: 'no-such-compiler', leastVersion: '1.2', versionArgs: ['-v'], install: 'get one' },
  ];
  const failing = build({ toolchain });
  await expect(failing).rejects.toThrow(MissingToolError);
  await expect(failing).rejects.toMatchObject({
    message: `made-up cannot run here: needs node ≥ 999 (found ${process.versions.node}) and no-such-compiler ≥ 1.2 (not found)`,
    remedy: 'node 20; get one',
  });
  expect(builds).toBe(0);
});

test('a family without a worker of its own builds nothing', async () => {
  rmSync(join(path, 'worker.js'));
  expect(await loadFamilyWorker({ path })).toBeNull();
});
