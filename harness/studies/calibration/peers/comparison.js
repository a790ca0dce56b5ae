import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { identifyEnvironment } from '../../../host/environment.js';
import { messageOf } from '../../../lib/errors.js';
import { identifyAssay } from '../../../lib/project.js';
import { assertSameExperiment } from '../../../run/identity.js';
import { describeJobVariant } from '../../../run/jobs.js';
import { drawIndex, drawUniform, seedGenerator, shuffle } from '../../../stats/random.js';
import { PEER_COSTS } from '../../../stats/calibration/peers.js';
import { findKind } from '../../study.js';
import { areVerified, measureCosts } from '../measure-costs.js';
import { BASE_ROUNDS } from '../trial.js';

/** @import { Session } from '../../../run/run.js' */
/** @import { InjectedCost, PeerTool, PeerTrial, PeersComparison, PreparedCorpus, Question, RecorderHost } from '../../../formats/types.ts' */
/** @import { OpenPeer, Peer, PeerTask, PlannedTrial, PeerArm } from './types.ts' */
/** @import { Study } from '../../study.js' */
/** @import { TrialContext } from '../trial.js' */

/** A/A trials of a tool for each trial with a cost: as many, because a tool that never reports a difference
 * has no false positives either. */
const BLANKS = 1;

/**
 * A new comparison of tools, without results.
 *
 * @param {object} asked
 * @param {Question} asked.question of one cell; both arms are the variant
 * @param {string} asked.command as typed
 * @param {number} asked.budgetSeconds of one comparison
 * @param {Peer[]} asked.peers
 * @param {(name: string) => string} asked.formatCommand the command that runs one tool alone
 * @param {Record<string, string | undefined>} asked.variables
 * @returns {PeersComparison}
 */
export function beginPeers({ question, command, budgetSeconds, peers, formatCommand, variables }) {
  return {
    formatVersion: FORMAT_VERSION,
    id: '',
    createdAt: new Date().toISOString(),
    command,
    wallMs: 0,
    assay: identifyAssay(),
    environment: identifyEnvironment({ variables }),
    variant: question.baseline,
    cell: question.cells[0],
    budgetSeconds,
    seed: question.seed,
    costs: [],
    tools: peers.map(({ name, version, rule }) => ({
      ...{ name, version, rule, command: formatCommand(name) },
    })),
    trials: [],
    ended: 'interrupted',
  };
}

/**
 * @typedef {object} PeersSettings
 * @property {Peer[]} peers
 * @property {Pick<TrialContext, 'withCost'> & { family: { path: string } }} trialContext
 * @property {PreparedCorpus} corpus
 * @property {number} [blanks] A/A trials for each trial with a cost
 * @property {number} forMs of this session
 * @property {number} [maxTrials] of all tools; no limit by default
 * @property {RecorderHost} host
 * @property {AbortSignal} signal ends the running trial, whose result is dropped
 * @property {(describe: () => { step: string }) => void} onProgress
 */

/**
 * The study that runs trials with a known true effect with all tools, in random order.
 *
 * @param {PeersSettings} settings
 * @param {Map<string, OpenPeer>} open the tools that work here, see `openPeers`
 * @returns {Study<PeersComparison, PlannedTrial, PeerTrial>}
 */
export function makePeersStudy(settings, open) {
  const { blanks = BLANKS, forMs, maxTrials = Infinity, onProgress } = settings;
  return {
    next({ trials, costs, seed }, { elapsedMs }) {
      if (trials.length >= maxTrials || elapsedMs() > forMs) return null;
      const from = (trials.at(-1)?.number ?? -1) + 1;
      const shares = listUsed(costs).map(({ injected }) => injected);
      const plan = { tools: [...open.keys()], costs: shares, blanks, seed, from };
      return planTrials(plan).next().value ?? null;
    },
    async measure(planned, comparison, { elapsedMs, isInterrupted }) {
      onProgress(() => ({ step: `trial ${comparison.trials.length + 1} · ${planned.tool}` }));
      const peer = /** @type {OpenPeer} */ (open.get(planned.tool));
      const nowMs = () => Math.round(comparison.wallMs + elapsedMs());
      const trial = await runTrial(planned, peer, { ...settings, comparison, nowMs });
      return isInterrupted() ? null : trial;
    },
    absorb: (comparison, { result }) => ({
      ...comparison,
      trials: [...comparison.trials, result],
    }),
    conclude: (comparison, { elapsedMs, isInterrupted }) => ({
      ...comparison,
      wallMs: comparison.wallMs + elapsedMs(),
      ended: isInterrupted() ? 'interrupted' : 'complete',
    }),
  };
}

/** @type {(costs: InjectedCost[]) => InjectedCost[]} */
function listUsed(costs) {
  return costs.filter(({ injected }) => PEER_COSTS.includes(injected));
}

/**
 * Begins a session of a comparison of tools: verifies the costs and installs the tools. Unavailable tools are listed in
 * `tools` with the reason. The caller must hold the lock of the host.
 *
 * @param {PeersComparison} stored
 * @param {Omit<PeersSettings, 'trialContext'> & { trialContext: TrialContext, isBlank: boolean,
 *   session: Pick<Session, 'environment' | 'signal'> }} settings `isBlank`: whether only A/A trials run
 * @returns {Promise<{ study: Study<PeersComparison, PlannedTrial, PeerTrial>, state: PeersComparison }>}
 * @throws {import('../../../lib/errors.js').UsageError} when the version of a tool changed
 */
