import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXIT } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { runInWorker } from '../worker/test-support/report-of.js';
import { shareProject } from './support/comparisons.js';
import { makeTestDirectory } from './support/directories.js';
import { expectStatus } from './support/expect-status.js';
import { openFakeWorkers } from './support/fake-workers.js';
import { testLong } from './support/gates.js';
import { callAssay } from './support/project.js';

const STREAMED = ['in-promise', 'in-chunks', 'in-node-stream', 'in-web-stream', 'after-timer'];
const fakes = await openFakeWorkers();
afterAll(fakes.remove);

/** @type {(kind: 'output' | 'measure', operation: string) => Promise<any>} */
function reportOf(kind, operation) {
  const job = { ...fakes.makeJob(kind, {}, 'script'), operation };
  return runInWorker(job);
}

describe('an asynchronous operation', () => {
  test.each(STREAMED)('that gives bytes %s has the output of a synchronous one', async (name) => {
    const { outputDigest } = await reportOf('output', 'reverse');
    expect(await reportOf('output', name)).toMatchObject({ outputDigest });
    const measured = await reportOf('measure', name);
    expect(measured.outputDigest).toBe(outputDigest);
    expect(measured.measurement.batchIdleMs).toHaveLength(3);
  });

  test('that uses other threads is measured with the time in which it waits for them', async () => {
    const { outputDigest } = await reportOf('output', 'by-thread-pool');
    const measured = await reportOf('measure', 'by-thread-pool');
    expect(measured.outputDigest).toBe(outputDigest);
    expect(Math.max(...measured.measurement.batchIdleMs)).toBeGreaterThan(0);
  });
});

describe('a comparison of asynchronous operations', () => {
  const projectPath = shareProject();
  const directory = makeTestDirectory('awaited');

  /** @param {string[]} more */
  async function compare(...more) {
    const out = mkdtempSync(join(directory, 'runs-'));
    const options = ['--family', 'fake-script', '--explain', 'none', '--budget', '0.1'];
    const args = ['compare', 'plain', 'plain+when=timed', ...options, '--out', out, ...more];
    const result = await callAssay(args, { projectPath });
    return { ...result, path: join(out, readdirSync(out)[0] ?? '') };
  }

  test('has the calls in flight that are asked for, and repeats with them', async () => {
    const { status, stderr, path } = await compare('--op', 'in-promise', '--concurrency', '4');
    expectStatus({ status, stderr }, EXIT.done);
    const { question, command } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
    expect(question.cells).toMatchObject([{ id: 'in-promise deep concurrency 4', concurrency: 4 }]);
    expect(command).toContain('--concurrency 4');
  });

  test('refuses calls in flight of a synchronous operation', async () => {
    const { status, stderr } = await compare('--op', 'reverse', '--concurrency', '4');
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain(
      '--concurrency is for asynchronous operations, and reverse is synchronous',
    );
  });
});

testLong('the check of known costs compares, and says what it found', async () => {
  const script = join(PROJECT.assayPath, 'scripts/check-awaited-costs.js');
  const args = [script, '--budget', '6', '--processes', '4', '--only', 'work'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  // On a busy host the known cost, which is measured outside of the harness, may be below zero.
  expect(stdout).toMatch(/^work: -?[\d.]+ ns on .*; known \d\.\d+ \(.*\); found .*; control .*\n$/);
});
