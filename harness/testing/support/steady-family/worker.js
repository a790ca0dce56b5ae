import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** @import { FamilyWorker } from '../../../formats/types.ts' */

/** @satisfies {FamilyWorker} */
export const worker = {
  toolchain: [
    { name: 'node', leastVersion: '20.19', versionArgs: ['--version'], install: 'see README.md' },
  ],
  sources: ['program'],

  async build({ familyPath, outputPath }) {
    cpSync(join(familyPath, 'program'), outputPath, { recursive: true });
  },

  command({ buildPath, settings }) {
    return {
      executable: '/bin/sh',
      args: [join(buildPath, 'main.sh'), settings.slowness ?? ''],
      recordingArgs: [],
      loop: [],
    };
  },
};
