import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { chooseBuild, pickBuildVariables, runBuildCommand } from './build-checkout.js';
import { loadText, openRooms, resolveGitSpec } from './test-support/make-repository.js';
import { testLong } from '../testing/support/gates.js';
import { makeTestDirectory } from '../testing/support/directories.js';

const room = makeTestDirectory('checkout');

const makeRoom = openRooms(room);

/** @param {string} build script of its package.json */
function makeBuiltPackage(build) {
  return {
    '.gitignore': 'lib\n',
    'package.json': JSON.stringify({
      name: 'built',
      exports: { import: './lib/index.mjs', require: './lib/index.cjs' },
      scripts: { build },
    }),
    // A shell starts sooner than Node.
    'build.sh': `mkdir lib
      echo "export const text = 'built';" >lib/index.mjs
      echo "exports.text = 'built';" >lib/index.cjs`,
  };
}

/** @param {string} build script of the package in its checkout */
function makeBuiltRoom(build) {
  const { repository, workingPath } = makeRoom();
  repository.commit(makeBuiltPackage(build));
  return workingPath;
}

/** A repository that its own script does not build. */
const sharedPath = makeBuiltRoom('exit 1');

/** @returns {string} of an empty cache */
const makeCache = () => mkdtempSync(join(room, 'cache-'));

/** @param {Parameters<typeof resolveGitSpec>[2]} more */
function buildShared(more) {
  return resolveGitSpec('git:codec@main', sharedPath, { cachePath: makeCache(), ...more });
}

describe('a package that needs a build', () => {
  test('is built once by the script of its package.json', async () => {
    const workingPath = makeBuiltRoom('sh build.sh');
    /** @type {string[]} */
    const notes = [];
    const more = { onNote: (/** @type {string} */ text) => notes.push(text) };
    const variant = await resolveGitSpec('git:codec@main', workingPath, more);
    expect(await loadText(variant)).toBe('built');
    expect(variant.build).toBe('npm run build');
    expect(await resolveGitSpec('git:codec@main', workingPath, more)).toEqual(variant);
    expect(notes).toEqual([expect.stringMatching(/^building commit \w+ of codec: npm run build$/)]);
  });

  test('is built again if a file of it or of a dependency changed, but not for what only its build needs', async () => {
    const lock = {
      packages: {
        'node_modules/@a/kept': { version: '1.0.0', integrity: 'sha512-a' },
        'node_modules/dev': { version: '2.0.0', integrity: 'sha512-b', dev: true },
      },
    };
    const { repository, workingPath } = makeRoom();
    repository.commit({
      ...makeBuiltPackage(''),
      '.package-lock.json': JSON.stringify(lock),
      'install.sh': `mkdir -p node_modules/@a/kept node_modules/dev
        touch node_modules/@a/kept/index.js node_modules/dev/index.js
        cp .package-lock.json node_modules`,
    });
    /** @type {string[]} */
    const notes = [];
    const onNote = (/** @type {string} */ text) => void notes.push(text);
    const how = { onNote, build: 'sh build.sh && sh install.sh' };
    const { dependencies } = await resolveGitSpec('git:codec@main', workingPath, how);
    expect(dependencies).toEqual([{ path: '@a/kept', version: '1.0.0', integrity: 'sha512-a' }]);
    const [home] = readdirSync(join(workingPath, 'cache', 'git'));
    for (const file of [
      'node_modules/dev/index.js',
      'lib/index.mjs',
      'node_modules/@a/kept/index.js',
    ]) {
      appendFileSync(join(workingPath, 'cache', 'git', home, 'tree', file), '// changed');
      await resolveGitSpec('git:codec@main', workingPath, how);
    }
    expect(notes.filter((note) => note.includes('in the cache changed'))).toEqual([
      expect.stringMatching("^'tree/lib/index.mjs' of 'git/"),
      expect.stringMatching("^'tree/node_modules/@a/kept/index.js' of 'git/"),
    ]);
  });

  test('finds a dependency that is a file outside of its repository', async () => {
    const { repository, workingPath } = makeRoom();
    const archive = join(workingPath, 'tool.tgz');
    writeFileSync(archive, '');
    const tool = 'file:../tool.tgz';
    repository.commit({
      ...makeBuiltPackage(''),
      'inner.tgz': '',
      'package.json': JSON.stringify({
        name: 'x',
        devDependencies: { tool, a: 'file:./inner.tgz' },
      }),
      'package-lock.json': `{ "resolved": "${tool}", "integrity": "sha512-old", "b": "file:../gone" }`,
    });
    const build = 'sh build.sh && cp package.json package-lock.json lib';
    const { modulePath } = await resolveGitSpec('git:codec@main', workingPath, {
      build: `${build} && echo > index.js`,
    });
    const read = (/** @type {string} */ name) =>
      JSON.parse(readFileSync(join(modulePath, '..', 'lib', name), 'utf8'));
    expect(read('package.json').devDependencies).toEqual({
      tool: `file:${archive}`,
      a: 'file:./inner.tgz',
    });
    expect(read('package-lock.json')).toEqual({ resolved: `file:${archive}`, b: 'file:../gone' });
  });

  testLong('is built completely if its bundle alone fails', async () => {
    const { repository, workingPath } = makeRoom();
    const { scripts, ...packageJson } = JSON.parse(makeBuiltPackage('')['package.json']);
    scripts.build = 'sh build.sh && npm run build:bundle';
    scripts['build:bundle'] = 'test -d lib';
    repository.commit({
      ...makeBuiltPackage(''),
      'package.json': JSON.stringify({ ...packageJson, scripts }),
    });
    expect((await resolveGitSpec('git:codec@main', workingPath)).build).toBe('npm run build');
  });

  test("is built by the user's command", async () => {
    const build = `sh build.sh && echo "export const text = 'mine';" > lib/index.mjs`;
    const variant = await buildShared({ build });
    expect(await loadText(variant)).toBe('mine');
    expect(variant.build).toBe(build);
  });

  testLong('is built again by its own script', async () => {
    const cachePath = makeCache();
    await buildShared({ cachePath, build: 'sh build.sh' });
    await expect(buildShared({ cachePath })).rejects.toThrow('could not be built');
  });

  test('has one cache entry after two concurrent builds', async () => {
    const more = { cachePath: makeCache(), build: 'sh build.sh' };
    const [one, other] = await Promise.all([buildShared(more), buildShared(more)]);
    expect(one).toEqual(other);
    expect(readdirSync(join(more.cachePath, 'git'))).toHaveLength(1);
  });

  test('inherits only the variables that a build needs', async () => {
    process.env.ASSAY_TEST_TOKEN = 'secret';
    const build = `sh build.sh && echo "export const text = '<$ASSAY_TEST_TOKEN>';" > lib/index.mjs`;
    const variant = await buildShared({ build });
    delete process.env.ASSAY_TEST_TOKEN;
    expect(await loadText(variant)).toBe('<>');
  });
});

