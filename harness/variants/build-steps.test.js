import { chooseScripts, isOfNoRegistry, isSource, leaveOut, listMissing } from './build-steps.js';

describe('a package is built by', () => {
  const BUNDLE = { 'build:bundle': 'rollup' };
  test.each([
    ['nothing without scripts', undefined, false, []],
    ['its script build', { build: 'tsc', prepare: 'x' }, true, ['build']],
    ['nothing, where the commit has its module', { test: 'x', prepare: 'x' }, true, []],
    [
      'another script, where it does not',
      { prepare: 'x', prepack: 'y' },
      false,
      ['prepack', 'prepare'],
    ],
    [
      'first the bundle alone if it is the last step',
      { ...BUNDLE, build: 'npm run build:dts && npm run build:bundle' },
      false,
      ['build:bundle', 'build'],
    ],
    [
      'everything if another step follows the bundle',
      { ...BUNDLE, build: 'npm run build:bundle && terser' },
      false,
      ['build'],
    ],
  ])('%s', (_, scripts, hasModule, names) => {
    const manifest = /** @type {any} */ ({ scripts });
    expect(chooseScripts(manifest, { hasModule: Boolean(hasModule) })).toEqual(names);
  });
});

test.each(['index.js', 'lib/index.js', 'esm/index.js', 'distance.js'])(
  '%s is a source',
  (entry) => {
    expect(isSource(entry)).toBe(true);
  },
);

test.each(['dist/index.js', 'build/a.js', 'dist-node/index.js'])(
  '%s may be an old build',
  (entry) => {
    expect(isSource(entry)).toBe(false);
  },
);

test.each([
  'github:a/b#main',
  'a/b',
  'git+ssh://git@host/a.git',
  'https://host/a.tgz',
  'git@host:a/b.git',
])('%s is of no registry', (wanted) => expect(isOfNoRegistry(wanted)).toBe(true));

test.each([
  '^1.0.0',
  'latest',
  'npm:other@1',
  'workspace:*',
  'catalog:',
  'file:../a',
  'link:../b/c',
])('%s is of a registry, or of the repository', (wanted) =>
  expect(isOfNoRegistry(wanted)).toBe(false),
);

test('packages that a registry does not have are named by the log', () => {
  const log = [
    "npm error 404  '@a/tool@https://host/tool-1.0.0.tgz' is not in this registry.",
    'other is not in the npm registry, or you have no permission to fetch it.',
  ];
  expect(listMissing(log)).toEqual(new Set(['@a/tool', 'other']));
});

test('what is left out is needed neither by the package nor by the members that it loads', () => {
  const manifests = {
    '': { devDependencies: { gone: '1', kept: '1' } },
    codec: {
      name: 'codec',
      dependencies: { gone: '1', part: '*' },
      devDependencies: { gone: '1' },
    },
    part: { name: 'part', dependencies: { gone: '1' } },
    tool: { name: 'tool', dependencies: { gone: '1' } },
  };
  const { changed, names } = leaveOut(manifests, 'codec', (name) => name === 'gone');
  expect(names).toEqual(['gone']);
  expect(changed).toEqual({
    '': { devDependencies: { kept: '1' } },
    codec: { ...manifests.codec, devDependencies: {} },
    tool: { name: 'tool', dependencies: {} },
  });
});
