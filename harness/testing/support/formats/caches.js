import { join } from 'node:path';
import { bringPackage, findNpmPackage } from '../../../variants/npm.js';
import { buildCheckout } from '../../../variants/build-checkout.js';
import { describePackage, findEntry } from '../../../variants/package-entry.js';
import { PROJECT } from '../../../lib/project.js';

/** @import { FileFormat } from './types.ts' */

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const PACKAGE = { name: 'codec', version: '1.0.0', description: 'x', main: 'index.js' };
const LOCK = {
  name: 'codec@1.0.0',
  lockfileVersion: 3,
  packages: { '': {}, 'node_modules/codec': { version: '1.0.0', integrity: 'sha512-AA==' } },
};
const RECORD = { integrity: 'sha512-AA==', idea: 'x', source: 'a registry' };

/** @type {FileFormat[]} what the cache holds of other people's packages, and their package.json */
export const formats = [
  {
    name: 'package-lock.json of the cache',
    fileName: 'npm/codec@1.0.0/package-lock.json',
    samples: [toJson(LOCK)],
    read: (folder) =>
      findNpmPackage('codec', '1.0.0', { projectPath: PROJECT.projectPath, cachePath: folder }),
  },
  {
    name: 'build.json of the cache',
    fileName: `git/${COMMIT}/build.json`,
    samples: [toJson({ build: 'npm run build' })],
    read(folder) {
      const revision = { repositoryPath: folder, commit: COMMIT, prefix: '', name: 'x' };
      return buildCheckout(revision, { cachePath: folder });
    },
  },
  {
    name: 'package-record.json of the cache',
    fileName: 'family/packages/crates-codec@1.0.0/package-record.json',
    samples: [toJson(RECORD)],
    read(folder) {
      const spec = /** @type {any} */ ({
        registry: 'crates',
        packageName: 'codec',
        version: '1.0.0',
      });
      const context = { family: { name: 'family', path: folder }, cachePath: folder };
      return bringPackage(spec, /** @type {any} */ ({}), /** @type {any} */ (context));
    },
  },
  {
    name: 'package.json of a checkout',
    fileName: 'package.json',
    samples: [toJson(PACKAGE), toJson({ ...PACKAGE, exports: { '.': { import: './index.js' } } })],
    // A message names the checkout, or the module that is not there.
    isNamedByCaller: true,
    neighbours: { 'index.js': Buffer.from('export const x = 1;\n') },
    async read(folder) {
      return [await findEntry(join(folder)), describePackage(folder)];
    },
  },
];

/** @param {unknown} value */
function toJson(value) {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
