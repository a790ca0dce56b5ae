/**
 * Runs the unit tests of a checkout of js-bson, or of the MongoDB driver, with bson itself and with the champion in its
 * place, and lists what fails with the champion. Exit status 0: nothing but what `bson-tests/explained.json` explains. The
 * checkout is only read: its HEAD is built in the cache, once, and tested in a temporary copy.
 *
 *     node scripts/run-bson-tests.js DIRECTORY [--node VERSION]
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AssayError, EXIT, MachineError, UsageError } from '../harness/lib/errors.js';
import { PROJECT } from '../harness/lib/project.js';
import { quoteWords } from '../harness/lib/words.js';
import { buildCheckout } from '../harness/variants/build-checkout.js';
import { findCommit, requireCheckout } from '../harness/variants/git.js';
import { readPackage } from '../harness/variants/package-entry.js';
import { runBuildCommand } from '../harness/variants/run-build.js';
import { findRuntime } from '../harness/variants/runtimes.js';
import { compareResults, describeComparison, readResults } from './bson-tests/results.js';

/** @import { Explained, Results } from './bson-tests/results.js' */

/**
 * How the tests of a package are run.
 *
 * @typedef {object} Suite
 * @property {string} tests folder that mocha is given
 * @property {string[]} ignored files of tests that need what is not installed
 * @property {string[]} scripts of package.json that make what only tests need
 * @property {Record<string, Form>} forms by name
 *
 * @typedef {object} Form
 * @property {Record<string, string>} variables of the environment, by name
 * @property {string} replaced path of the file that is replaced, in the copy
 * @property {string} replacement name of the file of the built champion
 */

/** @type {Record<string, Suite>} by the name of the package */
const SUITES = {
  bson: {
    tests: 'test/node',
    ignored: [],
    scripts: ['build:dts'],
    forms: {
      node: {
        variables: { WEB: 'false' },
        ...{ replaced: 'src/index.ts', replacement: 'bson.cjs' },
      },
      web: {
        variables: { WEB: 'true' },
        ...{ replaced: 'lib/bson.cjs', replacement: 'bson.web.cjs' },
      },
    },
  },
  mongodb: {
    tests: 'test/unit',
    // Without mongodb-client-encryption and zstd, whose binaries are not packages of npm, these fail as they are loaded.
    ignored: [
      'test/unit/client-side-encryption/auto_encrypter.test.ts',
      'test/unit/cmap/wire_protocol/compression.test.ts',
    ],
    scripts: ['bundle:driver', 'build:runtime-barrel'],
    forms: {
      node: {
        variables: {},
        ...{ replaced: 'node_modules/bson/lib/bson.cjs', replacement: 'bson.cjs' },
      },
    },
  },
};

/** @param {string} name */
const locate = (name) => fileURLToPath(new URL(name, import.meta.url));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof AssayError)) throw error;
  const { message, quoted, remedy = '' } = error;
  console.error(
    [`error: ${message}`, ...quoted, remedy].filter((line) => line !== '').join('\n  '),
  );
  process.exitCode = error.exitStatus;
}

/** @param {string[]} words  @returns {Promise<number>} exit status */
async function main(words) {
  const { directory, version } = readWords(words);
  const checkout = { path: resolve(directory), typed: directory };
  requireCheckout(checkout);
  const commit = findCommit(checkout, 'HEAD');
  const context = { ...PROJECT, onNote: console.log };
  const executable =
    version === undefined
      ? process.execPath
      : ((await findRuntime(`node@${version}`, context)).runtime?.executable ?? process.execPath);
  const revision = { repositoryPath: checkout.path, commit, prefix: '', name: directory };
  const { path } = await buildCheckout(revision, context);
  const { name = '', version: released = '' } = readPackage(path);
  const suite = SUITES[name];
  if (suite === undefined) {
    throw new UsageError(`'${directory}' is the package '${name}'`, {
      remedy: `give a checkout of ${Object.keys(SUITES).join(' or ')}`,
    });
  }
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'assay-bson-tests-'));
  try {
    const copy = join(folder, 'copy');
    copyTree(path, copy);
    const runner = { name, copy, suite, folder, executable };
    console.log(`building the champion and what the tests need`);
    await runStep(runner, [executable, locate('champion/build.js'), join(folder, 'champion')]);
    for (const script of suite.scripts) await runStep(runner, ['npm', 'run', script]);
    console.log(`tests of ${name} ${released} at ${commit.slice(0, 12)}`);
    return await compareForms(runner);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string[]} words  @returns {{ directory: string, version: string | undefined }} */
