import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { resolveReference, resolveVariant } from './resolve.js';
import { parseVariantSpec } from './spec.js';
import { makeFamily } from './test-support/make-family.js';
import {
  loadText,
  makePlainPackage,
  makeRepository,
  openRooms,
  resolveGitSpec,
} from './test-support/make-repository.js';
import { makeTestDirectory, writeFiles } from '../testing/support/directories.js';
import { testLong } from '../testing/support/gates.js';

/** @import { FoundFamily } from './families.js' */

const room = makeTestDirectory('resolve');

const makeRoom = openRooms(join(room, 'rooms'));
const repository = makeRepository(join(room, 'codec'));
const commit = repository.commit(makePlainPackage('one'));
const plain = makeFamily('plain-family', { packages: ['plain'], path: room });

/** @param {string} text @param {FoundFamily} [family] @param {FoundFamily} [other] */
function resolveSpec(text, family = plain, other = plain) {
  return resolveVariant(parseVariantSpec(text), {
    families: [other, family],
    family,
    assayPath: room,
    cachePath: join(family.path, 'cache'),
    workingPath: room,
  });
}

describe('a git revision that needs no build', () => {
  const { repository: own, workingPath } = makeRoom();
  const first = own.commit(makePlainPackage('first'), 'say first');
  const below = Object.entries(makePlainPackage('below'));
  own.commit({
    ...makePlainPackage('second'),
    ...Object.fromEntries(below.map(([name, content]) => [`packages/a/${name}`, content])),
  });

  test('is checked out and described, and leaves the checkout and its repository unchanged', async () => {
    own.write({ 'index.js': 'changed' });
    const read = () =>
      readdirSync(own.path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((file) => [file, readFileSync(file, 'base64')]);
    const before = read();
    const variant = await resolveGitSpec('git:codec@HEAD~1', workingPath);
    expect(read()).toEqual(before);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(own.git('status', '--porcelain')).toBe('M index.js');
    expect(await loadText(variant)).toBe('first');
    expect(variant).toMatchObject({
      version: '1.2.3',
      idea: 'a plain package',
      source: `commit ${first.slice(0, 10)} of codec, say first`,
      revision: { commit: first, changes: null },
    });
    expect(variant.build).toBeUndefined();
  });

  testLong('may be a commit that is on no branch', async () => {
    const { repository: other, workingPath: place } = makeRoom();
    other.commit(makePlainPackage('kept'));
    const lost = other.commit(makePlainPackage('lost'));
    other.git('reset', '--quiet', '--hard', 'HEAD~1');
    expect(await loadText(await resolveGitSpec(`git:codec@${lost}`, place))).toBe('lost');
  });

  testLong('may be in a bare repository, a worktree, or a shallow clone', async () => {
    own.git('clone', '--quiet', '--bare', '.', '../bare.git');
    own.git('worktree', 'add', '--quiet', '--detach', '../aside');
    own.git('clone', '--quiet', '--depth=1', `file://${own.path}`, '../shallow');
    for (const [index, directory] of ['bare.git', 'aside', 'shallow'].entries()) {
      const cachePath = join(workingPath, `cache-${index}`);
      const variant = await resolveGitSpec(`git:${directory}@HEAD`, workingPath, { cachePath });
      expect(await loadText(variant)).toBe('second');
    }
  });

  test('may be a package below the root of the checkout', async () => {
    const variant = await resolveGitSpec('git:codec/packages/a@HEAD', workingPath);
    expect(await loadText(variant)).toBe('below');
  });

  test.each([`blanks 'and' "quotes" $(touch broken) a@b`, '-C'])(
    'may be in a directory named %p',
    async (name) => {
      const place = join(room, 'named', String(name.length));
      cpSync(own.path, join(place, name), { recursive: true });
      expect(await loadText(await resolveGitSpec(`git:${name}@main`, place))).toBe('second');
      expect(readdirSync(place).sort()).toEqual([name, 'cache'].sort());
    },
  );

  test("runs none of the user's hooks", async () => {
    const place = join(room, 'hooks');
    cpSync(own.path, join(place, 'codec'), { recursive: true });
    const hooksPath = join(place, 'codec', '.git', 'hooks');
    mkdirSync(hooksPath);
    const hook = `#!/bin/sh\ntouch '${place}/hooked'\n`;
    writeFileSync(join(hooksPath, 'post-checkout'), hook, { mode: 0o755 });
    await resolveGitSpec('git:codec@HEAD', place);
    expect(readdirSync(place).sort()).toEqual(['cache', 'codec']);
  });

  test.each([
    ['git:nowhere@main', "'nowhere' ("],
    ['git:plain@main', "'plain' is not a readable git checkout"],
    ['git:codec@nothing', "'codec' has no revision 'nothing'"],
    ['git:codec@main~7', "'codec' has no revision 'main~7'"],
  ])('%s does not exist and is refused', async (spec, message) => {
    mkdirSync(join(workingPath, 'plain'), { recursive: true });
    await expect(resolveGitSpec(spec, workingPath)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exitStatus: EXIT.usage,
    });
  });
});

