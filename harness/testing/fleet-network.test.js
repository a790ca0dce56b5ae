/** A fleet as docs/fleet-security.md sets it up, with the very commands and configuration of that page. */

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nkeys } from '@nats-io/transport-node';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { findTool } from '../host/tools.js';
import { EXIT } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { readRun } from '../run/store.js';
import { openBroker } from '../studies/fleet/broker.js';
import { compareArgs, openComparisons, shareProject, waitFor } from './support/comparisons.js';
import { expectStatus } from './support/expect-status.js';
import {
  LONG,
  LONG_BLOCKS,
  NATS_SERVER,
  expectAllOfLong,
  expectEachOnce,
  findPort,
  holdIn,
  kill,
  listObservations,
  startServer,
  waitUntil,
} from './support/fleet.js';
import { describeLong, isLong, testLong } from './support/gates.js';
import { callAssay } from './support/project.js';
import { profileInProcesses, scriptJobs } from './support/scripted-jobs.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Comparison } from './support/comparisons.js' */

const canSecure = NATS_SERVER !== null && findTool('openssl', process.env) !== null;
const describeSecure = canSecure ? describe : describe.skip;
const describeNetworks = canSecure && isLong && canMakeNetworks() ? describeLong : describe.skip;

const directory = mkdtempSync(join(tmpdir(), 'assay-secure-'));
const configuration = join(directory, 'broker.conf');
const comparisons = openComparisons();
/** @type {ChildProcess[]} */
let started = [];
/** What ends calls of this process. @type {AbortController[]} */
const calls = [];
/** By the name of a user. @type {Record<string, Record<string, string>>} */
const users = {};
/** Variables of the broker. @type {Record<string, string | undefined>} */
let passwords = {};

