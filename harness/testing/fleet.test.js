import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { EXIT } from '../lib/errors.js';
import { readManifest, readRun } from '../run/store.js';
import { drawIndex, drawUniform, seedGenerator } from '../stats/random.js';
import { compareArgs, openComparisons, readObservations, waitFor } from './support/comparisons.js';
import {
  LONG,
  NATS_SERVER,
  expectAllOfLong,
  expectEachOnce,
  findPort,
  kill,
  startServer,
  waitForObservations,
} from './support/fleet.js';
import { testLong } from './support/gates.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Comparison } from './support/comparisons.js' */

jest.setTimeout(120_000);

const describeFleet = NATS_SERVER === null ? describe.skip : describe;

const store = mkdtempSync(join(tmpdir(), 'assay-broker-'));
const comparisons = openComparisons();
/** @type {ChildProcess[]} */
let started = [];
let url = '';
/** @type {ChildProcess} */
let broker;

/**
 * Starts the broker with what it stored before.
 *
 * @param {{ path?: string, mostBytes?: number }} [place] where it stores, and how much it may
 */
async function startBroker({ path = store, mostBytes = 1e9 } = {}) {
  const { port } = new URL(url);
  const configuration = join(path, 'configuration');
  const limits = `store_dir: '${path}', max_file_store: ${mostBytes}, max_memory_store: 1MB`;
  writeFileSync(configuration, `jetstream: { ${limits} }`);
  const args = ['-c', configuration, '-a', '127.0.0.1', '-p', port];
  broker = await startServer(args);
}

/**
 * @param {Comparison} comparison
 * @param {string[]} names of hosts
 * @param {string} [address] of the broker
 * @returns {ChildProcess[]}
 */
function startHosts(comparison, names, address = url) {
  const hosts = names.map((name) =>
    comparison.start(['fleet', 'work', '--nats', address, '--name', name]),
  );
  started.push(...hosts);
  return hosts;
}

/** @param {Comparison} comparison  @param {string[]} [more] */
function startComparison(comparison, more = []) {
  const child = comparison.start([...compareArgs('script', 'plain', more), '--fleet', url]);
  started.push(child);
  return child;
}

/** @param {Comparison} comparison  @returns {Promise<string>} */
async function waitForFleetId(comparison) {
  for (;;) {
    try {
      return readManifest(comparison.findRun()).fleet ?? '';
    } catch {
      await delay(50);
    }
  }
}

