import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { EXIT } from '../harness/lib/errors.js';
import { makeFakeNpm } from '../harness/testing/support/fake-npm.js';
import { runReadOnly, testLong, testReadOnly } from '../harness/testing/support/gates.js';

const SET_UP = new URL('set-up.js', import.meta.url).pathname;
const LOCK = {
  packages: {
    '': {},
    'node_modules/codec': {},
    'node_modules/tests': { dev: true },
    'node_modules/elsewhere': { optional: true },
  },
};

/** @type {string} a checkout without packages */
let path;
/** @type {import('../harness/testing/support/fake-npm.js').FakeNpm} */
let npm;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-set-up-'));
  writeFileSync(join(path, 'package.json'), '{}');
  writeFileSync(join(path, 'package-lock.json'), JSON.stringify(LOCK));
  npm = makeFakeNpm({});
});
afterEach(() => {
  npm.remove();
  rmSync(path, { recursive: true });
});

function makeEnvironment() {
  return { ...process.env, PATH: `${npm.programPath}${delimiter}${process.env.PATH}` };
}

/** @type {(...args: string[]) => Promise<{ status: number | null, stderr: string }>} */
function setUp(...args) {
  const child = spawn(process.execPath, [SET_UP, ...args], { cwd: path, env: makeEnvironment() });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stderr })));
}

const listInstalled = () =>
  readdirSync(join(path, 'node_modules')).filter((name) => !name.startsWith('.'));

describe('set-up', () => {
  test('installs the packages for measuring, once', async () => {
    // What a set-up that was killed leaves is not waited for.
    mkdirSync(join(path, '.assay', 'set-up'), { recursive: true });
    writeFileSync(join(path, '.assay', 'set-up', 'assay-measures-1-1.json'), '{}');
    const { status, stderr } = await setUp();
    expect(status).toBe(0);
    expect(stderr).not.toContain('waits');
    expect(listInstalled()).toEqual(['codec', 'elsewhere']);
    expect(await setUp()).toEqual({ status: 0, stderr: '' });
    expect(npm.listCalls()).toEqual(['ci']);
  });

  testLong(
    'installs again when a package is missing, whatever npm has recorded, or the lock file changes',
    async () => {
      await setUp();
      rmSync(join(path, 'node_modules', 'elsewhere'), { recursive: true });
      expect(await setUp()).toEqual({ status: 0, stderr: '' });
      rmSync(join(path, 'node_modules', 'codec'), { recursive: true });
      await setUp();
      expect(listInstalled()).toEqual(['codec', 'elsewhere']);
      const packages = { ...LOCK.packages, 'node_modules/codec/node_modules/more': {} };
      writeFileSync(join(path, 'package-lock.json'), JSON.stringify({ packages }));
      await setUp();
      expect(existsSync(join(path, 'node_modules/codec/node_modules/more'))).toBe(true);
    },
  );

  testLong('keeps the packages when npm is killed, and installs next time', async () => {
    await setUp();
    const file = join(path, 'node_modules', 'codec', 'loaded-later.js');
    writeFileSync(file, '');
    npm.change({ isCutOff: true });
    const { status, stderr } = await setUp('--development');
    expect(status).toBe(EXIT.failed);
    expect(stderr).toMatch(/error: npm could not install the packages\n {2}\S/);
    expect(existsSync(file)).toBe(true);
    npm.change({});
    expect(await setUp('--development')).toMatchObject({ status: 0 });
    expect(listInstalled()).toEqual(['codec', 'elsewhere', 'tests']);
    // Development packages suffice for measuring, too, and what npm has installed is left alone.
    const both = await Promise.all([setUp(), setUp('--development')]);
    expect(both).toEqual(Array(2).fill({ status: 0, stderr: '' }));
    expect(npm.listCalls()).toEqual(['ci', 'ci', 'ci']);
    expect(readdirSync(join(path, 'node_modules')).filter((name) => name.startsWith('.'))).toEqual([
      '.package-lock.json',
    ]);
  });

  testLong('of two concurrent set-ups one installs and the other waits', async () => {
    const both = await Promise.all([setUp(), setUp()]);
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    expect(npm.listCalls()).toEqual(['ci']);
    expect(readdirSync(join(path, '.assay', 'set-up'))).toEqual([]);
  });

  testReadOnly('gives a remedy for a read-only checkout', () => {
    const command = ['sh', '-c', 'cd "$0" && exec "$1" "$2"', path, process.execPath, SET_UP];
    const { status, stderr } = runReadOnly(path, command, { env: makeEnvironment() });
    expect(status).toBe(EXIT.failed);
    expect(stderr).toMatch(
      /^error: cannot install packages in '.*': EROFS.*\n {2}run this command/,
    );
    expect(npm.listCalls()).toEqual([]);
  });
});

test('checking a variant installs only the packages for measuring', () => {
  const justfile = readFileSync(new URL('../Justfile', import.meta.url), 'utf8');
  const [, dependencies, recipe] = /^check \*\w+:(.*)\n((?: .*\n)+)/m.exec(justfile) ?? [];
  expect(dependencies).toBe('');
  expect(recipe).toMatch(/then sh scripts\/set-up\.sh && .*\n *else sh scripts\/set-up\.sh --dev/);
});
