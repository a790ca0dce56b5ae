/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  transform: {},
  testMatch: ['**/*.test.js'],
  modulePathIgnorePatterns: ['<rootDir>/.assay/', '<rootDir>/reports/runs/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.js'],
};
