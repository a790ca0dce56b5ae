import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { chooseFamily } from './families.js';
import { parseVariantSpec } from './spec.js';
import { makeFamily } from './test-support/make-family.js';
import { makePlainPackage, makeRepository } from './test-support/make-repository.js';

const room = mkdtempSync(join(tmpdir(), 'assay-choice-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));
makeRepository(join(room, 'codec')).commit(makePlainPackage('one'));

const plain = makeFamily('plain-family', { path: room, packages: ['plain'] });
const other = makeFamily('other-family', {
  path: room,
  variants: ['mirror'],
  registries: { shelf: ['parcel'] },
});

/** @param {...string} texts */
function choose(...texts) {
  return chooseFamily(texts.map(parseVariantSpec), [other, plain], undefined, room).name;
}

describe('the family of a directory', () => {
  test('is that of the package in it', () => {
    expect(choose('git:codec@HEAD', 'path:codec')).toBe('plain-family');
  });

  test('is not known where no family names the package', () => {
    expect(() => choose('path:elsewhere', 'path:./codec.js')).toThrow('which family');
  });
});

test('a package is of the family that names its registry', () => {
  expect(choose('shelf:parcel@1.0', 'mirror')).toBe('other-family');
});

test.each([
  ['plain-family:only', 'other-family:mirror'],
  ['only', 'other-family:mirror'],
  ['path:codec', 'mirror'],
])('%s and %s are refused, with the family of each', (baseline, candidate) => {
  expect(() => choose(baseline, candidate)).toThrow(
    `the variants belong to different families: '${baseline}' to plain-family, '${candidate}' to other-family`,
  );
});

test('a name that no family has is refused before it is asked which family is meant', () => {
  expect(() => choose('onyl', 'path:codec')).toThrow("no variant 'onyl'; did you mean 'only'?");
});
