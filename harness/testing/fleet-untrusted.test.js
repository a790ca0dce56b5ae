/** Hosts of a fleet, and submitters and variants that they need not trust. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { EXIT } from '../lib/errors.js';
import { findSandbox } from '../run/sandbox.js';
import { readRun } from '../run/store.js';
import { PROCESSES_PER_BLOCK, planJobs } from '../stats/plan.js';
import { openBroker } from '../studies/fleet/broker.js';
import { makeRepository } from '../variants/test-support/make-repository.js';
import { compareArgs, openComparisons, shareProject, waitFor } from './support/comparisons.js';
import { expectStatus } from './support/expect-status.js';
import { NATS_SERVER, expectEachOnce, findPort, kill, startServer } from './support/fleet.js';
import { testLong } from './support/gates.js';
import { callAssay } from './support/project.js';
import { scriptJobs } from './support/scripted-jobs.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { FleetRun } from '../formats/types.ts' */
/** @import { Comparison } from './support/comparisons.js' */

const describeFleet = NATS_SERVER === null ? describe.skip : describe;
const canConfine = await findSandbox(process.env).then(
  () => true,
  () => false,
);
const testConfined = canConfine ? testLong : test.skip;

const directory = mkdtempSync(join(tmpdir(), 'assay-untrusted-'));
const comparisons = openComparisons();
/** @type {ChildProcess[]} */
const started = [];
let url = '';
/** @type {ChildProcess} */
let server;

beforeAll(async () => {
  if (NATS_SERVER === null) return;
  const port = await findPort();
  url = `nats://127.0.0.1:${port}`;
  server = await startServer(['-js', '-sd', directory, '-a', '127.0.0.1', '-p', port]);
});

afterEach(async () => {
  for (const child of started.splice(0)) await kill(child);
});

afterAll(async () => {
  if (NATS_SERVER !== null) await kill(server);
  rmSync(directory, { recursive: true });
  comparisons.remove();
});

/** @type {(comparison: Comparison, args: string[], HOME: string) => ChildProcess} */
function start(comparison, args, HOME) {
  const child = comparison.start(args, { variables: { HOME } });
  started.push(child);
  return child;
}

/** @param {string[]} more */
const work = (...more) => ['fleet', 'work', '--nats', url, '--name', 'careful', ...more];

/** A variant of the fake family that leaves a file in the home directory of whoever loads it. */
const CURIOUS = {
  'package.json': JSON.stringify({ name: 'curious', type: 'module', exports: './index.js' }),
  'index.js': `
import { writeFileSync } from 'node:fs';
try {
  writeFileSync(\`\${process.env.HOME}/was-here\`, '');
} catch {
  // It may not.
}
export function openReverser() {
  return (document) => Uint8Array.from(document).reverse();
}
export function readDocument() {
  return {};
}
`,
};

describeFleet('a host of a fleet', () => {
  testConfined('measures variants from elsewhere in a sandbox, unless it trusts them', async () => {
    const homes = ['submitter', 'careful', 'trusting'].map((name) => join(directory, name));
    for (const home of homes) mkdirSync(home);
    const [submitter, careful, trusting] = homes;
    const hasWritten = () => homes.map((home) => existsSync(join(home, 'was-here')));
    const { path, commit } = makeRepository(join(directory, 'curious-codec'));
    const spec = `git:${path}@${commit(CURIOUS)}`;
    const compare = [...compareArgs('script', spec), '--fleet', url];
    /** @param {string[]} options of the host @param {string} home */
    const measure = async (options, home) => {
      const comparison = comparisons.open();
      const host = start(comparison, work(...options), home);
      const { status, stderr } = await waitFor(start(comparison, compare, submitter));
      expectStatus({ status, stderr }, EXIT.done);
      expectEachOnce(comparison);
      host.kill('SIGINT');
      await once(host, 'exit');
    };
    await measure(['--allow', spec], careful);
    // The submitter has asked for no sandbox.
    expect(hasWritten()).toEqual([true, false, false]);
    await measure(['--trust'], trusting);
    expect(hasWritten()).toEqual([true, false, true]);
  });

  testLong('refuses what no submitter may ask, and goes on with what others ask', async () => {
    const comparison = comparisons.open();
    // What others ask waits before the second look of the comparison.
    const compare = [...compareArgs('script', 'plain', ['--mei', '0.01']), '--fleet', url];
    const ended = comparison.call([...compare, '--out', comparison.out], scriptJobs());
    const rogue = await openBroker(url, { environment: {}, workingPath: '.' }, () => {});
    const stopping = new AbortController();
    /** @type {string[]} */
    const measured = [];
    const host = { said: '' };
    try {
      const run = await waitForRun(rogue, comparison);
      const { cells } = run.question;
      const [job] = planJobs(run.question, cells, { from: 0, to: PROCESSES_PER_BLOCK });
      const common = { formatVersion: FORMAT_VERSION, pass: /** @type {const} */ ('timing') };
      const stranger = randomUUID();
      const nodeFlags = ['--import=data:text/javascript,0'];
      await rogue.putRun(stranger, { ...run, question: { ...run.question, nodeFlags } });
      await rogue.submit({ ...common, fleetId: stranger, blockId: 'flags', jobs: [job] });
      const { fleet = '' } = (await readRun(comparison.findRun())).manifest;
      const wrong = [
        [{ ...job, cellId: 'another' }],
        [{ ...job, arm: /** @type {const} */ ('control') }],
        [job, job],
      ];
      for (const [index, jobs] of wrong.entries()) {
        await rogue.submit({ ...common, fleetId: fleet, blockId: `wrong-${index}`, jobs });
      }
      const connection = await connect({ servers: url });
      await jetstream(connection).publish(`assay.block.${stranger}`, 'nonsense');
      await connection.drain();
      const working = callAssay(work(), {
        projectPath: shareProject(),
        environment: { ...process.env, ASSAY_LOCK_DIRECTORY: join(directory, 'locks') },
        signal: stopping.signal,
        screen: { write: (text) => (host.said += text) },
        runJob: scriptJobs({
          onJob({ id, kind }) {
            if (kind === 'measure') measured.push(id);
          },
        }),
      });
      expectStatus(await ended, EXIT.done);
      const refused = /a block was refused: its jobs are not those of\s+the plan/g;
      while ((host.said.match(refused) ?? []).length < wrong.length) await delay(50);
      while (!host.said.includes('cannot read a block: it is not JSON')) await delay(50);
      expect(host.said).toMatch(/this host refuses a run: [^]*may load\s+code/);
      // Of what it has refused it has measured nothing.
      const ids = expectEachOnce(comparison).map(({ id }) => id);
      expect(measured.sort()).toEqual(ids.sort());
      await rogue.withdraw(stranger);
      await rogue.endRun(stranger);
      stopping.abort();
      await working;
    } finally {
      stopping.abort();
      await rogue.close();
    }
  });
});

/**
 * @param {Awaited<ReturnType<typeof openBroker>>} broker
 * @param {Comparison} comparison
 * @returns {Promise<FleetRun>} what the comparison has published
 */
async function waitForRun(broker, comparison) {
  for (;;) {
    try {
      const { fleet = '' } = (await readRun(comparison.findRun())).manifest;
      const run = await broker.getRun(fleet);
      if (typeof run !== 'string') return run;
    } catch {
      // There is no manifest yet.
    }
    await delay(50);
  }
}
