import { expect, test } from '@jest/globals';
import { resolve } from './separate-sides.js';

/**
 * @param {string} found URL that Node would load
 * @param {string} [parentURL] of the module that imports it
 */
async function resolveAs(found, parentURL) {
  const context = { conditions: [], importAssertions: {}, importAttributes: {}, parentURL };
  const resolved = await resolve('specifier', context, () => ({ url: found }));
  return resolved.url;
}

test('what a side imports is loaded for that side', async () => {
  expect(await resolveAs('file:///codec/read.js', 'file:///codec/index.js?side=candidate')).toBe(
    'file:///codec/read.js?side=candidate',
  );
});

test('a query of its own is kept', async () => {
  expect(await resolveAs('file:///ids.js?pool-size=9', 'file:///index.js?side=baseline')).toBe(
    'file:///ids.js?pool-size=9&side=baseline',
  );
});

test.each([
  ['modules of Node', 'node:fs', 'file:///index.js?side=baseline'],
  ['what belongs to no side', 'file:///tool.js', 'file:///inside.js'],
  ['the first module', 'file:///inside.js', undefined],
])('%s are left as they are', async (_, found, parentURL) => {
  expect(await resolveAs(found, parentURL)).toBe(found);
});
