import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getOrCreate } from './cache.js';
import { makeTestDirectory } from '../testing/support/directories.js';

const room = makeTestDirectory('once');

/** @param {string} text */
function fillWith(text) {
  return async (/** @type {string} */ staging) => writeFileSync(join(staging, 'file'), text);
}

test('an existing entry is not recreated', async () => {
  const home = join(room, 'a', 'home');
  await getOrCreate(home, fillWith('first'));
  await getOrCreate(home, fillWith('second'));
  expect(readFileSync(join(home, 'file'), 'utf8')).toBe('first');
});

test('a failure leaves nothing behind', async () => {
  const home = join(room, 'b', 'home');
  const fail = () => Promise.reject(new Error('broken'));
  await expect(getOrCreate(home, fail)).rejects.toThrow('broken');
  expect(readdirSync(dirname(home))).toEqual([]);
});

test('of two concurrent calls one entry is kept, and neither fails', async () => {
  const home = join(room, 'c', 'home');
  await getOrCreate(home, async (staging) => {
    await getOrCreate(home, fillWith('quicker'));
    await fillWith('slower')(staging);
  });
  expect(existsSync(home)).toBe(true);
  expect(readFileSync(join(home, 'file'), 'utf8')).toBe('quicker');
  expect(readdirSync(dirname(home))).toEqual(['home']);
});
