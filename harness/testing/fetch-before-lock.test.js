/** Packages are fetched before a command takes the host lock, so that a slow network blocks no other run. */

import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { fakePrograms } from '../profiling/recorders/test-support/fake-programs.js';
import { makeTestDirectory } from './support/directories.js';
import { callAssay } from './support/project.js';

const directory = makeTestDirectory('fetch');
const locks = join(directory, 'locks');
mkdirSync(locks);
/** An npm without a network, which logs the locks that are held meanwhile. */
const fakes = fakePrograms({
  npm: `
    echo "asked, with locks:" $(ls "$ASSAY_LOCK_DIRECTORY") >"$LOG"
    echo '{ "error": { "code": "ENOTFOUND", "summary": "getaddrinfo ENOTFOUND registry" } }'
    echo 'npm error A complete log of this run can be found in: /logs/1.log' >&2
    exit 1`,
});
const { PATH, ASSAY_LOCK_DIRECTORY = '' } = process.env;
beforeAll(() => {
  process.env.PATH = `${fakes.path}${delimiter}${PATH}`;
  process.env.ASSAY_LOCK_DIRECTORY = locks;
});
afterAll(() => {
  fakes.remove();
  delete process.env.LOG;
  Object.assign(process.env, { PATH, ASSAY_LOCK_DIRECTORY });
  if (ASSAY_LOCK_DIRECTORY === '') delete process.env.ASSAY_LOCK_DIRECTORY;
});

const SPEC = 'npm:bson@0.0.1';
const CELL = ['--op', 'serialize', '--corpus', 'flat'];

test.each([
  ['compare', ['compare', SPEC, 'generator', ...CELL]],
  ['profile', ['profile', SPEC, ...CELL]],
  ['fuzz', ['fuzz', SPEC, '--for', '1s']],
  ['calibrate', ['calibrate', SPEC, '--for', '1s']],
])('%s', async (name, args) => {
  const log = join(directory, name);
  process.env.LOG = log;
  const { status, stderr } = await callAssay(args, { environment: process.env });
  expect(stderr).toMatch(
    /note: fetching bson@0\.0\.1\nerror: npm could not install bson@0\.0\.1: getaddrinfo ENOTFOUND registry\n {2}check the network/,
  );
  expect(status).toBe(EXIT.failed);
  expect(readFileSync(log, 'utf8')).toBe('asked, with locks:\n');
});
