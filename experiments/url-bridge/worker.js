import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** @import { BuildContext, FamilyWorker } from '../../harness/formats/types.ts' */

/** C++ of `addon/`. Ada comes in through `ada-unit.cpp`. */
const UNITS = ['addon.cpp', 'ada-origin.cpp', 'ways.cpp', 'ada-unit.cpp'];

/** What npm installs by. */
const PACKAGE_FILES = ['packages/package.json', 'packages/package-lock.json'];

/** Nothing but the entries that Node-API looks for may leave the library, and no call may leave it to
 * the Ada that every Node from 19.7 on exports; frame pointers let perf walk the stack. */
const COMPILER_FLAGS = [
  '-std=c++17',
  '-O3',
  '-DNDEBUG',
  '-DNAPI_VERSION=8',
  '-fPIC',
  '-fvisibility=hidden',
  '-fvisibility-inlines-hidden',
  '-fno-omit-frame-pointer',
  '-shared',
  '-Wl,-Bsymbolic',
];

/**
 * Builds the addon that variants load. Node-API is stable, so that one addon serves all Nodes.
 *
 * @type {FamilyWorker}
 */
export const worker = {
  toolchain: [
    {
      name: 'g++',
      leastVersion: '9.0',
      versionArgs: ['-dumpfullversion'],
      install: 'apt-get install g++',
    },
    { name: 'npm', leastVersion: '8.0', versionArgs: ['--version'], install: 'comes with Node' },
  ],
  // Listed by name, to exclude packages that a developer installs.
  sources: ['addon', ...PACKAGE_FILES],

  async build(context) {
    const packagesPath = await installSources(context);
    await compileAddon(context, packagesPath);
  },
};

/**
 * Brings Ada's amalgamated source and the headers of Node-API. npm holds both packages against the
 * checksums in the lock file, and takes them from its cache where it has them.
 *
 * @param {BuildContext} context
 * @returns {Promise<string>} directory of the packages
 */
async function installSources({ familyPath, outputPath, downloadsPath, run }) {
  const workingPath = join(outputPath, 'packages');
  for (const name of PACKAGE_FILES) cpSync(join(familyPath, name), join(outputPath, name));
  // Ada's carrier names React Native as its peer, which is for its own JavaScript alone.
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const cache = ['--prefer-offline', '--cache', join(downloadsPath, 'npm')];
  await run('npm', ['ci', ...flags, ...cache, '--loglevel=error'], { workingPath });
  return join(workingPath, 'node_modules');
}

/**
 * @param {BuildContext} context
 * @param {string} packagesPath
 */
async function compileAddon({ familyPath, outputPath, run }, packagesPath) {
  const addonPath = join(familyPath, 'addon');
  await run('g++', [
    ...COMPILER_FLAGS,
    `-Wl,--version-script=${join(addonPath, 'exports.map')}`,
    `-I${join(packagesPath, 'react-native-fast-url', 'cpp')}`,
    `-I${join(packagesPath, 'node-api-headers', 'include')}`,
    '-o',
    join(outputPath, 'url-bridge.node'),
    ...UNITS.map((unit) => join(addonPath, unit)),
  ]);
}
