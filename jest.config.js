import { availableParallelism } from 'node:os';

const isLong = process.env.ASSAY_TEST_LONG === '1';
const isQuick = process.env.ASSAY_TEST_QUICK === '1';

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
  testEnvironment: '<rootDir>/harness/testing/support/jest-environment.js',
  transform: {},
  testMatch: ['**/*.test.js'],
  // More than there are cores, since many tests wait for processes.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Jest's 5 s are too few for a test that waits for a core.
  testTimeout: 30_000,
  // Browsers are long tests. Without them their files need not be loaded.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(isLong ? [] : ['\\.browser\\.test\\.js$']),
    ...(isQuick ? SLOW_PARTS : []),
  ],
  modulePathIgnorePatterns: ['<rootDir>/.assay/', '<rootDir>/reports/runs/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.js'],
};