export async function openPeersSession(stored, settings) {
  const { isBlank, forMs, trialContext, session, onProgress } = settings;
  const { cell, costs: earlier } = stored;
  let costs = earlier;
  if (!isBlank && !areVerified(earlier, forMs)) {
    onProgress(() => ({ step: `costs of ${cell.id}` }));
    costs = await measureCosts({ mode: 'default', cell, forMs, earlier }, trialContext, session);
  }
  const { tools, open } = await openPeers(stored, settings);
  const ends = stored.trials.map(({ startedAtMs, wallMs }) => startedAtMs + wallMs);
  // A killed session did not store its wall time.
  const state = { ...stored, costs, tools, wallMs: Math.max(stored.wallMs, ...ends) };
  return { study: makePeersStudy(settings, open), state };
}

/**
 * Installs the tools.
 *
 * @param {PeersComparison} comparison
 * @param {PeersSettings} settings
 * @returns {Promise<{ tools: PeerTool[], open: Map<string, OpenPeer> }>}
 */
export async function openPeers(comparison, settings) {
  const { peers, signal, onProgress } = settings;
  const trial = {
    rounds: BASE_ROUNDS.arithmetic,
    first: /** @type {const} */ ('baseline'),
    seed: 0,
  };
  const task = await makeTask(trial, comparison, settings);
  /** @type {Map<string, OpenPeer>} */
  const open = new Map();
  /** @type {PeerTool[]} */
  const tools = [];
  for (const peer of peers) {
    if (signal.aborted) break;
    const { name, version, rule } = peer;
    const before = comparison.tools.find((one) => one.name === name);
    const tool = { name, version, rule, command: before?.command ?? comparison.command };
    onProgress(() => ({ step: `prepares ${name}` }));
    const found = await tryToOpen(peer, task, settings);
    if ('cannotRun' in found) tools.push({ ...tool, cannotRun: found.cannotRun });
    else {
      const isMeasured = comparison.trials.some((one) => one.tool === name);
      if (before !== undefined && isMeasured) {
        const [then, now] = [before, found].map((one) => ({
          toolVersions: { [name]: one.version },
        }));
        assertSameExperiment(then, now, findKind('peers').resumed);
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
  if (!probe.available) return { cannotRun: describeMissing(probe) };
  try {
    return await peer.open(task, { host, signal });
  } catch (error) {
    return { cannotRun: messageOf(error) };
  }
}

/** @param {{ reason: string, install: string | null }} probe */
function describeMissing({ reason, install }) {
  return install === null ? reason : `${reason}: ${install}`;
}

/**
 * @param {PlannedTrial} planned
 * @param {OpenPeer} peer
 * @param {PeersSettings & { comparison: PeersComparison, nowMs: () => number }} settings `nowMs`: on the clock of the
 *   comparison
 * @returns {Promise<PeerTrial>}
 */
async function runTrial(planned, peer, { comparison, nowMs, ...settings }) {
  const { tool, number, injected, first, seed } = planned;
  const cost = comparison.costs.find((one) => one.injected === injected);
  const rounds = cost?.rounds ?? BASE_ROUNDS.arithmetic;
  const task = await makeTask({ rounds, first, seed }, comparison, settings);
  const startedAtMs = nowMs();
  const outcome = await tryToCompare(peer, task);
  const wallMs = nowMs() - startedAtMs;
  return { tool, number, injected, first, ...outcome, wallMs, startedAtMs };
}

/**
 * @param {OpenPeer} peer
 * @param {PeerTask} task
 * @returns {Promise<Pick<PeerTrial, 'conclusion' | 'ratio' | 'failure'>>}
 */
async function tryToCompare(peer, task) {
  try {
    return await peer.compare(task);
  } catch (error) {
    return { conclusion: 'no difference', ratio: null, failure: messageOf(error) };
  }
}

/**
 * @param {{ rounds: number, first: PeerArm, seed: number }} trial
 * @param {Pick<PeersComparison, 'cell' | 'budgetSeconds'>} comparison
 * @param {PeersSettings} settings
 * @returns {Promise<PeerTask>}
 */
async function makeTask(
  { rounds, first, seed },
  { cell, budgetSeconds },
  { trialContext, corpus },
) {
  return {
    familyPath: trialContext.family.path,
    operation: cell.operation,
    corpus,
    variants: {
      baseline: describeJobVariant(await trialContext.withCost(BASE_ROUNDS.arithmetic)),
      candidate: describeJobVariant(await trialContext.withCost(rounds)),
    },
    order: first === 'baseline' ? ['baseline', 'candidate'] : ['candidate', 'baseline'],
    budgetMs: budgetSeconds * 1000,
    seed,
  };
}

const SEEDS = 2 ** 31;

/**
 * Plans an endless sequence of trials. In each round every tool runs one trial with an injected cost and
 * `blanks` A/A trials, in random order, with the order of the arms drawn for each trial. So disturbances affect
 * all tools alike, and wherever the sequence stops they have had almost the same trials. A cost is used again
 * once all others have been.
 *
 * @param {object} settings
 * @param {string[]} settings.tools
 * @param {number[]} settings.costs as shares; none for A/A alone
 * @param {number} settings.blanks A/A trials of a tool per round, a whole number
 * @param {number} settings.seed
 * @param {number} [settings.from] number of the first trial; earlier ones have run
 * @returns {Generator<PlannedTrial, void>} empty if there are no tools or no trials
 */
export function* planTrials({ tools, costs, blanks, seed, from = 0 }) {
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
      /** @type {PlannedTrial} */
      const planned = { number, tool, injected, first, seed: drawIndex(random, SEEDS) };
      if (number >= from) yield planned;
      number++;
    }
  }
}
