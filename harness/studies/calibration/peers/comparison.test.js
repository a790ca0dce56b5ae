import { join } from 'node:path';
import { prepareCorpus } from '../../../../corpora/support/prepare.js';
import { MachineError } from '../../../lib/errors.js';
import { PROJECT } from '../../../lib/project.js';
import { testLong } from '../../../testing/support/gates.js';
import { makeManifest } from '../../../../reports/fixtures/build.js';
import { runStudy } from '../../study.js';
import { makeAssayPeer } from './assay.js';
import { beginPeers, makePeersStudy, openPeers, planTrials } from './comparison.js';
import { PEERS, choosePeers } from './list-peers.js';

/** @import { PeersComparison } from '../../../formats/types.ts' */
/** @import { PeersSettings } from './comparison.js' */
/** @import { Peer, PeerTask } from './types.ts' */

const FAMILY = join(PROJECT.experimentsPath, 'js-bson');
const COSTS = [{ injected: 0.05, rounds: 400 }];

/** @param {number} rounds */
function withCost(rounds) {
  return Promise.resolve({
    spec: `linked-list+extra-work=${rounds}`,
    family: 'js-bson',
    kind: /** @type {const} */ ('built-in'),
    modulePath: join(FAMILY, 'variants', 'linked-list.js'),
    settings: { 'extra-work': String(rounds) },
    idea: '',
    source: '',
    digest: '',
  });
}

/**
 * @param {Peer[]} peers
 * @param {Partial<PeersSettings> & { costs?: { injected: number, rounds: number }[], budgetSeconds?: number,
 *   earlier?: PeersComparison, interrupts?: AbortController, kept?: PeersComparison[] }} [settings]
 */
async function compare(peers, settings = {}) {
  const {
    costs = COSTS,
    budgetSeconds = 1,
    interrupts = new AbortController(),
    kept = [],
  } = settings;
  const begun = beginPeers({
    question: { ...makeManifest().question, seed: 7 },
    ...{ command: 'just calibrate --peers', budgetSeconds, peers, variables: {} },
    formatCommand: (name) => `just calibrate --peers ${name}`,
  });
  const { signal } = interrupts;
  const used = {
    peers,
    trialContext: { family: { path: FAMILY }, withCost },
    corpus: await prepareCorpus('flat', { directory: PROJECT.corporaPath }),
    forMs: Infinity,
    maxTrials: 8,
    host: { environment: process.env, toolsPath: PROJECT.toolsPath },
    signal,
    onProgress: () => {},
    ...settings,
  };
  const opened = settings.earlier ?? {
    ...begun,
    costs: /** @type {PeersComparison['costs']} */ (costs),
  };
  const { tools, open } = await openPeers(opened, used);
  const study = makePeersStudy(used, open);
  const nowMs = () => kept.length;
  const save = (/** @type {PeersComparison} */ state) => void kept.push(state);
  const { state } = await runStudy(study, { ...opened, tools }, { signal, save, nowMs });
  return state;
}

/**
 * A tool that always finds the truth.
 * @type {(name: string, part?: Partial<Peer>) => Peer & { tasks: PeerTask[] }}
 */
function makePeer(name, part = {}) {
  /** @type {PeerTask[]} */
  const tasks = [];
  return {
    name,
    version: 'any',
    rule: 'knows it',
    tasks,
    probe: async () => ({ available: true, detail: '' }),
    open: async () => ({
      version: '1.2.3',
      async compare(task) {
        tasks.push(task);
        const isSame = task.variants.candidate.spec === task.variants.baseline.spec;
        return isSame
          ? { conclusion: 'no difference', ratio: 1 }
          : { conclusion: 'slower', ratio: 1.05 };
      },
    }),
    ...part,
  };
}

test('every trial is stored, with the task that the tool got', async () => {
  const peer = makePeer('seer');
  /** @type {PeersComparison[]} */
  const kept = [];
  const { trials, tools, ended } = await compare([peer], { kept });
  expect(ended).toBe('complete');
  expect(tools).toEqual([
    {
      name: 'seer',
      version: '1.2.3',
      rule: 'knows it',
      command: 'just calibrate --peers seer',
    },
  ]);
  expect(kept.slice(0, -1).map((state) => state.trials.at(-1))).toEqual(trials);
  expect(trials.filter(({ injected, ratio }) => injected === 0 && ratio === 1)).toHaveLength(4);
  expect(
    trials.filter(({ conclusion, ratio }) => conclusion === 'slower' && ratio === 1.05),
  ).toHaveLength(4);
  expect(peer.tasks.map(({ order }) => order[0])).toEqual(trials.map(({ first }) => first));
  expect(peer.tasks[0]).toMatchObject({ budgetMs: 1000, operation: 'serialize' });
});

test('a resumed comparison has the trials of an uninterrupted one', async () => {
  const peers = [makePeer('seer'), makePeer('oracle')];
  const whole = await compare(peers);
  const half = await compare(peers, { maxTrials: 3 });
  const { trials, tools } = await compare(peers, { earlier: half });
  const listPlans = (/** @type {typeof trials} */ all) =>
    all.map(({ number, tool, injected, first }) => ({ number, tool, injected, first }));
  expect(listPlans(trials)).toEqual(listPlans(whole.trials));
  expect(trials.slice(0, 3)).toEqual(half.trials);
  expect(trials[3].startedAtMs).toBeGreaterThanOrEqual(half.trials[2].startedAtMs);
  expect(tools).toEqual(whole.tools);
});

test('a comparison is not resumed with another version of a tool', async () => {
  const half = await compare([makePeer('seer')], { maxTrials: 3 });
  const tools = half.tools.map((tool) => ({ ...tool, version: '1.2.2' }));
  await expect(compare([makePeer('seer')], { earlier: { ...half, tools } })).rejects.toThrow(
    'cannot resume the comparison of tools: seer changed (1.2.2, now 1.2.3)',
  );
});