describe('a directory', () => {
  test('has its commit and a digest of its changes', async () => {
    expect((await resolveSpec('path:codec')).revision).toEqual({ commit, changes: null });
    repository.write({ 'new.js': '' });
    const { revision } = await resolveSpec('path:codec');
    rmSync(join(repository.path, 'new.js'));
    expect(revision).toEqual({ commit, changes: expect.stringMatching(/^sha256:/) });
  });

  test('has the code of its commit in another place', async () => {
    const built = await resolveSpec('git:codec@main');
    const directory = await resolveSpec('path:codec');
    expect(built).toMatchObject({ kind: 'git', family: 'plain-family', spec: 'git:codec@main' });
    expect(built.digest).toBe(directory.digest);
    expect(built.modulePath).not.toBe(directory.modulePath);
  });
});

test('a pin becomes an exact version', async () => {
  const { node } = process.versions;
  expect((await resolveSpec(`git:codec@main@node=${node.split('.')[0]}`)).runtime).toBe(
    `node@${node}`,
  );
  expect(await resolveSpec('path:codec')).not.toHaveProperty('runtime');
});

test('a variant of another family is refused', async () => {
  const elsewhere = makeFamily('elsewhere', { path: room, variants: ['other'] });
  await expect(resolveSpec('elsewhere:other', plain, elsewhere)).rejects.toThrow(
    "'elsewhere:other' is not a variant of plain-family",
  );
});

describe('a family with its own program', () => {
  const path = join(room, 'programs');
  const registries = { shelf: ['group:parcel'] };
  const family = makeFamily('programs', { path, registries, variants: ['only'] });
  writeFiles(path, {
    'package.json': { type: 'module' },
    'variants/only.js':
      "export const variant = { idea: 'one', source: 'here', settings: { way: 'straight' } };",
  });
  writeFileSync(
    join(path, 'worker.js'),
    `import { appendFileSync, writeFileSync } from 'node:fs';
    export const worker = {
      toolchain: [],
      sources: [],
      async build({ familyPath }) {
        appendFileSync(familyPath + '/log.txt', 'build ');
      },
      command: ({ packagePath, settings }) => ({
        executable: 'sh',
        args: [packagePath ?? 'none', settings.way ?? 'unset'],
        loop: [],
      }),
      async fetchPackage({ name, version }, { familyPath, outputPath }) {
        appendFileSync(familyPath + '/log.txt', 'fetch ');
        writeFileSync(outputPath + '/parcel.txt', name);
        return { integrity: 'sha512-' + version, idea: 'a parcel', source: name };
      },
    };`,
  );

  test.each([
    ['npm:plain@1.0.0', /is JavaScript, but programs is measured by its own program/],
    ['path:codec', /is JavaScript/],
    ['programs:only@node=20', /pinned to node@20, but programs is measured/],
    ['shelf:group:other@1.0', /is not a package of programs/],
    ['programs:only+way=back', /no axis 'way'/],
  ])('refuses %s before anything is built', async (text, message) => {
    await expect(resolveSpec(text, family)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message),
    });
    expect(() => readFileSync(join(path, 'log.txt'))).toThrow('ENOENT');
  });

  test('starts a variant with its own settings', async () => {
    const { program, toolchain } = await resolveSpec('only', family);
    expect(program).toEqual({ executable: 'sh', args: ['none', 'straight'], loop: [] });
    expect(toolchain).toEqual({});
  });

  test('fetches a package once and starts with it', async () => {
    const first = await resolveSpec('shelf:group:parcel@1.2', family);
    const second = await resolveSpec('shelf:group:parcel@1.2', family);
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      kind: 'package',
      idea: 'a parcel',
      version: '1.2',
      integrity: 'sha512-1.2',
      program: { args: [first.modulePath, 'unset'] },
    });
    expect(readFileSync(join(first.modulePath, 'parcel.txt'), 'utf8')).toBe('group:parcel');
    expect(readFileSync(join(path, 'log.txt'), 'utf8')).toBe('build fetch ');
  });
});

