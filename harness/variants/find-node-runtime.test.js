import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeFakeNpm } from '../testing/support/fake-npm.js';

const OWN = process.versions.node;
const [OWN_LINE] = OWN.split('.');
// Lines that nobody runs tests under.
const VERSIONS = ['98.2.0', '98.9.1', '98.10.0', '98.11.0-rc.1', '99.0.0'];
const FINDER = new URL('./node-runtime.js', import.meta.url).href;

/** @type {import('../testing/support/fake-npm.js').FakeNpm} */
let npm;
afterEach(() => npm.remove());

/** @param {Parameters<typeof makeFakeNpm>[0]} [changes] */
function openRegistry(changes) {
  npm = makeFakeNpm({ versions: VERSIONS, ...changes });
}

/**
 * Looks for one version after the other, in a process that has the fake npm.
 *
 * @param {string[]} wanted
 * @returns {Promise<any[]>} what was found, or name, message and remedy of the error
 */
function findAll(...wanted) {
  return npm.run(`
    import { findNodeRuntime } from ${JSON.stringify(FINDER)};
    const found = [];
    for (const wanted of ${JSON.stringify(wanted)}) {
      found.push(await findNodeRuntime(wanted, { cachePath: process.argv[1] }).catch(
        ({ name, message, remedy }) => ({ name, message, remedy }),
      ));
    }
    console.log(JSON.stringify(found));
  `);
}

describe('the Node to measure under', () => {
  test('is the running one where that or its line is wanted, without npm', async () => {
    openRegistry();
    const own = { node: OWN, runtime: null };
    expect(await findAll(OWN, OWN_LINE)).toEqual([own, own]);
    expect(npm.listCalls()).toEqual([]);
  });

  test('comes from npm by its exact version, once', async () => {
    openRegistry();
    const [first, again] = await findAll('98.9.1', '98.9.1');
    expect(first).toMatchObject({
      node: '98.9.1',
      runtime: {
        node: '98.9.1',
        integrity: 'sha512-of-98.9.1',
        packageName: `node-${process.platform}-${process.arch}`,
      },
    });
    expect(existsSync(first.runtime.executable)).toBe(true);
    expect(again).toEqual(first);
    expect(npm.listCalls()).toEqual(['install']);
  });

  test('is announced when it is fetched', async () => {
    openRegistry();
    const notes = await npm.run(`
      import { findNodeRuntime } from ${JSON.stringify(FINDER)};
      const notes = [];
      const places = { cachePath: process.argv[1], onNote: (text) => notes.push(text) };
      for (const wanted of ['98.9.1', '98.9.1']) await findNodeRuntime(wanted, places);
      console.log(JSON.stringify(notes));
    `);
    expect(notes).toEqual([`fetching node-${process.platform}-${process.arch}@98.9.1`]);
  });

  test('is the newest release of its line', async () => {
    openRegistry();
    const [found] = await findAll('98');
    expect(found.node).toBe('98.10.0');
    expect(npm.listCalls()).toEqual(['view', 'install']);
  });

  test('is the newest of its line that is there already, without npm', async () => {
    openRegistry();
    const found = await findAll('98.9.1', '98.2.0', '99.0.0', '98');
    expect(found[3]).toEqual(found[0]);
    expect(npm.listCalls()).toEqual(['install', 'install', 'install']);
  });
});

describe('a Node that cannot be had is refused with the remedy', () => {
  test('a version that is not there', async () => {
    openRegistry();
    const wanted = ['98.99.0', '97', '97.1.0'];
    const refused = await findAll(...wanted);
    expect(refused.map(({ name }) => name)).toEqual(wanted.map(() => 'UsageError'));
    expect(refused.map(({ message }) => message.split(' ')[4])).toEqual(wanted);
    expect(refused[0].remedy).toBe('the newest of that line: 98.10.0, 98.9.1, 98.2.0');
    expect(refused[1].remedy).toBe('unknown release line; the newest version is 99.0.0');
    expect(refused[2].remedy).toBe(refused[1].remedy);
  });

  test('what is no version, before npm sees it', async () => {
    openRegistry();
    for (const { name, remedy } of await findAll('v98', '98.2', '--global', '98.2.0 || 99')) {
      expect(name).toBe('UsageError');
      expect(remedy).toContain('22 or 22.11.0');
    }
    expect(npm.listCalls()).toEqual([]);
  });

  test('a platform that npm has none for', async () => {
    npm = makeFakeNpm({});
    for (const { name, message, remedy } of await findAll('98', '98.2.0')) {
      expect(name).toBe('MachineError');
      expect(message).toContain('no Node for this platform');
      expect(remedy).toContain(OWN);
    }
  });

  test('no network', async () => {
    openRegistry({ isDown: true });
    for (const { name, message, remedy } of await findAll('98', '98.2.0')) {
      expect(name).toBe('MachineError');
      expect(message).toContain('ECONNREFUSED');
      expect(remedy).toContain('check the network');
    }
  });

  test('one that is another than its package says', async () => {
    openRegistry({ says: 'echo v98.3.0' });
    const [{ name, message }] = await findAll('98.2.0');
    expect(name).toBe('MachineError');
    expect(message).toContain('is Node v98.3.0, not v98.2.0');
  });

  test('one that does not start', async () => {
    openRegistry({ says: 'echo wrong libc >&2; exit 1' });
    const [{ name, message }] = await findAll('98.2.0');
    expect(name).toBe('MachineError');
    expect(message).toBe('Node 98.2.0 does not start: wrong libc');
  });
});