describe('a failed build', () => {
  test('leaves no cache entry and reports the end of its log', async () => {
    const cachePath = makeCache();
    const build = 'echo one; echo "src/a.ts: it is broken" >&2; exit 3';
    await expect(buildShared({ cachePath, build })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^commit \w+ of codec could not be built: '.*' ended with exit status 3$/,
      ),
      quoted: ['one', 'src/a.ts: it is broken'],
      remedy: expect.stringContaining('--build'),
      exitStatus: EXIT.failed,
    });
    expect(readdirSync(join(cachePath, 'git'))).toEqual([]);
  });

  test.each([
    ['without a module', { build: 'true' }, 'lib/index.mjs'],
    ['interrupted', { build: 'sleep 60', signal: AbortSignal.abort() }, 'interrupted'],
  ])('may be one that is %s', async (_, more, message) => {
    await expect(buildShared(more)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exitStatus: EXIT.failed,
    });
  });
});

describe('the build of a package', () => {
  const FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';
  const BUNDLE = { 'build:bundle': 'rollup' };

  test.each([
    { name: 'nothing without scripts', packageJson: {}, install: '', scripts: [''] },
    {
      name: 'nothing without a build script and run-time dependencies',
      packageJson: { devDependencies: { a: '1' }, scripts: { test: 'x' } },
      install: '',
      scripts: [''],
    },
    {
      name: 'run-time dependencies alone without a build script',
      packageJson: { dependencies: { a: '1' }, devDependencies: { b: '1' } },
      install: `npm install --omit=dev ${FLAGS}`,
      scripts: [''],
    },
    {
      name: 'all dependencies and the build script',
      packageJson: { devDependencies: { b: '1' }, scripts: { build: 'tsc' } },
      install: `npm install --include=dev ${FLAGS}`,
      scripts: ['npm run build'],
    },
    ...['package-lock.json', 'npm-shrinkwrap.json'].map((lock) => ({
      name: `the versions of ${lock}`,
      packageJson: { dependencies: { a: '1' }, scripts: { build: 'tsc' } },
      lock,
      install: `npm ci --include=dev ${FLAGS}`,
      scripts: ['npm run build'],
    })),
    ...[
      ['pnpm-lock.yaml', '', 'pnpm install --frozen-lockfile --ignore-scripts'],
      ['yarn.lock', '# yarn lockfile v1', 'yarn install --frozen-lockfile --ignore-scripts'],
      [
        'yarn.lock',
        '\n__metadata:\n  version: 8',
        'YARN_NODE_LINKER=node-modules yarn install --immutable --mode=skip-build',
      ],
    ].map(([lock, text, install]) => ({
      name: `what ${install} installs`,
      packageJson: { dependencies: { a: '1' }, scripts: { build: 'tsc' } },
      ...{ lock, text, install, scripts: ['npm run build'] },
    })),
    {
      name: 'the packages of the workspace that it belongs to',
      packageJson: { scripts: { build: 'tsc' } },
      lock: '../../package-lock.json',
      install: `(cd ../.. && npm ci --include=dev ${FLAGS})`,
      scripts: ['npm run build'],
    },
    {
      name: 'the dependencies of a day, if no lock file fixes them',
      packageJson: { dependencies: { a: '1' } },
      asOf: '2026-01-31',
      install: `npm install --before=2026-01-31T23:59:59.999Z --omit=dev ${FLAGS}`,
      scripts: [''],
    },
    {
      name: 'first the bundle alone if it is the last step',
      packageJson: { scripts: { ...BUNDLE, build: 'npm run build:dts && npm run build:bundle' } },
      install: '',
      scripts: ['npm run build:bundle', 'npm run build'],
    },
    {
      name: 'everything if another step follows the bundle',
      packageJson: { scripts: { ...BUNDLE, build: 'npm run build:bundle && terser' } },
      install: '',
      scripts: ['npm run build'],
    },
  ])('is $name', ({ packageJson, install, scripts, ...rest }) => {
    const top = mkdtempSync(join(room, 'workspace-'));
    const path = join(top, 'packages', 'member');
    mkdirSync(path, { recursive: true });
    if ('lock' in rest)
      writeFileSync(join(path, rest.lock), 'text' in rest ? String(rest.text) : '{}');
    writeFileSync(join(path, 'package.json'), JSON.stringify(packageJson));
    const asOf = 'asOf' in rest ? rest.asOf : undefined;
    expect(chooseBuild(path, { top, asOf })).toEqual({ install, scripts });
  });
});

