import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** @import { FamilyWorker } from '../../harness/formats/types.ts' */

const INSTALL = 'rustup, which brings cargo and rustc; those of a distribution are often older';
const PROGRAM = 'rust-facet-worker';
const LOOPS = [
  'rust_facet::work::operation::serialize_documents',
  'rust_facet::work::operation::deserialize_documents',
];

/** @satisfies {FamilyWorker} */
export const worker = {
  toolchain: [
    { name: 'cargo', leastVersion: '1.90', versionArgs: ['--version'], install: INSTALL },
    { name: 'rustc', leastVersion: '1.90', versionArgs: ['--version'], install: INSTALL },
  ],
  // Listed by name, to exclude a developer's target folder or editor files.
  sources: [
    'crate/.cargo',
    'crate/Cargo.lock',
    'crate/Cargo.toml',
    'crate/build.rs',
    'crate/src',
    'worker.js',
  ],
  variables: ['CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN'],

  async build({ familyPath, outputPath, run }) {
    const targetPath = join(outputPath, 'target');
    // Cargo downloads into its own home, which also has the user's settings; it verifies the checksums of Cargo.lock.
    await run('cargo', ['build', '--release', '--locked', '--bin', PROGRAM], {
      workingPath: join(familyPath, 'crate'),
      variables: { CARGO_TARGET_DIR: targetPath },
    });
    copyFileSync(join(targetPath, 'release', PROGRAM), join(outputPath, PROGRAM));
    rmSync(targetPath, { recursive: true });
  },

  command({ buildPath }) {
    return {
      executable: join(buildPath, PROGRAM),
      args: [],
      loop: LOOPS,
    };
  },
};