/** The first code block of the page in a language. @param {'sh' | ''} language  @returns {string} */
function readPage(language) {
  const page = readFileSync(join(PROJECT.projectPath, 'docs', 'fleet-security.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  return blocks.find(([, found]) => found === language)?.[2] ?? '';
}

beforeAll(async () => {
  if (!canSecure) return;
  const script = `set -e\n${readPage('sh')}\nprintenv SUBMITTER_PASSWORD WORKER_PASSWORD`;
  const options = { cwd: directory, encoding: /** @type {const} */ ('utf8'), stdio: 'pipe' };
  const printed = execFileSync('sh', ['-c', script], /** @type {any} */ (options));
  const [submitter, worker] = String(printed).trim().split('\n');
  writeFileSync(configuration, readPage(''));
  passwords = { ...process.env, SUBMITTER_PASSWORD: submitter, WORKER_PASSWORD: worker };
  const common = { NATS_CA: join(directory, 'authority.pem') };
  users.submitter = { ...common, NATS_USER: 'submitter', NATS_PASSWORD: submitter };
  users.worker = { ...common, NATS_USER: 'worker', NATS_PASSWORD: worker };
});

afterEach(async () => {
  for (const stopping of calls.splice(0)) stopping.abort();
  for (const child of started) await kill(child);
  started = [];
});

afterAll(() => {
  rmSync(directory, { recursive: true });
  comparisons.remove();
});

/** @param {string[]} args  @param {Parameters<typeof startServer>[1]} [options] */
async function startBroker(args, options = {}) {
  rmSync(join(directory, 'store'), { recursive: true, force: true });
  const server = await startServer(['-c', configuration, ...args], {
    cwd: directory,
    env: passwords,
    ...options,
  });
  started.push(server);
}

/**
 * Starts Assay in a network of its own, with scripted jobs, and without taking turns with others.
 *
 * @type {(comparison: Comparison, args: string[], network: string, variables: Record<string, string>) => ChildProcess}
 */
function start(comparison, args, network, variables) {
  const shell = `exec ip netns exec ${network} "$@"`;
  const ASSAY_LOCK_DIRECTORY = join(comparison.out, '..', `locks-${network}`);
  const own = { ...variables, ASSAY_LOCK_DIRECTORY };
  const child = comparison.start(args, { variables: own, shell, as: 'scripted' });
  started.push(child);
  return child;
}

/**
 * Runs Assay in this process, until it is stopped, with scripted jobs except for those that are profiled.
 *
 * @param {Comparison} comparison
 * @param {string[]} args
 * @param {Record<string, string>} user
 */
function call({ out }, args, user) {
  const stopping = new AbortController();
  calls.push(stopping);
  const terminal = { text: '', write: (/** @type {string} */ text) => (terminal.text += text) };
  const ended = callAssay(args, {
    projectPath: shareProject(),
    workingPath: out,
    environment: { ...process.env, ...user, ASSAY_LOCK_DIRECTORY: join(out, '..', args[0]) },
    signal: stopping.signal,
    screen: terminal,
    runJob: profileInProcesses(scriptJobs()),
  });
  return { ended, terminal, stop: () => stopping.abort() };
}

/** @param {string} url  @param {string[]} [more] */
const compare = (url, more = []) => [...compareArgs('script', 'plain', more), '--fleet', url];
/** @param {string} url  @param {string} name */
const work = (url, name) => ['fleet', 'work', '--nats', url, '--name', name];

describeSecure('a broker with TLS and users', () => {
  let url = '';

  beforeAll(async () => {
    url = `tls://localhost:${await findPort()}`;
  });

  const listen = (/** @type {string[]} */ more = []) =>
    startBroker(['-a', '127.0.0.1', '-p', new URL(url).port, ...more]);

  /** @param {Record<string, string>} environment  @param {string} [address] */
  const connect = (environment, address = url) =>
    openBroker(address, { environment, workingPath: directory }, () => {});

  testLong('has the permissions that a comparison needs, and passwords are nowhere', async () => {
    await listen();
    const comparison = comparisons.open();
    const host = call(comparison, work(url, 'one'), users.worker);
    const args = compare(url, ['--with', 'deopts', '--mei', '100', '--out', comparison.out]);
    const { ended, terminal } = call(comparison, args, users.submitter);
    const { status } = await ended;
    host.stop();
    const said = terminal.text + host.terminal.text;
    expectStatus({ status, said }, EXIT.done);
    expectEachOnce(comparison);
    const { profileObservations } = await readRun(comparison.findRun());
    expect(profileObservations.length).toBeGreaterThan(0);
    expect(profileObservations.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    const { status: found } = spawnSync('grep', ['-rqF', passwords.SUBMITTER_PASSWORD ?? '', '.'], {
      cwd: comparison.findRun(),
    });
    expect(found).toBe(1);
    expect(said).not.toContain(passwords.SUBMITTER_PASSWORD);
    await host.ended;
  });

  test('lets no worker submit', async () => {
    await listen();
    const worker = await connect(users.worker);
    const block = { formatVersion: FORMAT_VERSION, fleetId: randomUUID(), blockId: 'one' };
    try {
      await expect(worker.submit({ ...block, pass: 'timing', jobs: [] })).rejects.toMatchObject({
        message: expect.stringMatching(/^the broker does not permit this user: /),
        remedy: 'give it the permissions in docs/fleet-security.md',
        exitStatus: EXIT.failed,
      });
    } finally {
      await worker.close();
    }
  });

  testLong('ends a host whose password it does not accept any more', async () => {
    await listen();
    const { ended, terminal } = call(comparisons.open(), work(url, 'one'), users.worker);
    while (!terminal.text.includes('waits for blocks')) await delay(50);
    await kill(started[0]);
    const env = { ...passwords, WORKER_PASSWORD: 'changed' };
    await startBroker(['-a', '127.0.0.1', '-p', new URL(url).port], { env });
    expectStatus(await ended, EXIT.failed);
    expect(terminal.text).toMatch(/^error: the broker has turned this user away\s+set NATS_USER/m);
  });

  testLong('takes an nkey instead of a password', async () => {
    const pair = nkeys.createUser();
    const seedFile = join(directory, 'worker.nk');
    writeFileSync(seedFile, `${new TextDecoder().decode(pair.getSeed())}\n`);
    const text = readPage('').replace(
      'user: worker, password: $WORKER_PASSWORD',
      `nkey: ${pair.getPublicKey()}`,
    );
    const own = join(directory, 'nkeys.conf');
    writeFileSync(own, text);
    await listen(['-c', own]);
    const comparison = comparisons.open();
    const user = { NATS_CA: users.worker.NATS_CA, NATS_NKEY: seedFile };
    const host = call(comparison, work(url, 'one'), user);
    const args = compare(url, ['--out', comparison.out]);
    const { ended } = call(comparison, args, users.submitter);
    expectStatus(await ended, EXIT.done);
    host.stop();
    await host.ended;
  });

  test('that refuses, or cannot be trusted, is told from others', async () => {
    await listen();
    const plain = await findPort();
    started.push(
      await startServer(['-js', '-sd', join(directory, 'plain'), '-a', '127.0.0.1', '-p', plain]),
    );
    const unknown = { ...users.worker, NATS_CA: '' };
    const wrong = { ...users.worker, NATS_PASSWORD: 'wrong' };
    const missing = { ...users.worker, NATS_CA: 'nowhere.pem' };
    for (const [variables, address, message, status] of /** @type {const} */ ([
      [wrong, url, /refuses the credentials: .*\s+set NATS_USER and NATS_PASSWORD/, EXIT.failed],
      [unknown, url, /has no valid certificate: .*\s+set NATS_CA to the file/, EXIT.failed],
      [
        users.worker,
        url.replace('localhost', '127.0.0.1'),
        /has no valid certificate: /,
        EXIT.failed,
      ],
      [users.worker, `tls://localhost:${plain}`, /has no TLS: /, EXIT.failed],
      [missing, url, /'nowhere\.pem' cannot be read: /, EXIT.usage],
    ])) {
      const error = await connect(variables, address).catch((thrown) => thrown);
      expect(`${error.message} ${error.remedy}`).toMatch(message);
      expect(error.exitStatus).toBe(status);
    }
  });
});

/** Networks of hosts, connected to that of the broker. */
const HUB = `assay-hub-${process.pid}`;
const HOSTS = ['one', 'two', 'three'].map((name, index) => ({
  name,
  network: `assay-${name}-${process.pid}`,
  port: `port-${name}`,
  address: `198.18.0.${index + 2}/24`,
}));

describeNetworks('hosts in networks of their own', () => {
  beforeAll(() => {
    ip('netns', 'add', HUB);
    ip('-n', HUB, 'link', 'set', 'lo', 'up');
    ip('-n', HUB, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('-n', HUB, 'address', 'add', '198.18.0.1/24', 'dev', 'bridge');
    ip('-n', HUB, 'link', 'set', 'bridge', 'up');
    nameBroker(HUB);
    for (const { network, port, address } of HOSTS) {
      ip('netns', 'add', network);
      ip('-n', HUB, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'out', 'netns', network);
      ip('-n', HUB, 'link', 'set', port, 'master', 'bridge', 'up');
      ip('-n', network, 'address', 'add', address, 'dev', 'out');
      ip('-n', network, 'link', 'set', 'out', 'up');
      nameBroker(network);
    }
  });

  afterAll(() => {
    for (const network of [HUB, ...HOSTS.map((host) => host.network)]) {
      rmSync(hostsPath(network), { recursive: true, force: true });
      spawnSync('ip', ['netns', 'delete', network]);
    }
  });

  test('lose nothing when a link fails for longer than a block, and another for good', async () => {
    const url = 'tls://broker.example:4222';
    await startBroker(['-a', '198.18.0.1'], { wrapper: ['ip', 'netns', 'exec', HUB] });
    const comparison = comparisons.open();
    const holdPath = (/** @type {string} */ name) => join(comparison.out, '..', `held-${name}`);
    const [, , third, , fifth] = LONG_BLOCKS;
    for (const { name, network } of HOSTS) {
      // In a look with more blocks than there are hosts each gets one. The last of them waits in the last look, too.
      const held = holdIn([third], holdPath(name));
      const again = name === 'three' ? ` ${holdIn([fifth], holdPath('again'))}` : '';
      const variables = { ...users.worker, SCRIPTED_HOLD: held + again };
      const host = start(comparison, work(url, name), network, variables);
      let said = '';
      host.stderr?.on('data', (text) => (said += text));
      await waitUntil(`the host ${name}`, () => said.includes('waits for blocks'), waitFor(host));
    }
    const output = waitFor(start(comparison, compare(url, LONG), HUB, users.submitter));
    const waitForHold = (/** @type {string} */ name) =>
      waitUntil(`a block of ${name}`, () => existsSync(holdPath(name)), output);
    const release = (/** @type {string} */ name) => rmSync(holdPath(name));
    const count = (/** @type {string} */ name) =>
      listObservations(comparison).filter(({ host }) => host === name).length;
    for (const { name } of HOSTS) await waitForHold(name);
    for (const { network } of HOSTS) expect(listListening(network)).toEqual([]);

    const setLinks = (/** @type {string[]} */ names, /** @type {'up' | 'down'} */ state) => {
      for (const { name, port } of HOSTS) {
        if (names.includes(name)) ip('-n', HUB, 'link', 'set', port, state);
      }
    };
    setLinks(['one', 'two'], 'down');
    const before = ['one', 'two'].map(count);
    release('two');
    release('three');
    // Before the last look, it has also measured what the others had taken.
    await waitForHold('again');
    expect(['one', 'two'].map(count)).toEqual(before);
    setLinks(['one'], 'up');
    release('one');
    await waitUntil('host one', () => count('one') > before[0], output);
    release('again');
    const { status, stderr } = await output;
    expectStatus({ status, stderr }, EXIT.done);
    expect(count('two')).toBe(before[1]);
    await expectAllOfLong(comparison);
  });
});

/** @param {string[]} args */
function ip(...args) {
  execFileSync('ip', args, { stdio: 'pipe' });
}

/** Where `ip netns exec` finds what /etc has for a network. @param {string} network */
function hostsPath(network) {
  return join('/etc/netns', network);
}

/** @param {string} network */
function nameBroker(network) {
  mkdirSync(hostsPath(network), { recursive: true });
  writeFileSync(
    join(hostsPath(network), 'hosts'),
    '127.0.0.1 localhost\n198.18.0.1 broker.example\n',
  );
}

/** @param {string} network  @returns {string[]} sockets of its processes that wait for others to connect */
function listListening(network) {
  const files = ['tcp', 'tcp6', 'udp', 'udp6'].map((name) => `/proc/net/${name}`);
  const text = execFileSync('ip', ['netns', 'exec', network, 'cat', ...files], {
    encoding: 'utf8',
  });
  // 0A: listening; UDP has 07 for a socket that takes packets from anywhere.
  return text.split('\n').filter((line) => /^ *\d+: \S+ \S+:0000 0[A7] /.test(line));
}

/** @returns {boolean} */
function canMakeNetworks() {
  const name = `assay-probe-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return false;
  const { status } = spawnSync('ip', ['netns', 'exec', name, 'true']);
  spawnSync('ip', ['netns', 'delete', name]);
  return status === 0;
}
