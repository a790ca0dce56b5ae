import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFakeNpm } from '../testing/support/fake-npm.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { listProcesses } from '../testing/support/project.js';
import { pinPackage } from './pin.js';
import { isPinned, parseVariantSpec } from './spec.js';
import { NpmError, findNpmPackage, isPassingFailure, runNpm } from './npm.js';

const directory = makeTestDirectory('npm');
/** @type {ReturnType<typeof makeFakeNpm>} */
let npm;
afterEach(() => npm.remove());

/** @param {Parameters<typeof makeFakeNpm>[0]} registry */
function openRegistry(registry) {
  npm = makeFakeNpm(registry);
  npm.putFirst();
}

test.each([
  [
    'a hanging npm is killed after the time limit',
    { isSilent: true },
    100,
    'no answer within 0.1 s',
  ],
  ['code and message of a failure are kept', { isDown: true }, 60_000, 'connect ECONNREFUSED'],
])('%s', async (_, registry, timeoutMs, message) => {
  openRegistry(registry);
  const failing = runNpm(['view', 'codec'], { timeoutMs });
  await expect(failing).rejects.toThrow(NpmError);
  await expect(failing).rejects.toMatchObject({
    message,
    code: 'isDown' in registry ? 'ECONNREFUSED' : undefined,
  });
});

test('an interrupted npm has ended when the call fails', async () => {
  openRegistry({ isSilent: true });
  const interrupts = new AbortController();
  const failing = runNpm(['view', 'codec'], { timeoutMs: 60_000, signal: interrupts.signal });
  failing.catch(() => {});
  while (npm.listCalls().length === 0) await delay(5);
  interrupts.abort();
  await expect(failing).rejects.toThrow(NpmError);
  expect(listProcesses(npm.programPath)).toEqual([]);
});

test.each([
  ['an unreachable registry', { isDown: true }, true],
  ['a version that does not exist', { versions: ['1.0.0'] }, false],
])('%s is a failure that may pass, or not', async (_, registry, mayPass) => {
  openRegistry(registry);
  const places = { assayPath: '/', cachePath: npm.cachePath };
  const error = await findNpmPackage('codec', '2.0.0', places).catch((thrown) => thrown);
  expect(isPassingFailure(error)).toBe(mayPass);
});

test('the settings of the project hold, without being kept in the cache', async () => {
  openRegistry({ versions: ['1.0.0'] });
  const projectPath = mkdtempSync(join(directory, 'project-'));
  writeFileSync(join(projectPath, '.npmrc'), '@scope:registry=https://registry.invalid');
  const places = { assayPath: '/', cachePath: npm.cachePath, projectPath };
  const { path } = await findNpmPackage('@scope/codec', '1.0.0', places);
  expect(npm.listCalls()).toEqual(['install with @scope:registry=https://registry.invalid']);
  expect(readdirSync(join(path, '../../..'))).not.toContain('.npmrc');
});

test('an archive is installed once for its contents, with the version that it has', async () => {
  openRegistry({ versions: ['1.0.0'] });
  const workingPath = mkdtempSync(join(directory, 'archive-'));
  const places = { assayPath: '/', cachePath: npm.cachePath, workingPath };
  const find = () => findNpmPackage('codec', './codec.tgz', places, { isArchive: true });
  await expect(find()).rejects.toThrow(`'${join(workingPath, 'codec.tgz')}' does not exist`);
  writeFileSync(join(workingPath, 'codec.tgz'), 'one');
  const first = await find();
  expect(first).toMatchObject({ version: '1.0.0', integrity: 'sha512-of-1.0.0' });
  expect(await find()).toEqual(first);
  writeFileSync(join(workingPath, 'codec.tgz'), 'two');
  expect((await find()).path).not.toBe(first.path);
  expect(npm.listCalls()).toEqual(['install', 'install']);
});

test.each([
  ['npm:codec', 'npm:codec@1.1.0', ['pack']],
  ['npm:codec@^1+long=5.0.0', 'npm:codec@1.1.0+long=5.0.0', ['pack']],
  ['npm:./codec.tgz', 'npm:codec@./codec.tgz', ['pack']],
  ['npm:codec@1.0.0', 'npm:codec@1.0.0', []],
])('%s stands for %s', async (typed, pinned, calls) => {
  openRegistry({ versions: ['1.0.0', '1.1.0'] });
  writeFileSync(join(directory, 'codec.tgz'), '');
  const spec = /** @type {import('./spec.js').NpmSpec} */ (parseVariantSpec(typed));
  const { text } = await pinPackage(spec, { workingPath: directory });
  expect(text).toBe(pinned);
  expect(isPinned(/** @type {any} */ (parseVariantSpec(text)))).toBe(true);
  expect(npm.listCalls()).toEqual(calls);
});

