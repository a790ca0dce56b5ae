import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { EXIT } from '../harness/lib/errors.js';
import { makeFakeNpm, sayVersions } from '../harness/testing/support/fake-npm.js';

const SCRIPT = new URL('test-nodes.js', import.meta.url).pathname;
/** A Node that reports what it was to run, as if it had run tests. */
const TESTED = 'echo "$@"; echo "2 passed, 0 failed"';

/** @type {import('../harness/testing/support/fake-npm.js').FakeNpm} */
let npm;
afterEach(() => npm.remove());

/**
 * @param {Parameters<typeof makeFakeNpm>[0]} registry
 * @param {string[]} words
 */
function testNodes(registry, ...words) {
  npm = makeFakeNpm(registry);
  return spawnSync(process.execPath, [SCRIPT, ...words], {
    encoding: 'utf8',
    env: {
      PATH: `${npm.programPath}${delimiter}${process.env.PATH}`,
      ASSAY_CACHE_DIRECTORY: npm.cachePath,
    },
  });
}

/** @param {string} script that a Node of version 98.1.0 runs for tests */
function registryOf(script) {
  const says = `case $1 in --print) ${sayVersions('98.1.0')} ;; *) ${script} ;; esac`;
  return { versions: ['98.1.0'], says };
}

test('runs the tests that depend on Node under the named version', () => {
  const { stdout, status } = testNodes(registryOf(TESTED), '98');
  expect(stdout).toMatch(
    /^node@98\.1\.0:\n.*jest\.js .*harness\/worker\/.*\n2 passed, 0 failed\n/m,
  );
  expect(status).toBe(EXIT.done);
});

test('runs the tests that match a pattern instead', () => {
  const { stdout } = testNodes(registryOf(TESTED), '98.1.0', 'contract', 'stats');
  expect(stdout).toMatch(/jest\.js contract stats\n/);
});

test('ends with a failure when tests fail', () => {
  const { stdout, status } = testNodes(registryOf('echo "1 passed, 1 failed"; exit 1'), '98');
  expect(stdout).toMatch(/\n1 passed, 1 failed\n$/);
  expect(status).toBe(EXIT.regression);
});

test('counts tests that do not run to their end as a failure', () => {
  const { stdout, status } = testNodes(registryOf('exit 0'), '98');
  expect(stdout).toMatch(/did not finish under node@98\.1\.0\n0 passed, 1 failed\n$/);
  expect(status).toBe(EXIT.regression);
});

test('counts every other release line as skipped without the registry', () => {
  const { stdout, status } = testNodes({ isDown: true });
  const skipped = stdout.match(
    /^Node \d+ is not tested: .*ECONNREFUSED.*\n0 passed, 0 failed, 1 skipped$/gm,
  );
  expect(skipped).toHaveLength(3);
  expect(status).toBe(EXIT.done);
});

test('refuses a named version that cannot be fetched', () => {
  const down = testNodes({ isDown: true }, '98');
  expect({ status: down.status, stdout: down.stdout }).toEqual({ status: EXIT.failed, stdout: '' });
  npm.remove();
  const unknown = testNodes({ versions: ['98.1.0'] }, '97');
  expect(unknown.stderr).toContain('error: npm has no Node 97');
  expect(unknown.status).toBe(EXIT.usage);
});