describe('a build command', () => {
  test('that succeeds has no failure', async () => {
    expect(await runBuildCommand('test -d .', room)).toBeNull();
  });

  test('that fails is quoted by its first and last lines, without colours', async () => {
    const command = `for n in $(seq 50); do printf '\\033[31mline %s\\033[0m\\r\\n' $n; done; exit 7`;
    expect(await runBuildCommand(command, room)).toEqual({
      detail: 'ended with exit status 7',
      lines: [1, 2, 3, 4, '…', 43, 44, 45, 46, 47, 48, 49, 50].map((n) =>
        n === '…' ? n : `line ${n}`,
      ),
    });
  });

  test('that takes too long is killed with its descendants', async () => {
    const failure = await runBuildCommand('sleep 60 & sleep 60', room, { timeoutMs: 50 });
    expect(failure?.detail).toBe('timed out after 0.05 s');
  });

  test('is ended by a signal', async () => {
    const interrupts = new AbortController();
    const ended = runBuildCommand('sleep 60', room, { signal: interrupts.signal });
    interrupts.abort();
    expect((await ended)?.detail).toBe('was interrupted');
  });

  test('gets the settings of the registry and no tokens', () => {
    const kept = {
      PATH: '/bin',
      npm_config_registry: 'r',
      NPM_CONFIG_CACHE: 'c',
      HTTPS_PROXY: 'p',
    };
    const dropped = {
      NPM_TOKEN: 't',
      'npm_config_//registry/:_authToken': 't',
      npm_config__auth: 't',
      npm_config_omit: 'dev',
      NODE_OPTIONS: '--require x',
      NODE_ENV: 'production',
      GIT_DIR: '/elsewhere',
    };
    expect(pickBuildVariables({ ...kept, ...dropped })).toEqual(kept);
  });
});
