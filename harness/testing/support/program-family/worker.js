import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @import { FamilyWorker } from '../../../formats/types.ts' */

/** @satisfies {FamilyWorker} */
export const worker = {
  toolchain: [
    { name: 'node', leastVersion: '20.19', versionArgs: ['--version'], install: 'see README.md' },
  ],
  sources: ['program'],

  async build({ familyPath, outputPath, run }) {
    cpSync(join(familyPath, 'program'), outputPath, { recursive: true });
    writeFileSync(join(outputPath, 'package.json'), '{ "type": "module" }\n');
    await run('node', ['--check', join(outputPath, 'main.js')]);
  },

  command({ buildPath, settings }) {
    // It cannot be told by its job what to do with its job.
    const isDeaf = settings.behaviour === 'never-reads' && settings.when === 'always';
    return {
      executable: 'node',
      args: ['--max-old-space-size=32', join(buildPath, isDeaf ? 'never-reads.js' : 'main.js')],
      recordingArgs: [
        '--perf-basic-prof',
        '--interpreted-frames-native-stack',
        `--logfile=${join(buildPath, 'v8.log')}`,
        '--no-logfile-per-isolate',
      ],
      // V8 may inline the second into the first.
      loop: ['runFor', 'runPasses'],
    };
  },
};
