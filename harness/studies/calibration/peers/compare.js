import { AssayError } from '../../../lib/errors.js';
import { assertSameExperiment } from '../../../run/identity.js';
import { describeJobVariant } from '../../../run/jobs.js';
import { drawIndex, drawUniform, seedGenerator, shuffle } from '../../../stats/random.js';
import { PEERS } from '../../study.js';
import { NO_COST_ROUNDS } from '../trial.js';

/** @import { Cell, InjectedCost, PeerTool, PeerTrial, PeersComparison, PreparedCorpus, RecorderHost } from '../../../formats/types.ts' */
/** @import { Bench } from '../trial.js' */
/** @import { OpenPeer, Peer, PeerTask, PlannedTrial, Side } from './types.ts' */

/**
 * What trials came to, so far.
 *
 * @typedef {Pick<PeersComparison, 'tools' | 'trials' | 'ended'>} Compared
 */

/**
 * @typedef {object} PeersSettings
 * @property {Peer[]} peers
 * @property {Pick<Bench, 'withCost'> & { family: { path: string } }} bench
 * @property {Pick<Cell, 'operation'>} cell
 * @property {PreparedCorpus} corpus
 * @property {Pick<InjectedCost, 'injected' | 'rounds'>[]} costs of this cell in default mode
 * @property {number} blanks A/A trials for each one with a cost; 1 makes as many as all others
 * @property {number} budgetSeconds of one trial, both sides together
 * @property {number} seed
 * @property {number} [trials] at most so many, over all tools; no limit where not given
 * @property {Compared | null} earlier what is gone on with
 * @property {() => boolean} isOver asked before each trial
 * @property {(compared: Compared) => void} keep called after each trial
 * @property {RecorderHost} host
 * @property {AbortSignal} signal ends the trial that runs, which then counts for nothing
 * @property {(progress: { step: string }) => void} onProgress
 * @property {(name: string) => string} tellCommand that runs one tool alone
 */

/**
 * Runs comparisons whose truth is known by all tools in random order. A tool that is not to be had
 * here is named in `tools` with the reason, and the others run. Does not take its turn on the host:
 * that is for whoever calls.
 *
 * @param {PeersSettings} settings
 * @returns {Promise<Compared>} with the earlier trials
 * @throws {import('../../../lib/errors.js').UsageError} when a tool is of another version than before
 */
export async function comparePeers(settings) {
  const { costs, signal, isOver, onProgress, earlier } = settings;
  const { tools, open } = await openPeers(settings);
  const plan = planTrials({ ...settings, tools: [...open.keys()], costs: costs.map(takeShare) });
  const trials = [...(earlier?.trials ?? [])];
  const last = trials.at(-1);
  const startMs = performance.now() - (last === undefined ? 0 : last.startedAtMs + last.wallMs);
  for (const planned of plan) {
    if (last !== undefined && planned.number <= last.number) continue;
    if (trials.length === settings.trials || isOver() || signal.aborted) break;
    const peer = open.get(planned.tool);
    if (peer === undefined) continue;
    onProgress({ step: `trial ${trials.length + 1} · ${planned.tool}` });
    const trial = await runTrial(planned, peer, { ...settings, startMs });
    if (signal.aborted) break;
    trials.push(trial);
    settings.keep({ tools, trials, ended: 'interrupted' });
  }
  return { tools, trials, ended: signal.aborted ? 'interrupted' : 'complete' };
}

/** @param {Pick<InjectedCost, 'injected'>} cost */
function takeShare({ injected }) {
  return injected;
}

/**
 * Brings the tools.
 *
 * @param {PeersSettings} settings
 * @returns {Promise<{ tools: PeerTool[], open: Map<string, OpenPeer> }>}
 */
async function openPeers(settings) {
  const { peers, signal, onProgress, tellCommand, earlier } = settings;
  const task = await makeTask({ rounds: NO_COST_ROUNDS, first: 'baseline', seed: 0 }, settings);
  /** @type {Map<string, OpenPeer>} */
  const open = new Map();
  /** @type {PeerTool[]} */
  const tools = [];
  for (const peer of peers) {
    if (signal.aborted) break;
    const { name, version, rule } = peer;
    const before = earlier?.tools.find((one) => one.name === name);
    const tool = { name, version, rule, command: before?.command ?? tellCommand(name) };
    onProgress({ step: `makes ${name} ready` });
    const found = await tryToOpen(peer, task, settings);
    if ('cannotRun' in found) tools.push({ ...tool, cannotRun: found.cannotRun });
    else {
      if (before !== undefined && before.cannotRun === undefined) {
        const [then, now] = [before, found].map((one) => ({
          toolVersions: { [name]: one.version },
        }));
        assertSameExperiment(then, now, PEERS.resumed);
      }
      open.set(name, found);
      tools.push({ ...tool, version: found.version });
    }
  }
  return { tools, open };
}

