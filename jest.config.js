import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isLong, isRest } from './harness/testing/support/parts.js';
import { moveTemporaryFiles } from './harness/testing/support/temporary.js';

/** Imports the gates of long tests, directly or with the variants of js-bson. */
const HAS_GATES = /from '.*\/(?:gates|test-support\/variants)\.js'/;

moveTemporaryFiles();

// Without this, the runner colours the messages of failures even in a file.
if (!process.stdout.isTTY) process.env.FORCE_COLOR ??= '0';

/** @type {import('jest').Config} */
export default {
  // Runs files in processes that keep their modules. Jest's own runner loads all of them again for each file, and a
  // process of several threads is so large that starting a process from it takes several times as long.
  runner: '<rootDir>/harness/testing/support/process-runner.js',
  setupFilesAfterEnv: ['<rootDir>/harness/testing/support/set-up-tests.js'],
  globalTeardown: '<rootDir>/harness/testing/support/tear-down-tests.js',
  transform: {},
  testMatch: isRest ? listGated() : ['**/*.test.js'],
  // Each loads all modules. More than there are cores where many tests wait for processes.
  maxWorkers: Math.ceil((isLong ? 1.5 : 1) * availableParallelism()),
  // Browsers are long tests. Without them their files need not be loaded.
  testPathIgnorePatterns: ['/node_modules/', ...(isLong ? [] : ['\\.browser\\.test\\.js$'])],
  modulePathIgnorePatterns: ['<rootDir>/.assay/', '<rootDir>/reports/runs/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.js'],
};

/** @returns {string[]} files that may have long tests */
function listGated() {
  return ['corpora', 'experiments', 'harness', 'reports', 'scripts']
    .flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder), { recursive: true }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => path.endsWith('.test.js'))
    .filter((path) => HAS_GATES.test(readFileSync(join(import.meta.dirname, path), 'utf8')))
    .map((path) => `<rootDir>/${path}`);
}
