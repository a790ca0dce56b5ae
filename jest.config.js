import { availableParallelism } from 'node:os';

const isLong = process.env.ASSAY_TEST_LONG === '1';
const isQuick = process.env.ASSAY_TEST_QUICK === '1';

// Without this, the runner colours the messages of failures even in a file.
if (!process.stdout.isTTY) process.env.FORCE_COLOR ??= '0';

/**
 * Left out of the quick part: comparisons by the whole program, tests of every variant on thousands of documents, and
 * statistics and reports, which are the same under every Node.
 */
const SLOW_PARTS = [
  '<rootDir>/(?:harness/(?:cli|stats|studies|testing)|reports|scripts)/',
  '<rootDir>/experiments/[^/]+/(?:champion|driver|fuzz|variants|vectors)/',
];

/** @type {import('jest').Config} */
export default {
  // Runs files in threads that keep their modules. Jest's own runner loads all of them again for each file.
  runner: 'jest-light-runner',
  setupFiles: ['<rootDir>/harness/testing/support/set-up-tests.js'],
  transform: {},
  testMatch: ['**/*.test.js'],
  // More than there are cores, since many tests wait for processes.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Browsers are long tests. Without them their files need not be loaded.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(isLong ? [] : ['\\.browser\\.test\\.js$']),
    ...(isQuick ? SLOW_PARTS : []),
  ],
  modulePathIgnorePatterns: ['<rootDir>/.assay/', '<rootDir>/reports/runs/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.js'],
};
