import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTestDirectory } from '../../testing/support/directories.js';

const directory = makeTestDirectory('cpu-profile');
const PROGRAM_PATH = fileURLToPath(new URL('test-support/profile-many-lines.js', import.meta.url));

test('the profiler starts without a deadlock if a collection happens meanwhile', () => {
  const path = join(directory, 'one.cpuprofile');
  const flags = ['--expose-gc', '--no-incremental-marking'];
  execFileSync(process.execPath, [...flags, PROGRAM_PATH, path], { timeout: 100_000 });
  expect(JSON.parse(readFileSync(path, 'utf8')).nodes.length).toBeGreaterThan(0);
});
