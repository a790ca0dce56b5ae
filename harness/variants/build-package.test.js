import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isLong } from '../testing/support/parts.js';
import { testLong } from '../testing/support/gates.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { loadText, openRooms, resolveGitSpec } from './test-support/make-repository.js';

const makeRoom = openRooms(makeTestDirectory('build-package'));

/**
 * A workspace whose member `codec` loads `part`, which is built, and builds itself with `tool`; `site` cannot be built.
 *
 * @param {string} wanted how members name each other
 * @param {Record<string, string>} more dependencies of `codec`
 */
function makeMembers(wanted, more = {}) {
  const pack = 'node build.js';
  /** @type {(content: object) => string} */
  const manifest = (content) =>
    JSON.stringify({ version: '1.0.0', type: 'module', main: './dist/index.js', ...content });
  const write = `import { mkdirSync, writeFileSync } from 'node:fs'; mkdirSync('dist', { recursive: true });`;
  const imports = Object.keys(more).map((name) => `import '${name}';`);
  return {
    '.gitignore': 'node_modules\ndist\n.yarn\n.pnp.*\n',
    'packages/codec/package.json': manifest({
      ...{ name: '@w/codec', scripts: { build: pack } },
      ...{ dependencies: { '@w/part': wanted, ...more }, devDependencies: { '@w/tool': wanted } },
    }),
    'packages/codec/build.js': `import { wrap } from '@w/tool'; ${write}
      writeFileSync('dist/index.js', wrap("${imports.join(' ')} export { text } from '@w/part';"));`,
    'packages/part/package.json': manifest({ name: '@w/part', scripts: { build: pack } }),
    'packages/part/build.js': `${write} writeFileSync('dist/index.js', "export const text = 'of a member';");`,
    'packages/tool/package.json': manifest({ name: '@w/tool', scripts: { build: pack } }),
    'packages/tool/build.js': `${write} writeFileSync('dist/index.js', 'export const wrap = (text) => text;');`,
    'packages/site/package.json': manifest({
      ...{ name: '@w/site', scripts: { build: 'exit 1' }, dependencies: { '@w/codec': wanted } },
    }),
  };
}

/** @type {(more?: object) => string} */
const root = (more) =>
  JSON.stringify({ name: 'w', private: true, workspaces: ['packages/*'], ...more });

/** A small package without dependencies. */
const SMALL = { mri: '1.2.0' };

