import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
import { MAX_OBJECT_BYTES, openBroker } from '../studies/fleet/broker.js';
import {
  compareArgs,
  openComparisons,
  readObservations,
  shareProject,
  waitFor,
} from './support/comparisons.js';
import { expectStatus } from './support/expect-status.js';
import {
  JOBS_PER_BLOCK,
  LONG,
  LONG_BLOCKS,
  NATS_SERVER,
  expectAllOfLong,
  expectEachOnce,
  findPort,
  holdIn,
  kill,
  startServer,
  waitForObservations,
  waitUntil,
} from './support/fleet.js';
import { testLong } from './support/gates.js';
import { callAssay } from './support/project.js';
import { profileInProcesses, scriptJobs } from './support/scripted-jobs.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Verdict } from '../formats/types.ts' */
/** @import { Broker } from '../studies/fleet/broker.js' */
/** @import { RunJob } from '../run/jobs.js' */
/** @import { Comparison } from './support/comparisons.js' */

const describeFleet = NATS_SERVER === null ? describe.skip : describe;

const directory = mkdtempSync(join(tmpdir(), 'assay-broker-'));
const comparisons = openComparisons();
const HERE = { environment: {}, workingPath: '.' };
const RUN_JOB = profileInProcesses(scriptJobs());
const SCRIPTED = Object.freeze({ as: /** @type {const} */ ('scripted') });
/** @type {ChildProcess[]} */
let started = [];
/** Hosts in this process, and what ends them. @type {Promise<unknown>[]} */
let hosts = [];
let ending = new AbortController();
let url = '';
/** @type {ChildProcess} */
let broker;

/**
 * Starts the broker with what it stored before, or another one.
 *
 * @param {{ path?: string, port?: string, mostBytes?: number }} [place] where it stores, and how much it may
 */
function startBroker({ path = directory, port = new URL(url).port, mostBytes = 1e9 } = {}) {
  const configuration = join(path, 'configuration');
  const limits = `store_dir: '${path}', max_file_store: ${mostBytes}, max_memory_store: 1MB`;
  writeFileSync(configuration, `jetstream: { ${limits} }`);
  return startServer(['-c', configuration, '-a', '127.0.0.1', '-p', port]);
}

/** Kills the broker, and starts it again. */
async function killBroker() {
  await kill(broker);
  broker = await startBroker();
}

/**
 * Fills a broker until it has no space for a hundred bytes.
 *
 * @param {string} address
 * @returns {Promise<() => Promise<void>>} what frees the space
 */
async function fillBroker(address) {
  const connection = await connect({ servers: address });
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

/** @type {(name: string, address?: string) => string[]} */
const work = (name, address = url) => ['fleet', 'work', '--nats', address, '--name', name];

/**
 * Starts a host that does not take turns with others, as if it were a machine of its own.
 *
 * @param {Comparison} comparison
 * @param {string} name
 * @param {{ address?: string, variables?: Record<string, string> }} [how] address of the broker
 * @returns {ChildProcess}
 */
function startHost(comparison, name, { address = url, variables = {} } = {}) {
  const ASSAY_LOCK_DIRECTORY = join(comparison.out, '..', `locks-${name}`);
  const own = { ...variables, ASSAY_LOCK_DIRECTORY };
  const host = comparison.start(work(name, address), { ...SCRIPTED, variables: own });
  started.push(host);
  return host;
}

/**
 * Runs such a host in this process, until the test ends at the latest.
 *
 * @param {Comparison} comparison
 * @param {string} name
 * @param {{ variables?: Record<string, string>, signal?: AbortSignal, runJob?: RunJob }} [how]
 */
function callHost(
  { out },
  name,
  { variables = {}, signal = ending.signal, runJob = RUN_JOB } = {},
) {
  const ASSAY_LOCK_DIRECTORY = join(out, '..', `locks-${name}`);
  mkdirSync(ASSAY_LOCK_DIRECTORY);
  const ended = callAssay(work(name), {
    projectPath: shareProject(),
    environment: { ...process.env, ...variables, ASSAY_LOCK_DIRECTORY },
    signal: AbortSignal.any([signal, ending.signal]),
    runJob,
  });
  hosts.push(ended);
  return ended;
}

/** Variables with which a process runs code before its own. @param {string} code */
const preload = (code) => ({
  NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(code)}"`,
});

