import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import jsdoc from 'eslint-plugin-jsdoc';
import globals from 'globals';

/** Pure modules: numbers in, numbers or text out; no clock, process, file or randomness. */
const PURE_CORE = [
  'harness/stats/**/*.js',
  'harness/profiling/{explain,formats,profiles,v8-log}/**/*.js',
  'reports/**/*.js',
  // Pure modules of folders that also have impure ones:
  'harness/lib/{columns,escape,numbers,records,words}.js',
  'harness/profiling/plan-profiles.js',
  'harness/studies/bisect/{bisection,step}.js',
  'harness/studies/claims/{budget,judge}.js',
  'harness/studies/replay/{judge,map-variants,question}.js',
];

const IMPURE_GLOBALS = [
  'process',
  'performance',
  'Date',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'console',
  'fetch',
];

const COMMANDS = readdirSync(new URL('harness/cli/commands/', import.meta.url))
  .filter((file) => !file.endsWith('.test.js'))
  .map((file) => file.replace('.js', ''));
/** A command as it is typed in a checkout only. */
const TYPED = `/\\bjust (?:${COMMANDS.join('|')})\\b/`;

export default [
  { ignores: ['node_modules/', 'reports/runs/', '.assay/', 'coverage/', 'reports/examples/site/'] },
  js.configs.recommended,
  {
    files: ['**/*.js'],
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: 'module',
      globals: { ...globals.node },
    },
    plugins: { jsdoc },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'jsdoc/require-jsdoc': [
        'error',
        { publicOnly: true, require: { FunctionDeclaration: true, ClassDeclaration: true } },
      ],
    },
  },
  {
    files: [
      '**/*.test.js',
      'harness/testing/support/{directories,expect-status,fleet,gates,project}.js',
    ],
    languageOptions: { globals: globals.jest },
  },
  {
    // Only the entry file touches process globals.
    files: ['harness/cli/cli.js', 'harness/cli/program.js', 'harness/cli/commands/*.js'],
    rules: {
      'no-restricted-globals': ['error', 'process', 'console'],
    },
  },
  {
    files: ['{harness,reports,corpora}/**/*.js'],
    ignores: ['**/*.test.js', '**/fixtures/**', '**/test-support/**', 'harness/testing/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `Literal[value=${TYPED}], TemplateElement[value.raw=${TYPED}]`,
          message: 'An installed Assay is not run by just: use PROGRAM of harness/lib/program.js.',
        },
      ],
    },
  },
  {
    files: PURE_CORE,
    ignores: ['**/*.test.js', '**/fixtures/**', '**/test-support/**', 'reports/page/**'],
    rules: {
      'no-restricted-globals': ['error', ...IMPURE_GLOBALS],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ group: ['node:*'], message: 'A pure module must not import Node modules.' }],
        },
      ],
    },
  },
  {
    // Code that runs in the browser of a report's reader, and its tests.
    files: [
      'reports/page/**/*.js',
      'reports/**/*.browser.test.js',
      'reports/**/test-support/*.js',
      'reports/fixtures/browser.js',
    ],
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
  },
  {
    // Functions are named, so that flamegraphs can be read.
    files: ['experiments/**/*.js'],
    ignores: ['**/*.test.js'],
    rules: { 'func-names': ['error', 'always'] },
  },
];
