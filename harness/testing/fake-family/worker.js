import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @import { FamilyWorker } from '../../formats/types.ts' */

const NEVER_READS = "require('fs').closeSync(0)";

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
    const { figures = 'measured', rounds = '1', behaviour, when } = settings;
    if (figures !== 'measured') {
      const args = [join(buildPath, 'scripted.sh'), rounds, figures];
      return { executable: '/bin/sh', args, recordingArgs: [], loop: [] };
    }
    // A program that reads no job cannot learn from its job that it should not.
    if (behaviour === 'never-reads' && when === 'always') {
      return { executable: 'node', args: ['-e', NEVER_READS], loop: [] };
    }
    return {
      executable: 'node',
      args: ['--max-old-space-size=32', join(buildPath, 'main.js')],
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