/**
 * @param {Peer} peer
 * @param {PeerTask} task
 * @param {Pick<PeersSettings, 'host' | 'signal'>} context
 * @returns {Promise<OpenPeer | { cannotRun: string }>}
 */
async function tryToOpen(peer, task, { host, signal }) {
  const probe = await peer.probe(host);
  if (!probe.available) return { cannotRun: sayMissing(probe) };
  try {
    return await peer.open(task, { host, signal });
  } catch (error) {
    return { cannotRun: takeMessage(error) };
  }
}

/** @param {{ reason: string, install: string | null }} probe */
function sayMissing({ reason, install }) {
  return install === null ? reason : `${reason}: ${install}`;
}

/**
 * @param {PlannedTrial} planned
 * @param {OpenPeer} peer
 * @param {PeersSettings & { startMs: number }} settings
 * @returns {Promise<PeerTrial>}
 */
async function runTrial(planned, peer, { startMs, ...settings }) {
  const { tool, number, injected, first, seed } = planned;
  const cost = settings.costs.find((one) => one.injected === injected);
  const rounds = cost?.rounds ?? NO_COST_ROUNDS;
  const task = await makeTask({ rounds, first, seed }, settings);
  const startedAtMs = Math.round(performance.now() - startMs);
  const outcome = await tryToCompare(peer, task);
  const wallMs = Math.round(performance.now() - startMs) - startedAtMs;
  return { tool, number, injected, first, ...outcome, wallMs, startedAtMs };
}

/**
 * @param {OpenPeer} peer
 * @param {PeerTask} task
 * @returns {Promise<Pick<PeerTrial, 'said' | 'ratio' | 'failure'>>}
 */
async function tryToCompare(peer, task) {
  try {
    return await peer.compare(task);
  } catch (error) {
    return { said: 'no difference', ratio: null, failure: takeMessage(error) };
  }
}

/**
 * @param {{ rounds: number, first: Side, seed: number }} trial
 * @param {PeersSettings} settings
 * @returns {Promise<PeerTask>}
 */
async function makeTask({ rounds, first, seed }, { bench, cell, corpus, budgetSeconds }) {
  return {
    familyPath: bench.family.path,
    operation: cell.operation,
    corpus,
    variants: {
      baseline: describeJobVariant(await bench.withCost(NO_COST_ROUNDS)),
      candidate: describeJobVariant(await bench.withCost(rounds)),
    },
    order: first === 'baseline' ? ['baseline', 'candidate'] : ['candidate', 'baseline'],
    budgetMs: budgetSeconds * 1000,
    seed,
  };
}

/**
 * @param {unknown} error
 * @returns {string}
 * @throws {unknown} the error itself where it is a defect of Assay
 */
function takeMessage(error) {
  if (error instanceof AssayError) return error.message;
  throw error;
}

const SEEDS = 2 ** 31;

/**
 * The comparisons that are made, without end. In every round each tool has its turn with one of the
 * injected costs and `blanks` turns with none, all in random order; which side comes first is drawn
 * for each comparison alone. So the tools share the weather, and wherever it is broken off they have
 * had nearly the same. Costs come back when all have been, so that with one blank a round there are
 * as many A/A comparisons as others.
 *
 * @param {object} settings
 * @param {string[]} settings.tools
 * @param {number[]} settings.costs as shares; none for A/A alone
 * @param {number} settings.blanks A/A comparisons of a tool in a round, a whole number
 * @param {number} settings.seed
 * @returns {Generator<PlannedTrial, void>} ends at once where nothing is wanted
 */
export function* planTrials({ tools, costs, blanks, seed }) {
  if (tools.length === 0 || costs.length + blanks === 0) return;
  const random = seedGenerator(seed);
  /** @type {number[]} */
  let left = [];
  for (let number = 0; ;) {
    if (left.length === 0) left = shuffle(costs, random);
    const turns = [...Array(blanks).fill(0), ...left.splice(0, 1)];
    const round = tools.flatMap((tool) => turns.map((injected) => ({ tool, injected })));
    for (const { tool, injected } of shuffle(round, random)) {
      const first = drawUniform(random) < 0.5 ? 'baseline' : 'candidate';
      yield { number, tool, injected, first, seed: drawIndex(random, SEEDS) };
      number++;
    }
  }
}
