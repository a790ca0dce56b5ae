import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect } from '@nats-io/transport-node';
import { group } from 'd3-array';
import { makeManifest } from '../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { EXIT } from '../lib/errors.js';
import { readManifest, readRun } from '../run/store.js';
import { drawIndex, drawUniform, seedGenerator } from '../stats/random.js';
import { MAX_OBJECT_BYTES, openBroker } from '../studies/fleet/broker.js';
import {
  compareArgs,
  openComparisons,
  readObservations,
  shareProject,
  waitFor,
} from './support/comparisons.js';
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
import { callAssay } from './support/project.js';
import { scriptJobs } from './support/scripted-jobs.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Broker } from '../studies/fleet/broker.js' */
/** @import { Comparison } from './support/comparisons.js' */

const describeFleet = NATS_SERVER === null ? describe.skip : describe;

const store = mkdtempSync(join(tmpdir(), 'assay-broker-'));
const comparisons = openComparisons();
const SCRIPTED = Object.freeze({ as: /** @type {const} */ ('scripted') });
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
 * Fills the broker until it has no space for a hundred bytes.
 * @returns {Promise<() => Promise<void>>} what frees the space
 */
async function fillBroker() {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  const filler = 'FILLER';
  await manager.streams.add({ name: filler, subjects: [filler] });
  const client = jetstream(connection);
  for (const bytes of [10_000, 1_000, 100]) {
    const publish = () => client.publish(filler, randomBytes(bytes));
    while (await publish().catch(() => null));
  }
  return async () => {
    await manager.streams.delete(filler);
    await connection.close();
  };
}

/**
 * Starts hosts that do not take turns, as if each were a machine of its own.
 *
 * @param {Comparison} comparison
 * @param {string[]} names of hosts
 * @param {{ address?: string, isReal?: boolean }} [how] address of the broker, and whether processes answer
 * @returns {ChildProcess[]}
 */
function startHosts(comparison, names, { address = url, isReal = false } = {}) {
  const hosts = names.map((name) =>
    comparison.start(['fleet', 'work', '--nats', address, '--name', name], {
      ...(isReal ? {} : SCRIPTED),
      variables: { ASSAY_LOCK_DIRECTORY: join(comparison.out, '..', `locks-${name}`) },
    }),
  );
  started.push(...hosts);
  return hosts;
}

/**
 * Runs a host in this process, until it is stopped.
 *
 * @type {(comparison: Comparison, name: string, signal: AbortSignal) => ReturnType<typeof callAssay>}
 */
function callHost({ out }, name, signal) {
  const ASSAY_LOCK_DIRECTORY = join(out, '..', `locks-${name}`);
  mkdirSync(ASSAY_LOCK_DIRECTORY);
  const environment = { ...process.env, ASSAY_LOCK_DIRECTORY };
  const place = { projectPath: shareProject(), environment, signal, runJob: scriptJobs() };
  return callAssay(['fleet', 'work', '--nats', url, '--name', name], place);
}

/** Four blocks of profiles, after few of times. */
const EXPLAINED = ['--with', 'cpu-profile,deopts', '--mei', '100'];

/**
 * Every profile job was done once, and its artefacts are here.
 *
 * @param {Comparison} comparison
 */
