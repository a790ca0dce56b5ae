import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** @import { BuildContext, FamilyWorker } from '../../harness/formats/types.ts' */

/** C++ files of `addon/`; `ada-unit.cpp` includes Ada. */
const UNITS = ['addon.cpp', 'ada-origin.cpp', 'ways.cpp', 'ada-unit.cpp'];

/** The package files for npm. */
const PACKAGE_FILES = ['packages/package.json', 'packages/package-lock.json'];

/**
 * The library exports only the symbols that Node-API needs, and its calls of Ada stay inside it,
 * although Node exports its own Ada since 19.7. Frame pointers let perf walk the stack.
 */
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
 * Builds the addon that variants load. One addon works with every version of Node, because Node-API
 * is stable.
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
 * Installs the amalgamated source of Ada and the headers of Node-API. npm verifies both packages
 * with the checksums in the lock file, and uses its cache if possible.
 * @type {(context: BuildContext) => Promise<string>} directory of the packages
 */
async function installSources({ familyPath, outputPath, downloadsPath, run }) {
  const workingPath = join(outputPath, 'packages');
  for (const name of PACKAGE_FILES) cpSync(join(familyPath, name), join(outputPath, name));
  // The package with Ada has React Native as a peer dependency, which only its JavaScript needs.
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const cache = ['--prefer-offline', '--cache', join(downloadsPath, 'npm')];
  await run('npm', ['ci', ...flags, ...cache, '--loglevel=error'], { workingPath });
  return join(workingPath, 'node_modules');
}

/** @param {BuildContext} context @param {string} packagesPath */
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
