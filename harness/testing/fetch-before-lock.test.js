/** Packages are fetched before a command takes the host lock, so that a slow network blocks no other run. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { fakePrograms } from '../profiling/recorders/test-support/fake-programs.js';
import { runAssay } from './support/project.js';

const directory = mkdtempSync(join(tmpdir(), 'assay-fetch-'));
/** An npm without a network, which logs the locks that are held meanwhile. */
const fakes = fakePrograms({
  npm: `
    echo "asked, with locks:" $(ls "$ASSAY_LOCK_DIRECTORY") >"$LOG"
    echo '{ "error": { "code": "ENOTFOUND", "summary": "getaddrinfo ENOTFOUND registry" } }'
    echo 'npm error A complete log of this run can be found in: /logs/1.log' >&2
    exit 1`,
});
afterAll(() => {
  fakes.remove();
  rmSync(directory, { recursive: true });
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
  const variables = {
    PATH: `${fakes.path}${delimiter}${process.env.PATH}`,
    ASSAY_CACHE_DIRECTORY: join(directory, 'cache'),
    LOG: log,
  };
  const { status, stderr } = await runAssay(args, { variables });
  expect(stderr).toMatch(
    /note: fetching bson@0\.0\.1\nerror: npm could not install bson@0\.0\.1: getaddrinfo ENOTFOUND registry\n {2}check the network/,
  );
  expect(status).toBe(EXIT.failed);
  expect(readFileSync(log, 'utf8')).toBe('asked, with locks:\n');
});
