import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { findTool } from '../host/tools.js';
import { EXIT } from '../lib/errors.js';
import { compareArgs, openComparisons, readObservations, waitFor } from './support/comparisons.js';
import { isLong } from './support/gates.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Comparison } from './support/comparisons.js' */

jest.setTimeout(120_000);

const server = findTool('nats-server', process.env);
const describeFleet = server === null ? describe.skip : describe;
const testLong = isLong ? test : test.skip;

const store = mkdtempSync(join(tmpdir(), 'assay-broker-'));
const comparisons = openComparisons();
/** @type {ChildProcess[]} */
let started = [];
let url = '';
/** @type {ChildProcess} */
let broker;

/** Starts the broker with what it stored before. */
async function startBroker() {
  const { port } = new URL(url);
  const args = ['-js', '-a', '127.0.0.1', '-p', port, '-sd', store];
  broker = spawn(/** @type {string} */ (server), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const text of /** @type {NodeJS.ReadableStream} */ (broker.stderr)) {
    if (String(text).includes('Server is ready')) break;
  }
}

/** @param {ChildProcess} child */
async function kill(child) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * @param {Comparison} comparison
 * @param {string[]} names of hosts
 * @returns {ChildProcess[]}
 */
function startHosts(comparison, names) {
  const hosts = names.map((name) =>
    comparison.start(['fleet', 'work', '--nats', url, '--name', name]),
  );
  started.push(...hosts);
  return hosts;
}

/** @param {Comparison} comparison  @param {string[]} [more] */
function startComparison(comparison, more = []) {
  const child = comparison.start([...compareArgs('script', 'plain'), '--fleet', url, ...more]);
  started.push(child);
  return child;
}

/** @param {Comparison} comparison  @param {number} count */
async function waitForObservations(comparison, count) {
  for (;;) {
    try {
      if (readObservations(comparison.findRun()).length >= count) return;
    } catch {
      // There is no journal yet.
    }
    await delay(50);
  }
}

/**
 * Every job has one observation, and it is done.
 *
 * @param {Comparison} comparison
 */
function expectEachOnce(comparison) {
  const observations = readObservations(comparison.findRun());
  const ids = observations.map(({ jobId }) => jobId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(observations.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  const verdict = JSON.parse(readFileSync(join(comparison.findRun(), 'verdict.json'), 'utf8'));
  expect(verdict.ended).toBe('complete');
  return observations;
}

beforeAll(async () => {
  if (server === null) return;
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  url = `nats://127.0.0.1:${port}`;
  await startBroker();
});

afterEach(async () => {
  for (const child of started.filter(
    ({ exitCode, signalCode }) => (exitCode ?? signalCode) === null,
  ))
    await kill(child);
  started = [];
});

afterAll(async () => {
  if (server !== null) await kill(broker);
  rmSync(store, { recursive: true });
  comparisons.remove();
});

describeFleet('a comparison over a fleet', () => {
  test('is measured by several hosts, each job once', async () => {
    const comparison = comparisons.open();
    startHosts(comparison, ['one', 'two', 'three']);
    const { status, stderr, stdout } = await waitFor(startComparison(comparison));
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    const observations = expectEachOnce(comparison);
    for (const { host } of observations) expect(['one', 'two', 'three']).toContain(host);
    expect(stdout).toContain('Repeat');
  });

  testLong('names hosts that measure something else, and waits for another', async () => {
    const comparison = comparisons.open();
    const other = openComparisons();
    try {
      const stranger = other.open();
      const changed = join(other.directory, 'project', 'harness', 'lib', 'words.js');
      stranger.start(['--version'], { shell: `echo '// changed' >> ${changed}` });
      await delay(500);
      startHosts(stranger, ['stranger']);
      const child = startComparison(comparison);
      let stderr = '';
      child.stderr?.on('data', (text) => (stderr += text));
      while (!stderr.includes('stranger')) await delay(50);
      startHosts(comparison, ['friend']);
      expect(await once(child, 'close')).toEqual([EXIT.done, null]);
      expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
        /note: stranger does not measure this run: sources of Assay and the family differs/,
      );
      for (const { host } of expectEachOnce(comparison)) expect(host).toBe('friend');
    } finally {
      other.remove();
    }
  });

  test('is resumed after its submitter was killed', async () => {
    const comparison = comparisons.open();
    startHosts(comparison, ['one']);
    const child = startComparison(comparison);
    await waitForObservations(comparison, 8);
    await kill(child);
    const before = readObservations(comparison.findRun()).map(({ jobId }) => jobId);
    const local = await comparison.run(['compare', '--resume', comparison.findRun()]);
    expect(local.stderr).toMatch(/was measured by a fleet\s+add --fleet/);
    const { status } = await comparison.run([
      'compare',
      '--resume',
      comparison.findRun(),
      '--fleet',
      url,
    ]);
    expect(status).toBe(EXIT.done);
    const after = expectEachOnce(comparison).map(({ jobId }) => jobId);
    expect(after.slice(0, before.length)).toEqual(before);
  });

  testLong('shares the hosts with another comparison', async () => {
    const both = [comparisons.open(), comparisons.open()];
    startHosts(both[0], ['one', 'two']);
    const ended = await Promise.all(both.map((each) => waitFor(startComparison(each))));
    expect(ended).toMatchObject([{ status: EXIT.done }, { status: EXIT.done }]);
    for (const comparison of both) expectEachOnce(comparison);
  });

  testLong('loses nothing when a host is killed in a block', async () => {
    const comparison = comparisons.open();
    const [victim] = startHosts(comparison, ['one', 'two', 'three']);
    const child = startComparison(comparison);
    await waitForObservations(comparison, 8);
    await kill(victim);
    expect(await waitFor(child)).toMatchObject({ status: EXIT.done });
    expectEachOnce(comparison);
  });

  testLong('loses nothing when the broker is killed and comes back', async () => {
    const comparison = comparisons.open();
    startHosts(comparison, ['one', 'two']);
    const child = startComparison(comparison);
    await waitForObservations(comparison, 8);
    await kill(broker);
    await delay(500);
    await startBroker();
    expect(await waitFor(child)).toMatchObject({ status: EXIT.done });
    expectEachOnce(comparison);
  });
});

test('a broker that is not there has one clear message', async () => {
  const comparison = comparisons.open();
  const nobody = ['--fleet', 'nats://127.0.0.1:9'];
  const { status, stderr } = await comparison.call([...compareArgs('script', 'plain'), ...nobody]);
  expect(status).toBe(EXIT.failed);
  expect(stderr).toMatch(
    /no NATS server answers at 127\.0\.0\.1:9: .*\s+start one with: nats-server -js/,
  );
});

test('a broker on another machine needs encryption and credentials', async () => {
  const comparison = comparisons.open();
  for (const address of [
    'nats://broker.example:4222',
    'tls://broker.example',
    'http://localhost',
  ]) {
    const { status, stderr } = await comparison.call(['fleet', 'work', '--nats', address]);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/tls:\/\/USER:PASSWORD@HOST/);
  }
});