describe('a package with dependencies', () => {
  const DAY = '2026-01-31';
  const dependency = (/** @type {string} */ path, /** @type {string} */ version) => ({
    path,
    version,
    integrity: `sha512-of-${version}`,
  });
  const OLD = [dependency('@scope/text', '1.1.0'), dependency('long', '5.0.0')];
  const NEW = [dependency('@scope/text', '1.1.1'), dependency('long', '5.0.0')];
  /** @type {string[]} */
  let notes;

  beforeEach(() => {
    notes = [];
    openRegistry({
      versions: ['1.0.0'],
      dependencies: { long: '5.0.0', '@scope/text': '1.1.1' },
      dated: { [`${DAY}T23:59:59.999Z`]: { long: '5.0.0', '@scope/text': '1.1.0' } },
    });
  });

  /** @param {import('./npm.js').Resolution} [resolution] */
  const find = (resolution) => {
    const onNote = (/** @type {string} */ note) => void notes.push(note);
    const places = { assayPath: '/', cachePath: npm.cachePath, onNote };
    return findNpmPackage('codec', '1.0.0', places, resolution);
  };
  const homes = () => readdirSync(join(npm.cachePath, 'npm')).sort();

  test('has them in its record, and keeps them when newer ones are published', async () => {
    expect((await find()).dependencies).toEqual(NEW);
    npm.change({ dependencies: { long: '6.0.0' } });
    expect((await find()).dependencies).toEqual(NEW);
    expect(npm.listCalls()).toEqual(['install']);
  });

  test.each([
    ['as its lock file says', 'node_modules/long/package.json', 'ci', NEW],
    ['anew if that changed, too', 'package-lock.json', 'install', []],
  ])('is installed again after a change in the cache: %s', async (_, file, verb, dependencies) => {
    await find();
    const changed = join(npm.cachePath, 'npm', 'codec@1.0.0', file);
    const content = readFileSync(changed, 'utf8');
    writeFileSync(changed, `${content} `);
    npm.change({ dependencies: {} });
    expect((await find()).dependencies).toEqual(dependencies);
    expect(npm.listCalls()).toEqual(['install', verb]);
    expect(notes[1]).toBe(
      `'${file}' of 'npm/codec@1.0.0' in the cache changed since it was made; it is made again`,
    );
    await find();
    expect(npm.listCalls()).toHaveLength(2);
  });

  test('has the versions that are set, or those of a day, each in its own directory', async () => {
    const set = await find({ overrides: { '@scope/text': '1.1.0' } });
    const dated = await find({ asOf: DAY });
    expect([set.dependencies, dated.dependencies]).toEqual([OLD, OLD]);
    await find();
    expect(homes()).toEqual(['codec@1.0.0', 'codec@1.0.0+@scope+text=1.1.0', `codec@1.0.0~${DAY}`]);
  });

  test('has no version set of what it does not need', async () => {
    await expect(find({ overrides: { lnog: '1.0.0' } })).rejects.toMatchObject({
      message: "codec@1.0.0 does not depend on 'lnog'; did you mean 'long'?",
      remedy: 'its dependencies: @scope/text, long',
    });
    expect(homes()).toEqual([]);
  });

  test('gets the recorded ones beside those of the cache', async () => {
    await find();
    const recorded = { integrity: 'sha512-of-1.0.0', dependencies: OLD };
    const { path, dependencies } = await find({ recorded });
    expect(dependencies).toEqual(OLD);
    expect(npm.listCalls()).toEqual(['install', 'ci', 'ls']);
    expect(await find({ recorded })).toMatchObject({ path, dependencies: OLD });
    const usual = await find({ recorded: { ...recorded, dependencies: NEW } });
    expect(usual.path).toBe(join(npm.cachePath, 'npm', 'codec@1.0.0', 'node_modules', 'codec'));
    expect(npm.listCalls()).toHaveLength(3);
  });

  test('does not get recorded ones that it does not need', async () => {
    npm.change({ problems: ['extraneous: evil@1.0.0'] });
    const dependencies = [...OLD, dependency('evil', '1.0.0')];
    const recorded = { integrity: 'sha512-of-1.0.0', dependencies };
    await expect(find({ recorded })).rejects.toThrow(
      'npm would not install codec@1.0.0 as it was recorded: extraneous: evil@1.0.0',
    );
  });
});
