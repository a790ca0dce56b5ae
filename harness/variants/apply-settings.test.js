import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applySettings } from './resolve.js';

/** @import { FoundFamily, VariantModule } from './families.js' */

const path = mkdtempSync(join(tmpdir(), 'assay-family-'));
writeFileSync(
  join(path, 'compose.js'),
  'export const composeVariant = (module, settings) => ({ ...module, settings });',
);
afterAll(() => rmSync(path, { recursive: true }));

const family = /** @type {FoundFamily} */ ({
  name: 'soup',
  path,
  axes: [
    { name: 'stock', summary: 'what it is boiled in', values: ['beef', 'leek'] },
    { name: 'minutes', summary: 'how long' },
  ],
});
const module = /** @type {VariantModule} */ ({ variant: { idea: 'plain', source: 'here' } });

describe('the settings of a variant', () => {
  test('reach the compose function of the family', async () => {
    const composed = await applySettings(family, module, { stock: 'leek', minutes: '40' });
    expect(composed).toEqual({ ...module, settings: { stock: 'leek', minutes: '40' } });
  });

  test('leave the module alone when there are none', async () => {
    expect(await applySettings(family, module, {})).toBe(module);
  });

  test.each([
    [{ stok: 'leek' }, /no axis 'stok'.*did you mean 'stock'/],
    [{ stock: 'leak' }, /no stock 'leak'.*did you mean 'leek'/],
    [{ minutes: 'forty' }, /no minutes 'forty'/],
    [{ minutes: '0' }, /no minutes '0'/],
  ])('%j is refused with the remedy', async (settings, message) => {
    const error = await applySettings(family, module, settings).catch((caught) => caught);
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) });
  });
});
