import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseVariantSpec } from './parse-variant-spec.js';
import { chooseFamily, resolveVariant } from './resolve-variant.js';
import { makePlainPackage, makeRepository } from './test-support/make-repository.js';

const room = mkdtempSync(join(tmpdir(), 'assay-variant-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

const repository = makeRepository(join(room, 'codec'));
const commit = repository.commit(makePlainPackage('one'));

/**
 * @param {string} name
 * @param {string[]} packages
 * @returns {import('./families.js').FoundFamily}
 */
function makeFamily(name, packages) {
  return {
    name,
    summary: name,
    reference: 'npm:bson@7.3.1',
    packages,
    defaultOperations: [],
    defaultCorpora: [],
    path: room,
    variants: ['only'],
    operations: [],
    axes: [],
    hasContract: true,
  };
}

const [plain, other] = [makeFamily('plain-family', ['plain']), makeFamily('other-family', [])];

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

describe('the family of a directory', () => {
  /** @param {...string} texts */
  const choose = (...texts) =>
    chooseFamily(texts.map(parseVariantSpec), [other, plain], undefined, room).name;

  test('is that of the package in it', () => {
    expect(choose('git:codec@HEAD', 'path:codec')).toBe('plain-family');
  });

  test('is not known where no family names the package', () => {
    expect(() => choose('path:elsewhere', 'path:./codec.js')).toThrow('which family');
  });
});

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
