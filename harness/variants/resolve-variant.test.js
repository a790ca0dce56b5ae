import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseVariantSpec } from './spec.js';
import { resolveVariant } from './resolve.js';
import { makeFamily } from './test-support/make-family.js';
import { makePlainPackage, makeRepository } from './test-support/make-repository.js';

const room = mkdtempSync(join(tmpdir(), 'assay-variant-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

const repository = makeRepository(join(room, 'codec'));
const commit = repository.commit(makePlainPackage('one'));

const plain = makeFamily('plain-family', { packages: ['plain'], path: room });

/** @param {string} text */
function resolveSpec(text) {
  return resolveVariant(parseVariantSpec(text), {
    families: [plain],
    family: plain,
    projectPath: room,
    cachePath: join(room, 'cache'),
    workingPath: room,
  });
}

describe('a directory as a variant', () => {
  test('tells its commit and whether it is changed', async () => {
    expect((await resolveSpec('path:codec')).revision).toEqual({ commit, changes: null });
    repository.write({ 'new.js': '' });
    const { revision } = await resolveSpec('path:codec');
    rmSync(join(repository.path, 'new.js'));
    expect(revision).toEqual({ commit, changes: expect.stringMatching(/^sha256:/) });
  });

  test('and the commit itself load the same code from different places', async () => {
    const [built, directory] = [
      await resolveSpec('git:codec@main'),
      await resolveSpec('path:codec'),
    ];
    expect(built).toMatchObject({ kind: 'git', family: 'plain-family', spec: 'git:codec@main' });
    expect(built.digest).toBe(directory.digest);
    expect(built.modulePath).not.toBe(directory.modulePath);
  });
});

test('a pin is an exact version', async () => {
  const { node } = process.versions;
  expect((await resolveSpec(`git:codec@main@node=${node.split('.')[0]}`)).node).toBe(node);
  expect(await resolveSpec('path:codec')).not.toHaveProperty('node');
});

describe('of a family with a program of its own', () => {
  const path = join(room, 'programs');
  const registries = { shelf: ['group:parcel'] };
  const family = makeFamily('programs', { path, registries, variants: ['only'] });
  mkdirSync(join(path, 'variants'), { recursive: true });
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(path, 'variants', 'only.js'),
    "export const variant = { idea: 'one', source: 'here', settings: { way: 'straight' } };",
  );
  writeFileSync(
    join(path, 'worker.js'),
    `import { appendFileSync, writeFileSync } from 'node:fs';
    export const worker = {
      toolchain: [],
      sources: [],
      async build({ familyPath }) {
        appendFileSync(familyPath + '/log.txt', 'builds ');
      },
      command: ({ packagePath, settings }) => ({
        executable: 'sh',
        args: [packagePath ?? 'none', settings.way ?? 'unset'],
        loop: [],
      }),
      async fetchPackage({ name, version }, { familyPath, outputPath }) {
        appendFileSync(familyPath + '/log.txt', 'brings ');
        writeFileSync(outputPath + '/parcel.txt', name);
        return { integrity: 'sha512-' + version, idea: 'a parcel', source: name };
      },
    };`,
  );

  /** @param {string} text */
  const resolveOwn = (text) =>
    resolveVariant(parseVariantSpec(text), {
      families: [plain, family],
      family,
      projectPath: room,
      cachePath: join(path, 'cache'),
      workingPath: room,
    });

  test.each([
    ['npm:plain@1.0.0', /is JavaScript, but programs is measured by its own program/],
    ['path:codec', /is JavaScript/],
    ['programs:only@node=20', /has @node=, but programs is measured/],
    ['shelf:group:other@1.0', /is not a package of programs/],
    ['programs:only+way=back', /no axis 'way'/],
  ])('%s is refused before anything is built', async (text, message) => {
    await expect(resolveOwn(text)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message),
    });
    expect(() => readFileSync(join(path, 'log.txt'))).toThrow('ENOENT');
  });

  test('a variant is started with its own settings', async () => {
    const { program, toolchain } = await resolveOwn('only');
    expect(program).toEqual({ executable: 'sh', args: ['none', 'straight'], loop: [] });
    expect(toolchain).toEqual({});
  });

  test('a package is brought once, and started with what was brought', async () => {
    const first = await resolveOwn('shelf:group:parcel@1.2');
    const second = await resolveOwn('shelf:group:parcel@1.2');
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      kind: 'package',
      idea: 'a parcel',
      version: '1.2',
      integrity: 'sha512-1.2',
      program: { args: [first.modulePath, 'unset'] },
    });
    expect(readFileSync(join(first.modulePath, 'parcel.txt'), 'utf8')).toBe('group:parcel');
    expect(readFileSync(join(path, 'log.txt'), 'utf8')).toBe('builds brings ');
  });
});

test('a variant of another family than the one that is asked for is refused', async () => {
  const [text, name] = ['elsewhere:other', 'other'];
  const elsewhere = makeFamily('elsewhere', { path: room, variants: [name] });
  const resolving = resolveVariant(parseVariantSpec(text), {
    families: [plain, elsewhere],
    family: plain,
    projectPath: room,
    cachePath: join(room, 'cache'),
    workingPath: room,
  });
  await expect(resolving).rejects.toThrow("'elsewhere:other' is not a variant of plain-family");
});
