/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/harness/testing/support/jest-environment.js',
  transform: {},
  testMatch: ['**/*.test.js'],
  // All cores; by default jest leaves one free, which is half of a machine with two.
  maxWorkers: '100%',
  modulePathIgnorePatterns: ['<rootDir>/.assay/', '<rootDir>/reports/runs/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.js'],
};