function readWords(words) {
  const { values, positionals } = parseArgs({
    args: words,
    options: { node: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length === 1) return { directory: positionals[0], version: values.node };
  throw new UsageError('the directory of a checkout is missing', {
    remedy: 'node scripts/run-bson-tests.js DIRECTORY [--node VERSION]',
  });
}

/**
 * Copies a tree, but not the packages installed in it.
 * @type {(tree: string, copy: string) => void}
 */
function copyTree(tree, copy) {
  const modules = join(tree, 'node_modules');
  cpSync(tree, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source !== modules,
  });
  symlinkSync(modules, join(copy, 'node_modules'));
}

/**
 * @typedef {object} Runner
 * @property {string} name of the package
 * @property {Suite} suite
 * @property {string} folder temporary
 * @property {string} copy of the checkout, in the folder
 * @property {string} executable path of Node
 */

/** @type {(runner: Runner) => Promise<number>} exit status */
async function compareForms(runner) {
  const { name, suite, copy, folder } = runner;
  /** @type {Explained[]} */
  const explained = JSON.parse(readFileSync(locate('bson-tests/explained.json'), 'utf8'));
  /** @type {number} */
  let status = EXIT.done;
  for (const [form, { variables, replaced, replacement }] of Object.entries(suite.forms)) {
    const own = await runTests(runner, variables);
    const results = await runTests(runner, {
      ...variables,
      // Installed packages are linked, and Node resolves links.
      ASSAY_REPLACED: realpathSync(join(copy, replaced)),
      ASSAY_REPLACEMENT: join(folder, 'champion', replacement),
    });
    const table = explained.filter((row) => row.package === name && row.forms.includes(form));
    const comparison = compareResults(own, results, table);
    console.log([`${form}:`, ...describeComparison(comparison)].join('\n  '));
    if (comparison.unexplained.length > 0) status = EXIT.regression;
  }
  return status;
}

/** @type {(runner: Runner, variables: Record<string, string>) => Promise<Results>} */
async function runTests(runner, variables) {
  const { suite, copy, folder, executable } = runner;
  const output = join(folder, 'results.json');
  rmSync(output, { force: true });
  const words = [executable, join('node_modules', 'mocha', 'bin', 'mocha.js'), suite.tests];
  for (const file of suite.ignored) words.push('--ignore', file);
  words.push('--require', locate('bson-tests/substitute.js'));
  words.push('--reporter', 'json', '--reporter-option', `output=${output}`);
  const failure = await runCommand(runner, words, variables);
  if (existsSync(output)) return readResults(readFileSync(output, 'utf8'), copy);
  throw new MachineError(`the tests in '${copy}' did not run to their end`, {
    quoted: failure?.lines ?? [],
    remedy: 'the checkout needs mocha 9.2 or later; older ones cannot be tested',
  });
}

/** @type {(runner: Runner, words: string[]) => Promise<void>} */
async function runStep(runner, words) {
  const failure = await runCommand(runner, words, {});
  if (failure === null) return;
  throw new MachineError(`'${quoteWords(words)}' ${failure.detail} in a copy of the checkout`, {
    quoted: failure.lines,
    remedy: 'run it in the checkout itself',
  });
}

/** @type {(runner: Runner, words: string[], variables: Record<string, string>) => ReturnType<typeof runBuildCommand>} */
function runCommand({ copy, executable }, words, variables) {
  const all = {
    // A test that packs the library would build it again, without the champion.
    npm_config_ignore_scripts: 'true',
    PATH: `${dirname(executable)}${delimiter}${process.env.PATH}`,
    ...variables,
  };
  const assignments = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return runBuildCommand(quoteWords(['env', ...assignments, ...words]), copy);
}
