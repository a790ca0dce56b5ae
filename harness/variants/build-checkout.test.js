import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import {
  loadText,
  makePlainPackage,
  makeRepository,
  openRooms,
  resolveGitSpec,
} from './test-support/make-repository.js';
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

describe('a checkout', () => {
  test('has the submodules that the clone has fetched, and names others if the build fails', async () => {
    const { repository: part, workingPath } = makeRoom('part');
    part.commit({ 'index.js': "export const text = 'of a submodule';\n" });
    const repository = makeRepository(join(workingPath, 'codec'));
    repository.write({
      'package.json': '{ "name": "a", "type": "module", "main": "./part/index.js" }',
    });
    repository.run('git -c protocol.file.allow=always submodule --quiet add ../part part');
    repository.commit({});
    expect(await loadText(await resolveGitSpec('git:codec@main', workingPath))).toBe(
      'of a submodule',
    );
    repository.run('rm -rf .git/modules');
    const cachePath = makeCache();
    await expect(
      resolveGitSpec('git:codec@main', workingPath, { cachePath }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('could not be built'),
      remedy: expect.stringMatching(
        /^it lacks the submodule 'part' \('git -C .* submodule update --init part' fetches it\)/,
      ),
    });
  });

  test('does without files that a partial clone has not fetched', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit({ ...makePlainPackage('whole'), 'large.json': '"large"' });
    const id = repository.git('rev-parse', 'main:large.json');
    rmSync(join(repository.path, '.git', 'objects', id.slice(0, 2), id.slice(2)));
    expect(await loadText(await resolveGitSpec('git:codec@main', workingPath))).toBe('whole');
    const more = { cachePath: makeCache(), build: 'exit 1' };
    await expect(resolveGitSpec('git:codec@main', workingPath, more)).rejects.toMatchObject({
      remedy: expect.stringMatching(
        /^it lacks 1 file whose content the clone does not have: 'large.json' \(/,
      ),
    });
  });

  test('of the root of a workspace names the members', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit({
      'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
      'packages/a/package.json': '{ "name": "a" }',
      'packages/tests/package.json': '{ "name": "tests", "private": true }',
      'fixtures/package.json': '{',
    });
    await expect(resolveGitSpec('git:codec@main', workingPath)).rejects.toMatchObject({
      message: expect.stringMatching(/is the root of a workspace and no package itself$/),
      remedy: 'name the directory of a member: packages/a',
    });
  });
});

describe('a build that fails', () => {
  test('does not matter to a module that needs none', async () => {
    const { repository, workingPath } = makeRoom();
    const plain = makePlainPackage('as committed');
    const scripts = { build: 'echo "export const text = 1" > index.js; exit 1' };
    repository.commit({
      ...plain,
      'package.json': JSON.stringify({ ...JSON.parse(plain['package.json']), scripts }),
    });
    /** @type {string[]} */
    const notes = [];
    const onNote = (/** @type {string} */ text) => void notes.push(text);
    const variant = await resolveGitSpec('git:codec@main', workingPath, { onNote });
    expect(await loadText(variant)).toBe('as committed');
    expect(variant.build).toBeUndefined();
    expect(notes.at(-1)).toMatch(
      /^'npm run build' ended with exit status 1; 'index.js' of commit \w+ of codec is measured as the commit has it$/,
    );
  });
});