/** A way to the broker that can stop to carry anything, without closing a connection. */
async function openNetwork() {
  const target = Number(new URL(url).port);
  let isPaused = false;
  /** @type {import('node:net').Socket[]} */
  const sockets = [];
  const relay = createServer((near) => {
    const far = createConnection(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.push(from);
      from.on('data', (data) => to.write(data));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      if (isPaused) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (relay.address());
  return {
    url: `nats://127.0.0.1:${port}`,
    pause() {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

beforeAll(async () => {
  if (NATS_SERVER === null) return;
  url = `nats://127.0.0.1:${await findPort()}`;
  await startBroker();
});

afterEach(async () => {
  for (const child of started) await kill(child);
  started = [];
});

afterAll(async () => {
  if (NATS_SERVER !== null) await kill(broker);
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
    const { hosts = [] } = await readRun(comparison.findRun());
    const active = new Set(observations.map(({ host }) => host));
    expect(new Set(hosts.map(({ host }) => host))).toEqual(active);
    const page = readFileSync(join(comparison.findRun(), 'report.md'), 'utf8');
    expect(page).toContain(hosts[0].environment.cpuModel);
    expect(page).toContain('not calibrated');
  });

  test('ignores what is no answer, and a clock that is wrong', async () => {
    const comparison = comparisons.open();
    const child = startComparison(comparison);
    const output = waitFor(child);
    const fleetId = await waitForFleetId(comparison);
    const connection = await connect({ servers: url });
    connection.publish(`assay.result.${fleetId}`, 'no answer');
    connection.publish(`assay.result.${fleetId}`, JSON.stringify({ kind: 'result', fleetId }));
    await connection.drain();
    const clock = 'data:text/javascript,const now = Date.now; Date.now = () => now() - 1e9;';
    const hosts = comparison.start(['fleet', 'work', '--nats', url, '--name', 'late'], {
      variables: { NODE_OPTIONS: `--import="${clock}"` },
    });
    started.push(hosts);
    const { status, stderr } = await output;
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    expect(stderr.match(/an answer was ignored/g)).toHaveLength(2);
    for (const { startedAtMs } of expectEachOnce(comparison)) {
      expect(startedAtMs).toBeGreaterThan(0);
      expect(startedAtMs).toBeLessThan(120_000);
    }
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

  testLong('loses nothing when the network of a host fails for longer than a block', async () => {
    const comparison = comparisons.open();
    const network = await openNetwork();
    startHosts(comparison, ['near']);
    startHosts(comparison, ['far'], network.url);
    const child = startComparison(comparison, LONG);
    await waitForObservations(comparison, 16);
    network.pause();
    await delay(15_000);
    network.resume();
    expect(await waitFor(child)).toMatchObject({ status: EXIT.done });
    network.close();
    const observations = expectEachOnce(comparison);
    expect(new Set(observations.map(({ host }) => host))).toEqual(new Set(['near', 'far']));
  });

  testLong(
    'is resumed after the broker had no space left',
    async () => {
      await kill(broker);
      const full = mkdtempSync(join(store, 'full-'));
      await startBroker({ path: full, mostBytes: 60_000 });
      const comparison = comparisons.open();
      startHosts(comparison, ['one', 'two']);
      const { status, stderr } = await waitFor(startComparison(comparison, LONG));
      expect({ status, stderr }).toMatchObject({ status: EXIT.failed });
      expect(stderr).toMatch(/the broker does not take what is sent to it: .*free space for it/s);
      await kill(broker);
      await startBroker({ path: full });
      // The others have ended if they had something to answer.
      startHosts(comparison, ['three']);
      const again = ['compare', '--resume', comparison.findRun(), '--fleet', url];
      expect(await comparison.run(again)).toMatchObject({ status: EXIT.done });
      expectEachOnce(comparison);
      await kill(broker);
      await startBroker();
    },
    300_000,
  );

  testLong(
    'has the same observations after twenty kills at random moments',
    async () => {
      const comparison = comparisons.open();
      const hosts = startHosts(comparison, ['one', 'two', 'three']);
      const child = startComparison(comparison, LONG);
      const output = waitFor(child);
      await waitForObservations(comparison, 4);
      const random = seedGenerator(23);
      let kills = 0;
      for (; kills < 20 && child.exitCode === null; kills++) {
        await delay(drawUniform(random) * 2_000);
        const index = drawIndex(random, 4);
        if (index === 3) {
          await kill(broker);
          await startBroker();
        } else {
          await kill(hosts[index]);
          [hosts[index]] = startHosts(comparison, [`again-${kills}`]);
        }
      }
      expect(kills).toBe(20);
      const { status, stderr } = await output;
      expect({ status, stderr }).toMatchObject({ status: EXIT.done });
      await expectAllOfLong(comparison);
    },
    600_000,
  );
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

test('nothing but --fleet loads the clients of the broker', async () => {
  const hook = `export const resolve = (name, context, next) => {
    if (name.startsWith('@nats-io/')) throw new Error('a client was loaded');
    return next(name, context);
  };`;
  const hookUrl = `data:text/javascript,${encodeURIComponent(hook)}`;
  const code = `import { register } from 'node:module'; register(${JSON.stringify(hookUrl)});`;
  const variables = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
  const comparison = comparisons.open();
  const compare = compareArgs('script', 'plain');
  const { status, stderr } = await comparison.run(compare, { variables });
  expect({ status, stderr }).toMatchObject({ status: EXIT.done });
  for (const args of [
    ['compare', '--help'],
    ['fleet', '--help'],
    ['report', comparison.findRun()],
  ]) {
    expect(await comparison.run(args, { variables })).toMatchObject({ status: EXIT.done });
  }
  const fleet = [...compare, '--fleet', 'nats://127.0.0.1:9'];
  expect((await comparison.run(fleet, { variables })).stderr).toMatch(/a client was loaded/);
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
    expect(stderr).toMatch(/tls:\/\/HOST|NATS_USER/);
  }
});
