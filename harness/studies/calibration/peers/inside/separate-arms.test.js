import { resolve } from './separate-arms.js';

/**
 * @param {string} found URL that Node would load
 * @param {string} [parentURL] of the module that imports it
 */
async function resolveAs(found, parentURL) {
  const context = { conditions: [], importAssertions: {}, importAttributes: {}, parentURL };
  const resolved = await resolve('specifier', context, () => ({ url: found }));
  return resolved.url;
}

test('an import of an arm is loaded for that arm', async () => {
  expect(await resolveAs('file:///codec/read.js', 'file:///codec/index.js?arm=candidate')).toBe(
    'file:///codec/read.js?arm=candidate',
  );
});

test('other query parameters are kept', async () => {
  expect(await resolveAs('file:///ids.js?pool-size=9', 'file:///index.js?arm=baseline')).toBe(
    'file:///ids.js?pool-size=9&arm=baseline',
  );
});

test.each([
  ['modules of Node', 'node:fs', 'file:///index.js?arm=baseline'],
  ['modules that belong to no arm', 'file:///tool.js', 'file:///inside.js'],
  ['the first module', 'file:///inside.js', undefined],
])('%s are left as they are', async (_, found, parentURL) => {
  expect(await resolveAs(found, parentURL)).toBe(found);
});
