import { findInstalledLock, listDependencies, makeLock, nameDependency } from './dependencies.js';

const own = { version: '1.0.0', integrity: 'sha512-a' };
const long = { version: '5.0.0', integrity: 'sha512-b' };
const nested = { version: '4.0.0', integrity: 'sha512-c' };
const lock = {
  packages: {
    '': {},
    'node_modules/codec': own,
    'node_modules/long': long,
    'node_modules/codec/node_modules/@a/long': nested,
    'node_modules/build-tool': { ...long, dev: true },
    'node_modules/codec/node_modules/bundled': { version: '1.0.0', inBundle: true },
    'node_modules/from-git': { version: '2.0.0', resolved: 'git+ssh://host/a.git#0123456' },
    'node_modules/workspace': { link: true },
    'packages/workspace': { version: '1.0.0' },
  },
};

test('dependencies are those that are installed, without the package itself, bundled ones and tools of a build', () => {
  expect(listDependencies(lock, 'codec')).toEqual([
    { path: 'codec/node_modules/@a/long', ...nested },
    { path: 'from-git', version: '2.0.0' },
    { path: 'long', ...long },
  ]);
  expect(
    [null, {}, { packages: 7 }, { packages: { 'node_modules/a': null } }].map((each) =>
      listDependencies(each),
    ),
  ).toEqual([[], [], [], []]);
});

test('a recorded package is needed by the one that it is in, or by the project', () => {
  const inner = { path: 'codec/node_modules/@a/long', ...nested };
  const { project, lock: made } = makeLock([
    inner,
    { path: 'long', ...long },
    { path: 'codec', ...own },
  ]);
  expect(nameDependency(inner)).toBe('@a/long');
  expect(project).toEqual({ private: true, dependencies: { codec: '1.0.0', long: '5.0.0' } });
  expect(made).toMatchObject({
    packages: {
      'node_modules/codec': { ...own, dependencies: { '@a/long': '4.0.0' } },
      'node_modules/codec/node_modules/@a/long': { ...nested, dependencies: {} },
      'node_modules/long': { ...long, dependencies: {} },
    },
  });
});

test('nothing is found where npm installed nothing', () => {
  expect(findInstalledLock('/no/such/package', '/no/such')).toBeNull();
});
