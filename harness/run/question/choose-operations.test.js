import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseVariantSpec } from '../../variants/parse-variant-spec.js';
import { makeFamily } from '../../variants/test-support/make-family.js';
import { chooseOperations } from './choose-operations.js';

const path = mkdtempSync(join(tmpdir(), 'assay-operations-'));
afterAll(() => rmSync(path, { recursive: true }));
mkdirSync(join(path, 'variants'));
writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
for (const [name, operations] of [['whole'], ['writer', ['write']], ['bound', ['cross']]]) {
  const variant = JSON.stringify({ operations });
  writeFileSync(join(path, 'variants', `${name}.js`), `export const variant = ${variant};`);
}
const family = makeFamily('made-up', {
  path,
  variants: ['whole', 'writer', 'bound'],
  operations: ['cross', 'read', 'write'],
  defaultOperations: ['read', 'write'],
});

/**
 * @param {string[]} names
 * @param {string} [text]
 */
const choose = (names, text) => chooseOperations(names.map(parseVariantSpec), family, text);

test('the usual operations are those that all of the variants have', async () => {
  expect(await choose(['whole', 'npm:made-up@1.0.0'])).toEqual(['read', 'write']);
  expect(await choose(['whole', 'writer'])).toEqual(['write']);
});

test('where none of the usual ones is shared, it is what is', async () => {
  expect(await choose(['bound', 'whole'])).toEqual(['cross']);
});

test('where nothing is shared, it is said what each has', async () => {
  await expect(choose(['bound', 'writer'])).rejects.toMatchObject({
    message: "'bound' and 'writer' have no operation in common",
    remedy: "'bound' has cross alone; 'writer' has write alone",
  });
});

test('what is named counts, if every variant has it', async () => {
  expect(await choose(['whole', 'bound'], 'cross')).toEqual(['cross']);
  await expect(choose(['whole', 'bound'], 'cross,read')).rejects.toMatchObject({
    name: 'UsageError',
    message: "'bound' does not have the operation read",
  });
});

test('a variant that is not there is left to be refused where it is looked for', async () => {
  expect(await choose(['whole', 'nothing'])).toEqual(['read', 'write']);
});
