import { chooseInstall, findManager, nameProgram } from './package-manager.js';

const FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';
const PNPM = 'lockfileVersion:';
const BERRY = '# yarn\n\n__metadata:\n  version:';

/** @type {(files: Record<string, string>, prefix?: string) => import('./package-manager.js').Manager} */
function find(files, prefix = '') {
  return findManager((path) => files[path] ?? null, prefix);
}

/** @type {(name: string) => string} */
const declare = (name) => JSON.stringify({ packageManager: name });

describe('the package manager is', () => {
  test.each([
    ['the npm of this host without any file', {}, 'npm', null, null],
    ['npm', { 'package-lock.json': '{}' }, 'npm', null, 'package-lock.json'],
    ['npm, for a shrinkwrap', { 'npm-shrinkwrap.json': '{}' }, 'npm', null, 'npm-shrinkwrap.json'],
    ['pnpm 7', { 'pnpm-lock.yaml': `${PNPM} 5.4` }, 'pnpm', '7.33.7', 'pnpm-lock.yaml'],
    ['pnpm 8', { 'pnpm-lock.yaml': `${PNPM} '6.0'` }, 'pnpm', '8.15.9', 'pnpm-lock.yaml'],
    ['pnpm 10', { 'pnpm-lock.yaml': `${PNPM} '9.0'` }, 'pnpm', '10.34.8', 'pnpm-lock.yaml'],
    ['yarn 1', { 'yarn.lock': '# yarn lockfile v1' }, 'yarn', '1.22.22', 'yarn.lock'],
    ['yarn 3', { 'yarn.lock': `${BERRY} 6` }, 'yarn', '3.8.7', 'yarn.lock'],
    ['yarn 4', { 'yarn.lock': `${BERRY} 8` }, 'yarn', '4.13.0', 'yarn.lock'],
    ['a later yarn 4', { 'yarn.lock': `${BERRY} 10` }, 'yarn', '4.18.1', 'yarn.lock'],
    [
      'the declared version, without its digest',
      { 'package.json': declare('pnpm@10.33.4+sha512.1c67'), 'pnpm-lock.yaml': `${PNPM} '9.0'` },
      'pnpm',
      '10.33.4',
      'pnpm-lock.yaml',
    ],
    [
      'the declared one, where another has left a lock file',
      { 'package.json': declare('yarn@4.1.0'), 'package-lock.json': '{}' },
      'yarn',
      '4.1.0',
      null,
    ],
    [
      'one that devEngines name',
      {
        'package.json':
          '{ "devEngines": { "packageManager": { "name": "pnpm", "version": "^9" } } }',
      },
      'pnpm',
      '10.34.8',
      null,
    ],
    [
      'that of the lock file for an unknown one',
      { 'package.json': declare('bun@1') },
      'npm',
      null,
      null,
    ],
    ['the npm of this host for a damaged file', { 'package.json': '{' }, 'npm', null, null],
  ])('%s', (_, files, name, version, lock) => {
    expect(find(/** @type {Record<string, string>} */ (files))).toMatchObject({
      name,
      version,
      lock,
    });
  });

  test('that of the workspace of a member', () => {
    const files = {
      'package.json': declare('pnpm@9.15.9'),
      'pnpm-workspace.yaml': 'packages: ["packages/*"]',
      'pnpm-lock.yaml': `${PNPM} '9.0'`,
      'packages/codec/package.json': '{}',
    };
    expect(find(files, 'packages/codec/')).toMatchObject({
      name: 'pnpm',
      version: '9.15.9',
      root: '',
      isWorkspace: true,
    });
  });

  test.each([
    ['its own lock file', { 'a/yarn.lock': '', 'package-lock.json': '{}' }, 'a', false],
    ['a workspace without a lock file', { 'package.json': '{ "workspaces": ["a"] }' }, '', true],
    ['nothing above it', {}, 'a', false],
  ])('installed where a member has %s', (_, files, root, isWorkspace) => {
    expect(find(/** @type {Record<string, string>} */ (files), 'a')).toMatchObject({
      root,
      isWorkspace,
    });
  });
});

