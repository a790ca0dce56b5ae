import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** @import { FamilyWorker } from '../../harness/formats/types.ts' */

const PACKAGE_FILES = ['packages/package.json', 'packages/package-lock.json'];

/**
 * Installs the libraries of the variants that need one, with the versions and checksums of the lock file. A
 * part of them has an optional addon, which is precompiled: no script runs.
 * @type {FamilyWorker}
 */
export const worker = {
  toolchain: [
    { name: 'npm', leastVersion: '8.0', versionArgs: ['--version'], install: 'comes with Node' },
  ],
  sources: PACKAGE_FILES,

  async build({ familyPath, outputPath, downloadsPath, run }) {
    for (const name of PACKAGE_FILES) {
      cpSync(join(familyPath, name), join(outputPath, name));
    }
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const cache = ['--prefer-offline', '--cache', join(downloadsPath, 'npm')];
    await run('npm', ['ci', ...flags, ...cache], { workingPath: join(outputPath, 'packages') });
  },
};
