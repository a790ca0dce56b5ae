import { afterAll, expect, test } from '@jest/globals';
import { makeFakeNpm } from '../testing/support/fake-npm.js';

const npm = makeFakeNpm({ versions: ['98.2.0', '99.0.0'] });
afterAll(() => npm.remove());

test('the runtimes of a run are those that cells and variants name, each once, less the running one', async () => {
  const cells = [{ node: '98.2.0' }, { node: process.versions.node }, { node: '98.2.0' }, {}];
  const variants = [{ node: '99.0.0' }, {}];
  const finder = new URL('./node-runtime.js', import.meta.url).href;
  const runtimes = await npm.run(`
    import { findRuntimes } from ${JSON.stringify(finder)};
    const [cells, variants] = ${JSON.stringify([cells, variants])};
    const runtimes = await findRuntimes(cells, variants, { cachePath: process.argv[1] });
    console.log(JSON.stringify(runtimes.map(({ node }) => node)));
  `);
  expect(runtimes).toEqual(['98.2.0', '99.0.0']);
});