describe('the command that installs', () => {
  const needs = { dependencies: { a: '1' }, devDependencies: { b: '1' } };
  /** @type {(files: Record<string, string>, more?: Partial<import('./package-manager.js').InstallChoices>) => string} */
  const install = (files, more) => {
    const prefix = more?.prefix ?? '';
    return chooseInstall(needs, find(files, prefix), { prefix, isBuilt: true, ...more });
  };
  const pnpm = { 'pnpm-lock.yaml': `${PNPM} '9.0'` };
  const classic = { 'yarn.lock': '# yarn lockfile v1' };
  const berry = { 'yarn.lock': `${BERRY} 10` };
  const BERRY_PROGRAM =
    'YARN_NODE_LINKER=node-modules YARN_ENABLE_TELEMETRY=0 npx --yes --package=@yarnpkg/cli-dist@4.18.1 yarn';
  const CLASSIC_FLAGS = '--ignore-scripts --ignore-engines --non-interactive';

  test.each([
    ['the newest versions without a lock file', {}, {}, `npm install --include=dev ${FLAGS}`],
    [
      'those of a day',
      {},
      { asOf: '2026-01-31' },
      `npm install --before=2026-01-31T23:59:59.999Z --include=dev ${FLAGS}`,
    ],
    ['by npm', { 'package-lock.json': '{}' }, {}, `npm ci --include=dev ${FLAGS}`],
    [
      'without what only a build needs',
      { 'package-lock.json': '{}' },
      { isBuilt: false },
      `npm ci --omit=dev ${FLAGS}`,
    ],
    [
      'by a declared npm',
      { 'package.json': declare('npm@10.9.0'), 'package-lock.json': '{}' },
      {},
      `npx --yes npm@10.9.0 ci --include=dev ${FLAGS}`,
    ],
    ['by pnpm', pnpm, {}, 'npx --yes pnpm@10.34.8 install --frozen-lockfile --ignore-scripts'],
    [
      'by pnpm, of a changed package.json and for production',
      pnpm,
      { isChanged: true, isBuilt: false },
      'npx --yes pnpm@10.34.8 install --no-frozen-lockfile --ignore-scripts --prod',
    ],
    ['by yarn 1', classic, {}, `npx --yes yarn@1.22.22 install --frozen-lockfile ${CLASSIC_FLAGS}`],
    [
      'by yarn 1, of a changed package.json and for production',
      classic,
      { isChanged: true, isBuilt: false },
      `npx --yes yarn@1.22.22 install --pure-lockfile ${CLASSIC_FLAGS} --production`,
    ],
    ['by yarn 4', berry, {}, `${BERRY_PROGRAM} install --immutable --mode=skip-build`],
    [
      'by yarn 4, of a changed package.json',
      berry,
      { isChanged: true },
      `${BERRY_PROGRAM} install --no-immutable --mode=skip-build`,
    ],
    [
      'what all members need',
      { 'package.json': '{ "workspaces": ["packages/*"] }', 'package-lock.json': '{}' },
      { prefix: 'packages/codec', isBuilt: false },
      `(cd ../.. && npm ci --include=dev ${FLAGS})`,
    ],
  ])('installs %s', (_, files, more, command) => {
    expect(install(files, more)).toBe(command);
  });

  test('is none for a package that needs none', () => {
    const choices = { prefix: '', isBuilt: false };
    expect(chooseInstall({ devDependencies: { b: '1' } }, find({}), choices)).toBe('');
  });

  test('is refused for a day where only npm has days', () => {
    const files = { 'package.json': declare('pnpm@10.0.0') };
    expect(() => install(files, { asOf: '2026-01-31' })).toThrow(/^pnpm cannot install/);
  });

  test("is that of the repository's own yarn, also for a member", () => {
    const own = '.yarn/releases/yarn-4.9.0.cjs';
    const files = { ...berry, '.yarnrc.yml': `yarnPath: ${own}`, [own]: '' };
    expect(install(files)).toContain(` node ${own} install`);
    const manager = find(files, 'packages/codec');
    expect(nameProgram(manager, 'packages/codec')).toMatch(
      / node \.\.\/\.\.\/\.yarn\/releases\/yarn-4\.9\.0\.cjs$/,
    );
    expect(install({ ...berry, '.yarnrc.yml': `yarnPath: ${own}` })).toContain(' npx ');
  });
});
