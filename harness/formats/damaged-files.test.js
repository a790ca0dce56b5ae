/** Every file that Assay reads, damaged: it is read or refused, and nothing of it is lost. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { damageBytes } from '../testing/support/damage.js';
import { tryDamaged, tryFile } from '../testing/support/fuzz-format.js';
import { listFormats } from '../testing/support/list-formats.js';
import { seedGenerator } from '../stats/random.js';

const QUICK_COUNT = 25;
const SLOW_COUNT = 5;

const formats = await listFormats();

describe.each(formats)('$name', (format) => {
  test('is read when it is whole', async () => {
    for (const sample of format.samples) {
      const attempt = await tryFile(format, (path) => writeFileSync(path, sample));
      expect(attempt).toEqual({ outcome: 'accepted', problem: null });
    }
  });

  test('is read or refused with a remedy when it is damaged', async () => {
    const count = format.isSlow === true ? SLOW_COUNT : QUICK_COUNT;
    for (let seed = 1; seed <= count; seed++) {
      const { problem } = await tryDamaged(format, seed);
      expect({ seed, problem }).toEqual({ seed, problem: null });
    }
  });

  test.each([
    ['empty', (/** @type {string} */ path) => writeFileSync(path, '')],
    ['a directory', (/** @type {string} */ path) => mkdirSync(path)],
  ])('is read or refused with a remedy when it is %s', async (_, place) => {
    const { problem } = await tryFile(format, place);
    expect(problem).toBeNull();
  });
});

test('equal seeds give equal damage', () => {
  const [{ samples }] = formats;
  const damage = () => damageBytes(samples[0], seedGenerator(7));
  expect(damage().equals(damage())).toBe(true);
  expect(damage().equals(samples[0])).toBe(false);
});