const LAYOUTS = [
  {
    name: 'npm',
    files: { 'package.json': root(), ...makeMembers('*') },
    lock: 'npm install --package-lock-only --ignore-scripts --offline --no-audit',
    command: /^\(cd \.\.\/\.\. && npm ci /,
  },
  {
    name: 'pnpm, with a catalog',
    files: {
      'package.json': root({
        workspaces: undefined,
        devEngines: { packageManager: { name: 'pnpm', version: '10.34.8', onFail: 'error' } },
      }),
      'pnpm-workspace.yaml': 'packages: ["packages/*"]\ncatalog:\n  mri: 1.2.0\n',
      ...makeMembers('workspace:*', { mri: 'catalog:' }),
    },
    lock: 'npx --yes --force pnpm@10.34.8 install --lockfile-only',
    command: /^\(cd \.\.\/\.\. && npx --yes pnpm@10\.34\.8 install --frozen-lockfile /,
  },
  {
    name: 'yarn 1',
    files: { 'package.json': root(), ...makeMembers('1.0.0', SMALL) },
    lock: 'npx --yes yarn@1.22.22 install --ignore-scripts --non-interactive',
    command: /^\(cd \.\.\/\.\. && npx --yes yarn@1\.22\.22 install --frozen-lockfile /,
  },
  {
    name: "yarn 4, with Plug'n'Play",
    files: {
      'package.json': root({ packageManager: 'yarn@4.18.1' }),
      '.yarnrc.yml': 'nodeLinker: pnp\n',
      ...makeMembers('workspace:^', SMALL),
    },
    lock: 'npx --yes --package=@yarnpkg/cli-dist@4.18.1 yarn install --mode=update-lockfile',
    command: /@yarnpkg\/cli-dist@4\.18\.1 yarn install --immutable /,
  },
];

const hasRegistry =
  isLong && spawnSync('npm', ['view', 'mri@1.2.0', 'version'], { timeout: 60_000 }).status === 0;

describe('a member of a workspace is built after what it needs, with', () => {
  for (const { name, files, lock, command } of LAYOUTS) {
    const register = isLong && !hasRegistry && name !== 'npm' ? test.skip : testLong;
    register(name, async () => {
      const { repository, workingPath } = makeRoom('w');
      repository.write({ 'yarn.lock': '', ...files });
      if (!name.startsWith('yarn')) repository.run('rm yarn.lock');
      const env = { ...process.env, CI: 'true', YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };
      execFileSync('sh', ['-c', lock], { cwd: repository.path, env, stdio: 'pipe' });
      repository.run('rm -rf node_modules packages/*/node_modules');
      repository.commit({});
      const variant = await resolveGitSpec('git:w/packages/codec@main', workingPath);
      expect(await loadText(variant)).toBe('of a member');
      expect(variant.build).toMatch(command);
      const builds = variant.build?.split(' && ').filter((step) => step.includes(' run build'));
      // 'part' is needed in any case, 'tool' only since the build fails without.
      expect(builds).toHaveLength(3);
    });
  }
});

describe('what cannot be installed', () => {
  const { PATH } = process.env;
  afterEach(() => void (process.env.PATH = PATH));

  /**
   * Resolves a package with an npm that installs nothing, and refuses the package `gone`. It writes what it is asked to do, and
   * how often its package.json names `tool`, into a file.
   *
   * @param {object} manifest of the package, whose script `build` it runs
   * @param {string} refusal what it says of the package `gone`
   */
  async function resolveWithNpm(manifest, refusal = "404  'gone@1' is not in this registry.") {
    const { repository, workingPath } = makeRoom();
    const log = join(workingPath, 'log');
    const bin = join(workingPath, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'npm'),
      `#!/bin/sh
      echo "$1 $(grep -c '"tool"' package.json)" >>'${log}'
      if [ "$1" = run ]; then exec sh build.sh; fi
      if grep -q '"gone"' package.json; then echo "${refusal}"; exit 1; fi\n`,
    );
    chmodSync(join(bin, 'npm'), 0o755);
    process.env.PATH = [bin, PATH].join(delimiter);
    repository.commit({
      'package.json': JSON.stringify({
        ...{ name: 'codec', type: 'module', main: './dist/index.js', scripts: { build: 'x' } },
        ...manifest,
      }),
      'build.sh': `mkdir -p dist; echo "export const text = 'built';" >dist/index.js; exit $(grep -c fails package.json)`,
    });
    /** @type {string[]} */
    const notes = [];
    const onNote = (/** @type {string} */ text) => void notes.push(text);
    try {
      await resolveGitSpec('git:codec@main', workingPath, { onNote });
      return { notes, error: null, steps: readFileSync(log, 'utf8').trim().split('\n') };
    } catch (error) {
      return { notes, error, steps: readFileSync(log, 'utf8').trim().split('\n') };
    }
  }

  const TOOL = { kept: '1', tool: 'github:a/tool' };

  test('is a tool from git, without which the package is built first', async () => {
    const { notes, steps } = await resolveWithNpm({ devDependencies: TOOL });
    expect(steps).toEqual(['install 0', 'run 0']);
    expect(notes[0]).toMatch(
      /^commit \w+ of codec is built without 'tool', which no registry has and only a build could need$/,
    );
  });

  test('is installed after all if the build fails without', async () => {
    const { steps, error } = await resolveWithNpm({ devDependencies: TOOL, fails: 1 });
    expect(steps).toEqual(['install 0', 'run 0', 'install 1', 'run 1']);
    expect(error).toMatchObject({
      message: expect.stringContaining("'npm run build' ended with exit status 1"),
      remedy: expect.stringMatching(/^it lacks 'tool', which no registry has/),
    });
  });

  test('is left out if the registry does not have it', async () => {
    const { notes, steps } = await resolveWithNpm({ devDependencies: { kept: '1', gone: '1' } });
    expect(steps).toEqual(['install 0', 'install 0', 'run 0']);
    expect(notes).toContainEqual(expect.stringContaining("is built without 'gone'"));
  });

  test('is not left out if the package loads it', async () => {
    const { steps, error } = await resolveWithNpm({ dependencies: { gone: '1' } });
    expect(steps).toEqual(['install 0']);
    expect(error).toMatchObject({ quoted: ["404  'gone@1' is not in this registry."] });
  });

  test('may need a token, which a build does not see', async () => {
    const { error } = await resolveWithNpm({ dependencies: { gone: '1' } }, 'npm error code E401');
    expect(error).toMatchObject({ remedy: expect.stringMatching(/^a build sees no tokens/) });
  });
});
