import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as bson from 'bson';
import { loadVectors } from './load-vectors.js';
import { runVectors } from './run-vectors.js';

/** @import { Codec } from './read-bytes.js' */

// One value of each type that the specification lists, in hex.
const TYPE_BYTES = Array.from({ length: 0x13 }, (_, index) =>
  (index + 1).toString(16).padStart(2, '0'),
);

const files = loadVectors();
const vectorCount = files.reduce((sum, file) => sum + file.vectors.length, 0);

const variantFolder = join(import.meta.dirname, '..', 'variants');
const variantFiles = existsSync(variantFolder)
  ? readdirSync(variantFolder).filter((name) => /^[a-z0-9-]+\.js$/.test(name))
  : [];

/**
 * @param {string} name
 * @returns {Promise<Codec>}
 */
function importVariant(name) {
  return import(join(variantFolder, name));
}

describe('the vectors', () => {
  test('cover every BSON type', () => {
    const covered = new Set(files.map(({ typeByte }) => typeByte));
    expect([...TYPE_BYTES, '7f', 'ff'].filter((byte) => !covered.has(byte))).toEqual([]);
  });

  test.each(files)(
    'of $type hold documents that decode and documents that do not',
    ({ vectors }) => {
      expect(vectors.filter(({ kind }) => kind !== 'decode-error').length).toBeGreaterThan(0);
      expect(vectors.filter(({ kind }) => kind === 'decode-error').length).toBeGreaterThan(0);
    },
  );
});

describe('the reference', () => {
  test.each(files)('meets every vector of $type', (file) => {
    const { passed, failures } = runVectors(bson, bson, [file]);
    expect(failures).toEqual([]);
    expect(passed).toBe(file.vectors.length);
  });
});

for (const name of variantFiles) {
  describe(`variants/${name}`, () => {
    test('meets every vector', async () => {
      const { passed, failures } = runVectors(await importVariant(name), bson, files);
      expect(failures).toEqual([]);
      expect(passed).toBe(vectorCount);
    });
  });
}