async function expectProfiled(comparison) {
  const { path, profileObservations: found } = await readRun(comparison.findRun());
  expect(found.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  const artefacts = found.flatMap((one) => (one.outcome === 'done' ? one.artefacts : []));
  expect(artefacts.length).toBeGreaterThan(4);
  for (const artefact of artefacts) expect(statSync(join(path, artefact)).size).toBeGreaterThan(0);
  return found;
}

/** @returns {Promise<string[]>} of runs, at the broker */
async function listStores() {
  const connection = await connect({ servers: url });
  const names = [];
  for await (const { bucket } of new Objm(connection).list()) names.push(bucket);
  await connection.drain();
  return names;
}

/** @param {Comparison} comparison  @returns {import('../formats/types.ts').Verdict} */
function readVerdict(comparison) {
  return JSON.parse(readFileSync(join(comparison.findRun(), 'verdict.json'), 'utf8'));
}

/** @returns {import('../formats/types.ts').FleetRun} */
function makeFleetRun() {
  const { formatVersion, assay, question, settings, variants, runtimes, ...manifest } =
    makeManifest();
  return {
    ...{ formatVersion, assay, question, settings, variants, runtimes },
    expectedDigests: manifest.expectedDigests,
    corpora: manifest.corpora.map(({ label, digest, documentCount }) => ({
      ...{ label, digest, documentCount },
    })),
    node: manifest.environment.node,
  };
}

/** @param {Comparison} comparison  @param {string[]} [more]  @param {boolean} [isReal] whether processes answer */
function startComparison(comparison, more = [], isReal = false) {
  const args = [...compareArgs('script', 'plain', more), '--fleet', url];
  const child = comparison.start(args, isReal ? {} : SCRIPTED);
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
    const stopping = new AbortController();
    const hosts = ['one', 'two'].map((name) => callHost(comparison, name, stopping.signal));
    const args = [...compareArgs('script', 'plain'), '--fleet', url, '--out', comparison.out];
    const { status, stderr, stdout } = await comparison.call(args, scriptJobs());
    stopping.abort();
    await Promise.all(hosts);
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    const observations = expectEachOnce(comparison);
    for (const { host } of observations) expect(['one', 'two']).toContain(host);
    expect(stdout).toContain('Repeat');
    const { hosts: active = [] } = await readRun(comparison.findRun());
    const names = new Set(observations.map(({ host }) => host));
    expect(new Set(active.map(({ host }) => host))).toEqual(names);
    const page = readFileSync(join(comparison.findRun(), 'report.md'), 'utf8');
    expect(page).toContain(active[0].environment.cpuModel);
    expect(page).toContain('not calibrated');
  });

  testLong('ignores what is no answer, another submitter, and a clock that is wrong', async () => {
    const comparison = comparisons.open();
    const beginMs = performance.now();
    const child = startComparison(comparison);
    const output = waitFor(child);
    const fleetId = await waitForFleetId(comparison);
    const connection = await connect({ servers: url });
    connection.publish(`assay.result.${fleetId}`, 'no answer');
    connection.publish(`assay.result.${fleetId}`, JSON.stringify({ kind: 'result', fleetId }));
    await connection.drain();
    const again = ['compare', '--resume', comparison.findRun(), '--fleet', url];
    const { status: refused, stderr: reason } = await comparison.run(again, SCRIPTED);
    expect(refused).toBe(EXIT.failed);
    expect(reason).toMatch(
      /^error: another session measures this run, on \S+\s+wait for it with --wait$/m,
    );
    const clock = 'data:text/javascript,const now = Date.now; Date.now = () => now() - 1e9;';
    const hosts = comparison.start(['fleet', 'work', '--nats', url, '--name', 'late'], {
      ...SCRIPTED,
      variables: { NODE_OPTIONS: `--import="${clock}"` },
    });
    started.push(hosts);
    const { status, stderr } = await output;
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    const elapsedMs = performance.now() - beginMs;
    expect(stderr.match(/an answer was ignored/g)).toHaveLength(2);
    for (const { startedAtMs } of expectEachOnce(comparison)) {
      expect(startedAtMs).toBeGreaterThan(0);
      expect(startedAtMs).toBeLessThan(elapsedMs);
    }
  });

  testLong('names hosts that measure something else, and waits for another', async () => {
    const comparison = comparisons.open();
    const other = openComparisons({ isOwn: true });
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

  testLong('is resumed after its submitter was killed', async () => {
    const comparison = comparisons.open();
    startHosts(comparison, ['one']);
    const child = startComparison(comparison);
    await waitForObservations(comparison, 8);
    await kill(child);
    const before = readObservations(comparison.findRun()).map(({ id }) => id);
    const resume = ['compare', '--resume', comparison.findRun()];
    const local = await comparison.run(resume, SCRIPTED);
    expect(local.stderr).toMatch(/was measured by a fleet\s+add --fleet/);
    const { status } = await comparison.run([...resume, '--fleet', url], SCRIPTED);
    expect(status).toBe(EXIT.done);
    const after = expectEachOnce(comparison).map(({ id }) => id);
    expect(after.slice(0, before.length)).toEqual(before);
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
    startHosts(comparison, ['far'], { address: network.url });
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
      await startBroker({ path: mkdtempSync(join(store, 'full-')), mostBytes: 100_000 });
      const free = await fillBroker();
      const comparison = comparisons.open();
      const { status, stderr } = await waitFor(startComparison(comparison));
      expect({ status, stderr }).toMatchObject({ status: EXIT.failed });
      expect(stderr).toMatch(/rejected requests for a minute: .*free\s+space for it/s);
      await free();
      startHosts(comparison, ['one']);
      const again = ['compare', '--resume', comparison.findRun(), '--fleet', url];
      expect(await comparison.run(again, SCRIPTED)).toMatchObject({ status: EXIT.done });
      expectEachOnce(comparison);
      await kill(broker);
      await startBroker();
    },
    600_000,
  );

  testLong(
    'has the same observations after ten kills at random moments',
    async () => {
      const comparison = comparisons.open();
      const hosts = startHosts(comparison, ['one', 'two', 'three']);
      const child = startComparison(comparison, LONG);
      const output = waitFor(child);
      await waitForObservations(comparison, 4);
      const random = seedGenerator(23);
      let kills = 0;
      for (; kills < 10 && child.exitCode === null; kills++) {
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
      expect(kills).toBe(10);
      const { status, stderr } = await output;
      expect({ status, stderr }).toMatchObject({ status: EXIT.done });
      await expectAllOfLong(comparison);
    },
    900_000,
  );
});

describeFleet('the profiles of a comparison over a fleet', () => {
  testLong('are recorded by hosts, each once, and nothing is left at the broker', async () => {
    const comparison = comparisons.open();
    startHosts(comparison, ['one', 'two'], { isReal: true });
    const { status, stderr } = await waitFor(startComparison(comparison, EXPLAINED, true));
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    const profiled = await expectProfiled(comparison);
    for (const { host } of profiled) expect(['one', 'two']).toContain(host);
    // Both arms of a process are recorded by one host.
    const hostsOf = group(profiled, (one) => `${one.recorder} ${one.process}`);
    for (const each of hostsOf.values()) expect(new Set(each.map(({ host }) => host)).size).toBe(1);
    const { explanation, hosts = [] } = readVerdict(comparison);
    expect(explanation?.cells).toHaveLength(1);
    const { observations } = await readRun(comparison.findRun());
    const jobs = hosts.map((host) => host.observations).reduce((sum, count) => sum + count);
    expect(jobs).toBe(observations.length + profiled.length);
    expect(await listStores()).toEqual([]);
  });

  testLong('are left out where no host has the recorder', async () => {
    const comparison = comparisons.open();
    const hosts = comparison.start(['fleet', 'work', '--nats', url, '--name', 'poor'], {
      variables: { PATH: '/nowhere' },
    });
    started.push(hosts);
    const child = startComparison(comparison, ['--with', 'cpu-profile,perf', '--mei', '100'], true);
    const { status, stderr } = await waitFor(child);
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    const recorders = (await expectProfiled(comparison)).map(({ recorder }) => recorder);
    expect(recorders).toContain('cpu-profile');
    expect(recorders).not.toContain('perf');
    const page = readFileSync(join(comparison.findRun(), 'report.md'), 'utf8');
    expect(page).toMatch(/instead of perf \(/);
  });

  testLong('lose nothing when a host is killed while it uploads', async () => {
    const comparison = comparisons.open();
    const die = `import net from 'node:net'; const { write } = net.Socket.prototype;
      net.Socket.prototype.write = function (data, ...more) {
        if (Buffer.from(data).includes('PUB $O.')) process.kill(process.pid, 'SIGKILL');
        return write.call(this, data, ...more);
      };`;
    const victim = comparison.start(['fleet', 'work', '--nats', url, '--name', 'victim'], {
      variables: { NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(die)}"` },
    });
    const child = startComparison(comparison, EXPLAINED, true);
    expect(await once(victim, 'exit')).toEqual([null, 'SIGKILL']);
    startHosts(comparison, ['heir'], { isReal: true });
    expect(await waitFor(child)).toMatchObject({ status: EXIT.done });
    for (const { host } of await expectProfiled(comparison)) expect(host).toBe('heir');
    expect(await listStores()).toEqual([]);
  });

  testLong('are complete after their submitter was killed, and deleted when it ends', async () => {
    const comparison = comparisons.open();
    startHosts(comparison, ['one'], { isReal: true });
    const child = startComparison(comparison, EXPLAINED, true);
    const profiles = () => readFileSync(join(comparison.findRun(), 'profiles.ndjson'), 'utf8');
    for (let count = 0; count < 2; await delay(20)) {
      try {
        count = profiles().split('\n').length;
      } catch {
        // There is no journal yet.
      }
    }
    await kill(child);
    const before = profiles().split('\n').slice(0, -1);
    expect(await listStores()).toHaveLength(1);
    const again = ['compare', '--resume', comparison.findRun(), '--fleet', url];
    expect(await comparison.run(again)).toMatchObject({ status: EXIT.done });
    await expectProfiled(comparison);
    expect(profiles().split('\n').slice(0, before.length)).toEqual(before);
    expect(await listStores()).toEqual([]);
  });
});

describeFleet('the store of a run', () => {
  const from = { formatVersion: FORMAT_VERSION, fleetId: randomUUID() };
  const { fleetId } = from;
  /** @type {Broker} */
  let store;
  beforeAll(async () => {
    store = await openBroker(url, { environment: {}, workingPath: '.' }, () => {});
    await store.putRun(fleetId, makeFleetRun());
  });
  afterAll(async () => {
    await store.endRun(fleetId);
    await store.close();
  });

  test('has the bytes that were put there, until they are deleted', async () => {
    const bytes = randomBytes(300_000);
    const stored = await store.putObject(fleetId, bytes);
    if (stored === null) throw new Error('there is no store');
    expect(bytes.equals(/** @type {Uint8Array} */ (await store.getObject(fleetId, stored)))).toBe(
      true,
    );
    await store.deleteObject(fleetId, stored.object);
    expect(await store.getObject(fleetId, stored)).toBe('the broker does not have it');
  });

  test('gives nothing that is not what the host has stored, or too large', async () => {
    const stored = await store.putObject(fleetId, randomBytes(10));
    if (stored === null) throw new Error('there is no store');
    const connection = await connect({ servers: url });
    const bucket = await new Objm(connection).open(`assay-${fleetId}`);
    await bucket.putBlob({ name: stored.object }, randomBytes(10));
    expect(await store.getObject(fleetId, stored)).toBe('it is not what the host has stored');
    await bucket.putBlob({ name: stored.object }, Buffer.alloc(MAX_OBJECT_BYTES + 1));
    expect(await store.getObject(fleetId, stored)).toBe('it is 33 MB; the limit is 32 MB');
    await connection.drain();
  });

  test('is read to the size that it says it has, and not further', async () => {
    const stored = await store.putObject(fleetId, randomBytes(300_000));
    if (stored === null) throw new Error('there is no store');
    const connection = await connect({ servers: url });
    const { streams } = await jetstreamManager(connection);
    const name = Buffer.from(stored.object).toString('base64');
    const subject = `$O.assay-${fleetId}.M.${name}`;
    const info = await streams.getMessage(`OBJ_assay-${fleetId}`, { last_by_subj: subject });
    const say = (/** @type {object} */ changed) =>
      jetstream(connection).publish(subject, JSON.stringify({ ...info?.json(), ...changed }));
    await say({ size: 200_000 });
    expect(await store.getObject(fleetId, stored)).toBe('it is not what the host has stored');
    await say({ size: 400_000 });
    expect(await store.getObject(fleetId, stored)).toBe('the broker does not have it');
    await say({ nuid: '>' });
    expect(await store.getObject(fleetId, stored)).toBe('the broker does not have it');
    await jetstream(connection).publish(subject, 'nonsense');
    expect(await store.getObject(fleetId, stored)).toMatch(/^it cannot be read: /);
    await connection.drain();
  });

  test('gives a block that cannot be read to another host', async () => {
    const connection = await connect({ servers: url });
    await jetstream(connection).publish(`assay.block.${fleetId}`, 'nonsense');
    await connection.drain();
    /** @type {string[][]} */
    const refused = [];
    const take = () => store.takeBlock(20_000, (...problem) => refused.push(problem));
    expect([await take(), await take()]).toEqual([null, null]);
    expect(refused).toEqual(Array(2).fill(['it is not JSON', fleetId]));
    await store.withdraw(fleetId);
  });

  test('keeps the blocks of a run when those of another are withdrawn', async () => {
    const other = randomUUID();
    const jobs = [
      {
        ...{ id: 'serialize flat/000/0/baseline', cellId: 'serialize flat' },
        ...{ arm: /** @type {const} */ ('baseline'), block: 0, position: 0 },
      },
    ];
    for (const [run, blockId] of [
      [other, 'first'],
      [fleetId, 'second'],
      [other, 'third'],
      [fleetId, 'fourth'],
    ]) {
      await store.submit({ ...from, fleetId: run, blockId, pass: 'timing', jobs });
    }
    await store.withdraw(other);
    const found = [];
    for (let taken; (taken = await store.takeBlock(2_000, () => {})) !== null; taken.done()) {
      found.push(taken.block.blockId);
    }
    expect(found).toEqual(['second', 'fourth']);
  });

  test('has what each of two machines with one name says of itself', async () => {
    const other = await openBroker(url, { environment: {}, workingPath: '.' }, () => {});
    const { environment } = makeManifest();
    const host = { kind: /** @type {const} */ ('host'), ...from, host: 'twin', environment };
    for (const agent of [store, store, other, other]) await agent.answer(host);
    await other.answer({ kind: 'refusal', ...from, host: 'last', reason: 'r' });
    const { answers, stop } = await other.listen(fleetId);
    /** @type {unknown[]} */
    const kinds = [];
    for await (const answer of answers) {
      kinds.push(typeof answer === 'string' ? answer : answer.kind);
      if (kinds.at(-1) === 'refusal') stop();
    }
    expect(kinds).toEqual(['host', 'host', 'refusal']);
    await other.close();
  });

  test('carries what is larger than a message', async () => {
    const jobs = Array.from({ length: 20_000 }, (_, position) => ({
      ...{ id: `serialize flat/000/${position}/baseline`, cellId: 'serialize flat' },
      ...{ arm: /** @type {const} */ ('baseline'), block: 0, position },
    }));
    await store.submit({ ...from, blockId: 'large', pass: 'timing', jobs });
    const taken = await store.takeBlock(5_000, () => {});
    expect(taken?.block).toMatchObject({ blockId: 'large', jobs });
    taken?.done();
    const run = makeFleetRun();
    const cells = Array.from({ length: 20_000 }, (_, index) => ({
      ...run.question.cells[0],
      id: `serialize flat ${index}`,
    }));
    const large = { ...run, question: { ...run.question, cells } };
    await store.putRun(fleetId, large);
    expect(await store.getRun(fleetId)).toEqual(large);
  });

  test('is gone when the run ends', async () => {
    const other = randomUUID();
    await store.putRun(other, makeFleetRun());
    const stored = await store.putObject(other, randomBytes(10));
    if (stored === null) throw new Error('there is no store');
    await store.endRun(other);
    expect(await store.getObject(other, stored)).toBe('the broker does not have it');
    expect(await store.putObject(other, randomBytes(10))).toBeNull();
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

testLong('nothing but --fleet loads the clients of the broker', async () => {
  const hook = `export const resolve = (name, context, next) => {
    if (name.startsWith('@nats-io/')) throw new Error('a client was loaded');
    return next(name, context);
  };`;
  const hookUrl = `data:text/javascript,${encodeURIComponent(hook)}`;
  const code = `import { register } from 'node:module'; register(${JSON.stringify(hookUrl)});`;
  const variables = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
  const comparison = comparisons.open();
  const compare = compareArgs('script', 'plain');
  const { status, stderr } = await comparison.run(compare, {
    ...SCRIPTED,
    variables,
  });
  expect({ status, stderr }).toMatchObject({ status: EXIT.done });
  for (const args of [
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