describe('settings', () => {
  const family = makeFamily('soup', {
    path: join(room, 'soup'),
    axes: [
      { name: 'stock', summary: 'what it is boiled in', values: ['beef', 'leek'] },
      { name: 'minutes', summary: 'how long' },
    ],
  });
  writeFiles(family.path, {
    'package.json': { type: 'module' },
    'variants/only.js': "export const variant = { idea: 'plain', source: 'here' };",
    'compose.js': `export const composeVariant = ({ variant }, { stock, minutes }) => ({
      variant: { ...variant, idea: stock + ' for ' + minutes },
    });`,
  });

  test('are passed to the compose function of the family', async () => {
    expect(await resolveSpec('only', family)).toMatchObject({ idea: 'plain', settings: {} });
    expect(await resolveSpec('only+stock=leek+minutes=40', family)).toMatchObject({
      idea: 'leek for 40',
      settings: { stock: 'leek', minutes: '40' },
    });
  });

  test.each([
    ['stok=leek', /no axis 'stok'.*did you mean 'stock'/],
    ['stock=leak', /no stock 'leak'.*did you mean 'leek'/],
    ['minutes=forty', /no minutes 'forty'/],
    ['minutes=0', /no minutes '0'/],
  ])('%s is refused', async (setting, message) => {
    await expect(resolveSpec(`only+${setting}`, family)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message),
    });
  });
});

test('further modules of a package are those that its version has', async () => {
  const path = join(room, 'parted');
  const exports = { '.': './index.js', './wkt': './wkt.js', './gone': './gone.js' };
  const manifest = { name: 'parted', version: '1.0.0', type: 'module', exports };
  writeFiles(path, { 'package.json': manifest, 'index.js': '', 'wkt.js': '' });
  const family = makeFamily('parted', { path: room, modules: ['wkt', 'gone', 'later'] });
  const { modules } = await resolveSpec('path:parted', family);
  expect(modules).toEqual({ wkt: join(path, 'wkt.js') });
});

test('the reference is what was asked for, else that of the family, else the baseline', async () => {
  const places = { assayPath: room, cachePath: join(room, 'cache'), workingPath: room };
  for (const name of ['asked', 'own', 'base']) writeFileSync(join(room, `${name}.js`), '');
  const own = makeFamily('own', { path: room, reference: `path:${join(room, 'own.js')}` });
  const none = { ...own };
  delete none.reference;
  /** @type {(family: FoundFamily, reference?: string) => Promise<string>} */
  const find = async (family, reference) => {
    const asked = { reference, baseline: 'path:base.js' };
    const found = await resolveReference(asked, { ...places, family, families: [family] });
    return found.modulePath;
  };
  expect(await find(own, 'path:asked.js')).toBe(join(room, 'asked.js'));
  expect(await find(own)).toBe(join(room, 'own.js'));
  expect(await find(none)).toBe(join(room, 'base.js'));
});
