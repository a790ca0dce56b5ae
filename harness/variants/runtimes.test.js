import { existsSync } from 'node:fs';
import { makeFakeNpm, sayVersions } from '../testing/support/fake-npm.js';
import { findRuntime, findRuntimes, parseRuntime } from './runtimes.js';

const OWN = process.versions.node;
const [OWN_LINE] = OWN.split('.');
// Release lines that do not run these tests.
const VERSIONS = ['98.2.0', '98.9.1', '98.10.0', '98.11.0-rc.1', '99.0.0'];
const PACKAGE = `node-${process.platform}-${process.arch}`;

/** @type {ReturnType<typeof makeFakeNpm>} */
let npm;
/** @type {string[]} */
let notes = [];
afterEach(() => npm.remove());

/** @param {Parameters<typeof makeFakeNpm>[0]} [changes] */
function openRegistry(changes) {
  npm = makeFakeNpm({ versions: VERSIONS, ...changes });
  npm.putFirst();
  notes = [];
}

/** Looks up versions one after the other. @type {(...wanted: string[]) => Promise<any[]>} results and errors */
async function findAll(...wanted) {
  const { cachePath } = npm;
  const found = [];
  for (const text of wanted) {
    const places = { cachePath, onNote: (/** @type {string} */ note) => notes.push(note) };
    found.push(await findRuntime(text, places).catch((error) => error));
  }
  return found;
}

describe('the runtime to measure with', () => {
  test('is the running Node if its name, version or release line is wanted', async () => {
    openRegistry();
    const own = { name: `node@${OWN}`, runtime: null };
    const found = await findAll('node', `node@${OWN}`, `node@${OWN_LINE}`);
    expect(found).toEqual([own, own, own]);
    expect(npm.listCalls()).toEqual([]);
  });

  test('is fetched from npm once by its exact version, with a note', async () => {
    openRegistry();
    const found = await findAll('node@98.9.1', 'node@98.9.1');
    const [first, again] = found;
    expect(first).toMatchObject({
      name: 'node@98.9.1',
      runtime: {
        runtime: 'node@98.9.1',
        engine: 'V8 1.2.3',
        integrity: 'sha512-of-98.9.1',
        packageName: PACKAGE,
      },
    });
    expect(existsSync(first.runtime.executable)).toBe(true);
    expect(again).toEqual(first);
    expect(npm.listCalls()).toEqual(['install']);
    expect(notes).toEqual([`fetching ${PACKAGE}@98.9.1`]);
  });

  test('is the newest release of its line', async () => {
    openRegistry();
    expect((await findAll('node@98'))[0].name).toBe('node@98.10.0');
    expect(npm.listCalls()).toEqual(['view', 'install']);
  });

  test('is the newest cached one of its line, without npm', async () => {
    openRegistry();
    const found = await findAll('node@98.9.1', 'node@98.2.0', 'node@99.0.0', 'node@98');
    expect(found[3]).toEqual(found[0]);
    expect(npm.listCalls()).toEqual(['install', 'install', 'install']);
  });
});

test.each([
  ['bun', '@oven/bun-', 'JavaScriptCore c0ffee', '99.0.0', ''],
  ['deno', '@deno/', 'V8 1.2.3', '98.2.0', '@98.2'],
])(
  '%s is found by its name alone or by a line of two numbers',
  async (name, start, engine, version, line) => {
    openRegistry();
    const found = await findAll(`${name}${line}`, `${name}@${version.split('.')[0]}`);
    expect(found.map((one) => one.name)).toEqual([`${name}@${version}`, `${name}@${version}`]);
    const { packageName, executable } = found[0].runtime;
    expect(packageName.startsWith(start)).toBe(true);
    expect(found[0].runtime.engine).toBe(engine);
    expect(existsSync(executable)).toBe(true);
    expect(npm.listCalls()).toEqual(['view', 'install']);
  },
);

test.each([
  ['bnu', /no runtime 'bnu'; did you mean 'bun'\?/, /node, bun, chromium and deno/],
  ['bun@', /'' is not a version of Bun/, /1\.4 or 1\.4\.5/],
  ['deno@2@9', /'2@9' is not a version of Deno/, /2\.9 or 2\.9\.6/],
])('%j is refused', (text, message, remedy) => {
  openRegistry();
  expect(() => parseRuntime(text)).toThrow(
    expect.objectContaining({
      name: 'UsageError',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    }),
  );
});

describe('an unavailable Node is refused with a remedy', () => {
  test('an unpublished version', async () => {
    openRegistry();
    const wanted = ['98.99.0', '97', '97.1.0'];
    const found = await findAll(...wanted.map((version) => `node@${version}`));
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
    const wanted = ['node@v98', 'node@latest', 'node@--global', 'node@98.2.0 || 99'];
    for (const error of await findAll(...wanted)) {
      expect(error).toMatchObject({
        name: 'UsageError',
        remedy: expect.stringContaining('22 or 22.11.0'),
      });
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
      registry: { says: sayVersions('98.3.0') },
      wanted: ['98.2.0'],
      message: 'is Node 98.3.0, not 98.2.0',
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
    for (const error of await findAll(...wanted.map((version) => `node@${version}`))) {
      expect(error).toMatchObject({
        name: 'MachineError',
        message: expect.stringContaining(message),
        remedy: expect.stringContaining(remedy),
      });
    }
  });
});

test('the runtimes of a run are those of its cells and variants, without the running Node', async () => {
  openRegistry();
  const cells = [
    { runtime: 'node@98.2.0' },
    { runtime: `node@${OWN}` },
    { runtime: 'node@98.2.0' },
    {},
  ];
  const variants = [{ runtime: 'bun@99.0.0' }, {}];
  const runtimes = await findRuntimes(cells, variants, { cachePath: npm.cachePath });
  expect(runtimes.map(({ runtime }) => runtime)).toEqual(['node@98.2.0', 'bun@99.0.0']);
});
