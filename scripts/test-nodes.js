/**
 * Runs tests under other versions of Node, npm's binaries: `test-nodes [VERSION...] [PATTERN...]`. Without a version,
 * under the newest of each release line that Assay supports, except the running one; without a pattern, those that depend
 * on V8, on processes or on runtimes, and one comparison by the whole program. Prints a line of counts for each Node, in
 * which one that cannot be fetched is a skipped test.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { AssayError, EXIT, MachineError } from '../harness/lib/errors.js';
import { PROJECT } from '../harness/lib/project.js';
import { findRuntime } from '../harness/variants/runtimes.js';

/** Release lines of Node that run Assay and are measured. */
const LINES = ['20', '22', '24', '26'];
/** Tests of code that another Node may run in another way. */
const DEPENDENT = [
  'experiments/js-bson/(?:codec|operations|traversals)/',
  'experiments/url-bridge/bridge/',
  'harness/cli/program',
  'harness/host/(?:lock|processes)',
  'harness/profiling/(?:recorders|v8-log)/',
  'harness/run/(?:jobs|process|sandbox)',
  'harness/testing/fake-comparison',
  'harness/variants/(?:placement/|chromium/modules|patches)',
  'harness/worker/',
];
/** A release line or an exact version. */
const VERSION = /^\d+(?:\.\d+\.\d+)?$/;
const COUNTS = /^\d+ passed, \d+ failed/m;

try {
  process.exitCode = await testNodes(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof AssayError)) throw error;
  console.error(`error: ${error.message}\n  ${error.remedy}`);
  process.exitCode = error.exitStatus;
}

/**
 * @param {string[]} words versions and patterns
 * @returns {Promise<number>} exit status
 * @throws {AssayError} when a version that was named cannot be fetched
 */
async function testNodes(words) {
  const [own] = process.versions.node.split('.');
  const named = words.filter((word) => VERSION.test(word));
  const asked = words.filter((word) => !VERSION.test(word));
  const patterns = asked.length > 0 ? asked : DEPENDENT;
  /** @type {number} */
  let status = EXIT.done;
  for (const version of named.length > 0 ? named : LINES.filter((line) => line !== own)) {
    const found = await fetchNode(version, named.length > 0);
    if (found !== null && !(await runTests(found, patterns))) status = EXIT.regression;
  }
  return status;
}

/**
 * @param {string} version
 * @param {boolean} isNamed
 * @returns {Promise<{ name: string, executable: string } | null>} null if it cannot be fetched and was not named
 */
async function fetchNode(version, isNamed) {
  const onNote = console.log;
  try {
    const { name, runtime } = await findRuntime(`node@${version}`, { ...PROJECT, onNote });
    return { name, executable: runtime?.executable ?? process.execPath };
  } catch (error) {
    if (isNamed || !(error instanceof MachineError)) throw error;
    console.log(`Node ${version} is not tested: ${error.message}\n0 passed, 0 failed, 1 skipped`);
    return null;
  }
}

/**
 * @param {{ name: string, executable: string }} found
 * @param {string[]} patterns
 * @returns {Promise<boolean>} whether all tests passed
 */
async function runTests({ name, executable }, patterns) {
  console.log(`${name}:`);
  const { PATH } = process.env;
  // One pipe for both streams: from two, the line of counts could arrive within another line.
  const script = join(PROJECT.assayPath, 'scripts', 'run-tests.sh');
  const child = spawn('sh', ['-c', 'exec sh "$@" 2>&1', 'sh', script, ...patterns], {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PATH: `${dirname(executable)}${delimiter}${PATH}`,
    },
  });
  const ended = once(child, 'close');
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    process.stdout.write(text);
    output += text;
  }
  const [status] = await ended;
  if (COUNTS.test(output)) return status === 0;
  console.log(`the tests did not finish under ${name}\n0 passed, 1 failed`);
  return false;
}