/** @returns {Promise<string[]>} of runs, at the broker */
async function listStores() {
  const connection = await connect({ servers: url });
  const names = [];
  for await (const { bucket } of new Objm(connection).list()) names.push(bucket);
  await connection.drain();
  return names;
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

/** @param {Comparison} comparison  @param {string[]} more */
function startComparison(comparison, more) {
  const args = [...compareArgs('script', 'plain', more), '--fleet', url];
  const child = comparison.start(args, SCRIPTED);
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

/** A way to the broker, until the test ends, that can stop to carry anything without closing a connection. */
async function openNetwork() {
  const script = join(import.meta.dirname, 'support', 'relay.js');
  const relay = spawn(process.execPath, [script, new URL(url).port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(relay);
  const [port] = await once(relay.stdout, 'data');
  return {
    url: `nats://127.0.0.1:${Number(port)}`,
    pause: () => relay.kill('SIGSTOP'),
    resume: () => relay.kill('SIGCONT'),
  };
}

beforeAll(async () => {
  if (NATS_SERVER === null) return;
  url = `nats://127.0.0.1:${await findPort()}`;
  broker = await startBroker();
});

afterEach(async () => {
  jest.restoreAllMocks();
  ending.abort();
  await Promise.all(hosts);
  hosts = [];
  ending = new AbortController();
  for (const child of started) await kill(child);
  started = [];
});

afterAll(async () => {
  if (NATS_SERVER !== null) await kill(broker);
  rmSync(directory, { recursive: true });
  comparisons.remove();
});

describeFleet('a comparison over a fleet', () => {
  test('is measured by several hosts, each job once', async () => {
    const comparison = comparisons.open();
    for (const name of ['one', 'two']) callHost(comparison, name);
    const args = [...compareArgs('script', 'plain'), '--fleet', url, '--out', comparison.out];
    const { status, stderr, stdout } = await comparison.call(args, scriptJobs());
    expectStatus({ status, stderr }, EXIT.done);
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

  testLong(
    'is resumed after its submitter was killed, whatever else is at the broker',
    async () => {
      const beginMs = performance.now();
      const comparison = comparisons.open();
      const child = startComparison(comparison, ['--mei', '0.01']);
      const ended = waitFor(child);
      let said = '';
      child.stderr?.on('data', (text) => (said += text));
      const fleetId = await waitForFleetId(comparison);

      const connection = await connect({ servers: url });
      connection.publish(`assay.result.${fleetId}`, 'no answer');
      connection.publish(`assay.result.${fleetId}`, JSON.stringify({ kind: 'result', fleetId }));
      await connection.drain();

      const here = ['compare', '--resume', comparison.findRun()];
      const again = [...here, '--fleet', url];
      expect(await comparison.call(again, scriptJobs())).toMatchObject({
        status: EXIT.failed,
        stderr: expect.stringMatching(
          /^error: another session measures this run, on \S+\s+wait for it with --wait$/m,
        ),
      });

      const stranger = startHost(comparison, 'stranger', { variables: preload(OTHER_SOURCES) });
      while (!said.includes('stranger')) await delay(50);
      stranger.kill('SIGINT');
      await once(stranger, 'exit');

      const held = join(comparison.out, '..', 'held');
      startHost(comparison, 'late', {
        variables: {
          ...preload('const { now } = Date; Date.now = () => now() - 1e9;'),
          SCRIPTED_HOLD: holdIn([[1, 2]], held),
        },
      });
      await waitForObservations(comparison, JOBS_PER_BLOCK, ended);
      await waitUntil('a second block', () => existsSync(held), ended);
      await kill(child);
      rmSync(held);
      expect(said.match(/an answer was ignored/g)).toHaveLength(2);
      expect(said.replaceAll(/\s+/g, ' ')).toMatch(
        /note: stranger does not measure this run: sources of Assay and the family differs/,
      );

      const before = readObservations(comparison.findRun()).map(({ id }) => id);
      const local = await comparison.call(here, scriptJobs());
      expect(local.stderr).toMatch(/was measured by a fleet\s+add --fleet/);
      expectStatus(await comparison.call(again, scriptJobs()), EXIT.done);
      const after = expectEachOnce(comparison);
      expect(after.length).toBeGreaterThan(before.length);
      expect(after.slice(0, before.length).map(({ id }) => id)).toEqual(before);
      const elapsedMs = performance.now() - beginMs;
      for (const { host, startedAtMs } of after) {
        expect(host).toBe('late');
        expect(startedAtMs).toBeGreaterThan(0);
        expect(startedAtMs).toBeLessThan(elapsedMs);
      }
    },
  );

  testLong('loses nothing when its hosts, the network of one and the broker fail', async () => {
    const comparison = comparisons.open();
    const network = await openNetwork();
    const output = waitFor(startComparison(comparison, LONG));
    // A look begins when all blocks of the one before are answered.
    const [, , third, fourth] = LONG_BLOCKS;
    /**
     * Starts a host, and waits until it is in the middle of a block of a look.
     *
     * @param {string} name
     * @param {number[]} look its blocks
     * @param {string} [address]
     */
    const startHeld = async (name, look, address = url) => {
      const path = join(comparison.out, '..', `held-${name}`);
      const variables = { SCRIPTED_HOLD: holdIn([look], path) };
      const host = startHost(comparison, name, { address, variables });
      const ended = Promise.race([output, waitFor(host)]);
      await waitUntil(`a block of ${name}`, () => existsSync(path), ended);
      return { host, release: () => rmSync(path) };
    };

    const near = await startHeld('near', third);
    const far = await startHeld('far', third, network.url);
    const hostsPath = join(comparison.findRun(), 'hosts.ndjson');
    await waitUntil('far', () => readFileSync(hostsPath, 'utf8').includes('"far"'), output);
    await killBroker();
    await kill(near.host);
    network.pause();

    // It gets what the others have taken, when they have been silent for long enough.
    const heir = await startHeld('heir', fourth);
    await kill(heir.host);
    await killBroker();
    network.resume();
    far.release();

    const { status, stderr } = await output;
    expectStatus({ status, stderr }, EXIT.done);
    for (const { id, host, block } of await expectAllOfLong(comparison)) {
      const measuring = block < third[0] ? 'near' : block < fourth[0] ? 'heir' : 'far';
      expect({ id, host }).toEqual({ id, host: measuring });
    }
  });

  testLong('has its profiles once, although a host and the submitter are killed', async () => {
    const comparison = comparisons.open();
    // These hosts do not find perf.
    const variables = { PATH: '/nowhere' };
    const stopping = new AbortController();
    const { signal } = stopping;
    let recorded = 0;
    const first = callHost(comparison, 'first', {
      ...{ variables, signal },
      // One job for each arm, and none more before the host is stopped.
      async runJob(job, how) {
        if (job.kind === 'exercise' && ++recorded > 2) await once(signal, 'abort');
        return RUN_JOB(job, how);
      },
    });
    const child = startComparison(comparison, ['--with', 'cpu-profile,perf', '--mei', '100']);
    const listProfiles = () => {
      const path = join(comparison.findRun(), 'profiles.ndjson');
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
    };
    await waitForFleetId(comparison);
    while (listProfiles().length === 0) await delay(20);
    stopping.abort();
    await kill(child);
    await first;
    const before = listProfiles();
    expect(await listStores()).toHaveLength(1);

    const again = ['compare', '--resume', comparison.findRun(), '--fleet', url];
    const resumed = comparison.call(again, scriptJobs());
    const victim = startHost(comparison, 'victim', {
      variables: { ...variables, ...preload(DIE_WHILE_UPLOADING) },
    });
    expect(await once(victim, 'exit')).toEqual([null, 'SIGKILL']);
    for (const name of ['one', 'two']) callHost(comparison, name, { variables });
    expectStatus(await resumed, EXIT.done);
    expect(listProfiles().slice(0, before.length)).toEqual(before);
    expect(await listStores()).toEqual([]);

    const run = await readRun(comparison.findRun());
    const { path, observations, profileObservations: found } = run;
    expect(found.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const artefacts = found.flatMap((one) => (one.outcome === 'done' ? one.artefacts : []));
    expect(artefacts).toHaveLength(6);
    for (const artefact of artefacts) {
      expect(statSync(join(path, artefact)).size).toBeGreaterThan(0);
    }
    expect(new Set(found.map(({ recorder }) => recorder))).toEqual(new Set(['cpu-profile']));
    expect(readFileSync(join(path, 'report.md'), 'utf8')).toMatch(/instead of perf \(/);
    // Both arms of a process are recorded by one host.
    const hostsOf = group(found, (one) => one.process);
    for (const each of hostsOf.values()) expect(new Set(each.map(({ host }) => host)).size).toBe(1);
    for (const { host } of found) expect(['first', 'one', 'two']).toContain(host);
    /** @type {Verdict} */
    const verdict = JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
    expect(verdict.explanation?.cells).toHaveLength(1);
    const jobs = verdict.hosts?.reduce((sum, host) => sum + host.observations, 0);
    expect(jobs).toBe(observations.length + found.length);
  });
});

/** Makes a host whose sources are not those of the submitter. */
const OTHER_SOURCES = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { readFileSync } = fs;
fs.readFileSync = (path, ...more) =>
  String(path).endsWith('harness/lib/words.js') ? 'changed' : readFileSync(path, ...more);
syncBuiltinESMExports();
`;

const DIE_WHILE_UPLOADING = `
import net from 'node:net';
const { write } = net.Socket.prototype;
net.Socket.prototype.write = function (data, ...more) {
  if (Buffer.from(data).includes('PUB $O.')) process.kill(process.pid, 'SIGKILL');
  return write.call(this, data, ...more);
};
`;

describeFleet('the store of a run', () => {
  const from = { formatVersion: FORMAT_VERSION, fleetId: randomUUID() };
  const { fleetId } = from;
  /** @type {Broker} */
  let store;
  beforeAll(async () => {
    store = await openBroker(url, HERE, () => {});
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

  test('gives nothing that is not what the host has stored', async () => {
    const stored = await store.putObject(fleetId, randomBytes(10));
    if (stored === null) throw new Error('there is no store');
    const connection = await connect({ servers: url });
    const bucket = await new Objm(connection).open(`assay-${fleetId}`);
    await bucket.putBlob({ name: stored.object }, randomBytes(10));
    expect(await store.getObject(fleetId, stored)).toBe('it is not what the host has stored');
    await connection.drain();
  });

  test('is read to the size that it says it has, and not further, unless it is too large', async () => {
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
    await say({ size: MAX_OBJECT_BYTES + 1 });
    expect(await store.getObject(fleetId, stored)).toBe('it is 33 MB; the limit is 32 MB');
    await say({ nuid: '>' });
    expect(await store.getObject(fleetId, stored)).toBe('the broker does not have it');
    await jetstream(connection).publish(subject, 'nonsense');
    expect(await store.getObject(fleetId, stored)).toMatch(/^it cannot be read: /);
    await connection.drain();
  });

  testLong('gives a block that cannot be read to another host', async () => {
    const connection = await connect({ servers: url });
    await jetstream(connection).publish(`assay.block.${fleetId}`, 'nonsense');
    await connection.drain();
    /** @type {string[][]} */
    const refused = [];
    const take = () => store.takeBlock(60_000, (...problem) => refused.push(problem));
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
    expect(await store.hasBlocks(other)).toBe(false);
    for (const blockId of ['second', 'fourth']) {
      const taken = await store.takeBlock(60_000, () => {});
      expect(taken?.block).toMatchObject({ fleetId, blockId });
      taken?.done();
    }
  });

  test('has what each of two machines with one name says of itself', async () => {
    const other = await openBroker(url, HERE, () => {});
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
    const jobs = Array.from({ length: 10_000 }, (_, position) => ({
      ...{ id: `serialize flat/000/${position}/baseline`, cellId: 'serialize flat' },
      ...{ arm: /** @type {const} */ ('baseline'), block: 0, position },
    }));
    await store.submit({ ...from, blockId: 'large', pass: 'timing', jobs });
    const taken = await store.takeBlock(60_000, () => {});
    expect(taken?.block).toMatchObject({ blockId: 'large', jobs });
    taken?.done();
    const run = makeFleetRun();
    const cells = Array.from({ length: 14_000 }, (_, index) => ({
      ...run.question.cells[0],
      id: `serialize flat ${index}`,
    }));
    const large = { ...run, question: { ...run.question, cells } };
    await store.putRun(fleetId, large);
    expect(await store.getRun(fleetId)).toEqual(large);
  });

  testLong('is asked again for a minute while there is no space', async () => {
    const port = await findPort();
    const path = mkdtempSync(join(directory, 'full-'));
    started.push(await startBroker({ path, port, mostBytes: 100_000 }));
    const address = `nats://127.0.0.1:${port}`;
    const full = await openBroker(address, HERE, () => {});
    const free = await fillBroker(address);
    let nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 25_000));
    const refused = full.putRun(fleetId, makeFleetRun());
    await expect(refused).rejects.toMatchObject({
      message: expect.stringMatching(/^the broker has rejected requests for a minute: /),
      remedy: expect.stringMatching(/^free space for it/),
      exitStatus: EXIT.failed,
    });
    jest.restoreAllMocks();
    await free();
    await full.putRun(fleetId, makeFleetRun());
    expect(await full.getRun(fleetId)).toEqual(makeFleetRun());
    await full.close();
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
  expectStatus({ status, stderr }, EXIT.done);
  for (const args of [
    ['fleet', '--help'],
    ['report', comparison.findRun()],
  ]) {
    expectStatus(await comparison.run(args, { variables }), EXIT.done);
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