test('a tool that is missing or cannot be installed has the reason, and the others run', async () => {
  const reason = 'there is no gauge';
  const missing = makePeer('gauge', {
    probe: async () => ({ available: false, reason, install: 'apt-get install gauge' }),
  });
  const broken = makePeer('broken', {
    open: async () => {
      throw new MachineError('npm could not install broken');
    },
  });
  const { trials, tools } = await compare([missing, broken, makePeer('seer')], { maxTrials: 2 });
  expect(tools.map(({ name, cannotRun }) => [name, cannotRun])).toEqual([
    ['gauge', 'there is no gauge: apt-get install gauge'],
    ['broken', 'npm could not install broken'],
    ['seer', undefined],
  ]);
  expect(trials.map(({ tool }) => tool)).toEqual(['seer', 'seer']);
});

test('a failed trial has the reason, and the others run', async () => {
  const failing = makePeer('failing', {
    open: async () => ({
      version: '1',
      compare: () => Promise.reject(new MachineError('it fell over')),
    }),
  });
  const { trials } = await compare([failing], { maxTrials: 2 });
  expect(trials.map(({ conclusion, ratio, failure }) => ({ conclusion, ratio, failure }))).toEqual(
    Array(2).fill({ conclusion: 'no difference', ratio: null, failure: 'it fell over' }),
  );
});

test('an interrupted trial is dropped', async () => {
  const interrupts = new AbortController();
  const peer = makePeer('slow', {
    open: async () => ({
      version: '1',
      async compare() {
        interrupts.abort();
        return { conclusion: 'faster', ratio: 0.5 };
      },
    }),
  });
  const { trials, ended } = await compare([peer], { interrupts });
  expect([trials, ended]).toEqual([[], 'interrupted']);
});

test('no trial begins after the end of the time', async () => {
  const { trials, ended } = await compare([makePeer('seer')], { forMs: 2 });
  expect(trials).toHaveLength(3);
  expect(ended).toBe('complete');
});

test('an unknown peer is refused with the nearest name', () => {
  expect(() => choosePeers(['mitatta'])).toThrow("no peer 'mitatta'; did you mean 'mitata'?");
  expect(choosePeers(['assay']).map(({ name }) => name)).toEqual(['assay']);
  expect(choosePeers(undefined)).toEqual(PEERS);
});

/** Assay compares by jobs that are answered in its own process, and ends when it has a verdict. */
const SCRIPTED = join(PROJECT.assayPath, 'harness', 'testing', 'support', 'run-scripted.js');
const TOOLS = [...PEERS.filter(({ name }) => name !== 'assay'), makeAssayPeer(SCRIPTED)];

testLong.each(TOOLS.map((peer) => ({ name: peer.name, peer })))(
  '$name compares two builds, or has the reason why not',
  async ({ peer }) => {
    // Many more rounds than that cost, so that every tool finds it at once.
    const costs = [{ injected: 0.05, rounds: 100_000 }];
    const budgetSeconds = peer.name === 'assay' ? 600 : 1;
    const { trials, tools } = await compare([peer], {
      ...{ costs, budgetSeconds, blanks: 0, maxTrials: 1 },
    });
    if (tools[0]?.cannotRun !== undefined) {
      expect(tools[0].cannotRun).toContain(peer.name);
      return;
    }
    expect(trials).toHaveLength(1);
    expect(trials[0].failure).toBeUndefined();
    expect(trials[0].ratio).toBeGreaterThan(0);
  },
);

const SETTINGS = { tools: ['a', 'b', 'c'], costs: [0.01, 0.05], blanks: 1, seed: 7 };

/**
 * @param {Partial<typeof SETTINGS>} settings
 * @param {number} count
 */
function take(settings, count) {
  const plan = planTrials({ ...SETTINGS, ...settings });
  return Array.from({ length: count }, () => plan.next().value ?? null);
}

test('a plan depends on its seed', () => {
  expect(take({}, 50)).toEqual(take({}, 50));
  expect(take({}, 50)).not.toEqual(take({ seed: 8 }, 50));
});

test('in two rounds every tool has each cost once, and as many A/A trials', () => {
  const trials = take({}, 12);
  for (const tool of SETTINGS.tools) {
    const own = trials.filter((trial) => trial?.tool === tool).map((trial) => trial?.injected);
    expect(own.sort()).toEqual([0, 0, 0.01, 0.05]);
  }
});

test('every round has every tool once, in random order', () => {
  const trials = take({ costs: [] }, 300);
  const rounds = Array.from({ length: 100 }, (_, round) =>
    trials.slice(round * 3, round * 3 + 3).map((trial) => trial?.tool),
  );
  for (const round of rounds) expect([...round].sort()).toEqual(['a', 'b', 'c']);
  expect(new Set(rounds.map((round) => round.join(''))).size).toBe(6);
});

test('each arm comes first in about half of the trials', () => {
  const firsts = take({}, 1000).filter((trial) => trial?.first === 'baseline');
  expect(firsts.length).toBeGreaterThan(430);
  expect(firsts.length).toBeLessThan(570);
});

test('every trial has its own number and seed', () => {
  const trials = take({}, 100);
  expect(trials.map((trial) => trial?.number)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(new Set(trials.map((trial) => trial?.seed)).size).toBe(100);
});

test.each([
  ['no tools', { tools: [] }],
  ['nothing to compare', { costs: [], blanks: 0 }],
])('a plan is empty with %s', (_, settings) => {
  expect(take(settings, 1)).toEqual([null]);
});
