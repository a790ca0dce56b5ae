import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeFakeNpm } from '../testing/support/fake-npm.js';

const OWN = process.versions.node;
const [OWN_LINE] = OWN.split('.');
// Release lines that do not run these tests.
const VERSIONS = ['98.2.0', '98.9.1', '98.10.0', '98.11.0-rc.1', '99.0.0'];
const PACKAGE = `node-${process.platform}-${process.arch}`;
const MODULE = new URL('./node-runtime.js', import.meta.url).href;

/** @type {import('../testing/support/fake-npm.js').FakeNpm} */
let npm;
afterEach(() => npm.remove());

/** @param {Parameters<typeof makeFakeNpm>[0]} [changes] */
function openRegistry(changes) {
  npm = makeFakeNpm({ versions: VERSIONS, ...changes });
}

/**
 * Looks up versions one after the other in a process with the fake npm.
 *
 * @param {string[]} wanted
 * @returns {Promise<{ found: any[], notes: string[] }>} `found`: results, or name, message and
 *   remedy of errors
 */
function findAll(...wanted) {
  return npm.run(`
    import { findNodeRuntime } from ${JSON.stringify(MODULE)};
    const [found, notes] = [[], []];
    const places = { cachePath: process.argv[1], onNote: (text) => notes.push(text) };
    for (const wanted of ${JSON.stringify(wanted)}) {
      found.push(await findNodeRuntime(wanted, places).catch(
        ({ name, message, remedy }) => ({ name, message, remedy }),
      ));
    }
    console.log(JSON.stringify({ found, notes }));
  `);
}

describe('the Node to measure with', () => {
  test('is the running one if its version or its release line is wanted', async () => {
    openRegistry();
    const own = { node: OWN, runtime: null };
    expect((await findAll(OWN, OWN_LINE)).found).toEqual([own, own]);
    expect(npm.listCalls()).toEqual([]);
  });

  test('is fetched from npm once by its exact version, with a note', async () => {
    openRegistry();
    const { found, notes } = await findAll('98.9.1', '98.9.1');
    const [first, again] = found;
    expect(first).toMatchObject({
      node: '98.9.1',
      runtime: { node: '98.9.1', integrity: 'sha512-of-98.9.1', packageName: PACKAGE },
    });
    expect(existsSync(first.runtime.executable)).toBe(true);
    expect(again).toEqual(first);
    expect(npm.listCalls()).toEqual(['install']);
    expect(notes).toEqual([`fetching ${PACKAGE}@98.9.1`]);
  });

  test('is the newest release of its line', async () => {
    openRegistry();
    expect((await findAll('98')).found[0].node).toBe('98.10.0');
    expect(npm.listCalls()).toEqual(['view', 'install']);
  });

  test('is the newest cached one of its line, without npm', async () => {
    openRegistry();
    const { found } = await findAll('98.9.1', '98.2.0', '99.0.0', '98');
    expect(found[3]).toEqual(found[0]);
    expect(npm.listCalls()).toEqual(['install', 'install', 'install']);
  });
});

describe('an unavailable Node is refused with a remedy', () => {
  test('an unpublished version', async () => {
    openRegistry();
    const wanted = ['98.99.0', '97', '97.1.0'];
    const { found } = await findAll(...wanted);
    expect(found.map(({ name }) => name)).toEqual(wanted.map(() => 'UsageError'));
    expect(found.map(({ message }) => message.split(' ')[4])).toEqual(wanted);
    expect(found.map(({ remedy }) => remedy)).toEqual([
      'the newest of that line: 98.10.0, 98.9.1, 98.2.0',
      'unknown release line; the newest version is 99.0.0',
      'unknown release line; the newest version is 99.0.0',
    ]);
  });

  test('an invalid version, without npm', async () => {
    openRegistry();
    for (const { name, remedy } of (await findAll('v98', '98.2', '--global', '98.2.0 || 99'))
      .found) {
      expect(name).toBe('UsageError');
      expect(remedy).toContain('22 or 22.11.0');
    }
    expect(npm.listCalls()).toEqual([]);
  });

  test.each([
    {
      name: 'a platform without a package',
      registry: { versions: undefined },
      wanted: ['98', '98.2.0'],
      message: 'no Node for this platform',
      remedy: OWN,
    },
    {
      name: 'no network',
      registry: { isDown: true },
      wanted: ['98', '98.2.0'],
      message: 'ECONNREFUSED',
      remedy: 'check the network',
    },
    {
      name: 'another version than that of its package',
      registry: { says: 'echo v98.3.0' },
      wanted: ['98.2.0'],
      message: 'is Node v98.3.0, not v98.2.0',
      remedy: 'remove its directory',
    },
    {
      name: 'one that does not start',
      registry: { says: 'echo wrong libc >&2; exit 1' },
      wanted: ['98.2.0'],
      message: 'Node 98.2.0 does not start: wrong libc',
      remedy: 'remove its directory',
    },
  ])('$name', async ({ registry, wanted, message, remedy }) => {
    openRegistry(/** @type {Parameters<typeof makeFakeNpm>[0]} */ (registry));
    for (const error of (await findAll(...wanted)).found) {
      expect(error).toEqual({
        name: 'MachineError',
        message: expect.stringContaining(message),
        remedy: expect.stringContaining(remedy),
      });
    }
  });
});

test('the runtimes of a run are those of its cells and variants, without the running one', async () => {
  openRegistry();
  const cells = [{ node: '98.2.0' }, { node: OWN }, { node: '98.2.0' }, {}];
  const variants = [{ node: '99.0.0' }, {}];
  const runtimes = await npm.run(`
    import { findRuntimes } from ${JSON.stringify(MODULE)};
    const [cells, variants] = ${JSON.stringify([cells, variants])};
    const runtimes = await findRuntimes(cells, variants, { cachePath: process.argv[1] });
    console.log(JSON.stringify(runtimes.map(({ node }) => node)));
  `);
  expect(runtimes).toEqual(['98.2.0', '99.0.0']);
});
