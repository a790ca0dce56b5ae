import { basename, join } from 'node:path';
import { prepareCorpus } from '../../../../corpora/support/prepare.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { describeEnvironment } from '../../../host/environment.js';
import { AssayError, EXIT } from '../../../lib/errors.js';
import { PROJECT, describeAssay } from '../../../lib/project.js';
import { openRecorderHost } from '../../../profiling/recorder-registry.js';
import { assertSameExperiment } from '../../../run/identity.js';
import { describeJobVariant } from '../../../run/jobs.js';
import { drawIndex, drawUniform, seedGenerator, shuffle } from '../../../stats/random.js';
import { PEER_COSTS } from '../../../stats/calibration/peers.js';
import { PEERS } from '../../study.js';
import { findCosts } from '../measure-costs.js';
import { BASE_ROUNDS, prepareTrials } from '../trial.js';

/** @import { Io } from '../../../lib/io.ts' */
/** @import { Session } from '../../../run/run.js' */
/** @import { Cell, InjectedCost, PeerTool, PeerTrial, PeersComparison, PreparedCorpus, Question, RecorderHost } from '../../../formats/types.ts' */
/** @import { OpenPeer, Peer, PeerTask, PlannedTrial, PeerArm } from './types.ts' */
/** @import { FoundFamily } from '../../../variants/families.js' */
/** @import { TrialContext } from '../trial.js' */

/** A/A trials of a tool for each trial with a cost: as many, because a tool that never reports a difference
 * has no false positives either. */
const BLANKS = 1;

/**
 * @typedef {object} PeersTask
 * @property {Question} question of one cell; both arms are the variant
 * @property {FoundFamily} family
 * @property {FoundFamily[]} families
 * @property {Peer[]} peers
 * @property {boolean} isBlank whether only A/A trials run
 * @property {number} forMs
 * @property {number} budgetSeconds of one comparison
 * @property {number} seed
 * @property {string} path absolute, of its directory
 * @property {string} command as typed
 * @property {(name: string) => string} formatCommand the command that runs one tool alone
 * @property {Omit<Session, 'recorders'>} session
 * @property {(path: string, peers: PeersComparison) => Promise<void>} publish writes and prints the reports
 * @property {PeersComparison | null} stored the comparison that is resumed
 * @property {(peers: PeersComparison) => unknown} save writes peers.json
 */

/**
 * Compares benchmark tools with Assay on the same task, in trials with a known true effect.
 *
 * @param {PeersTask} task
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function calibratePeers(task, io) {
  const {
    question,
    family,
    families,
    path,
    command,
    peers,
    budgetSeconds,
    seed,
    forMs,
    stored,
    save,
  } = task;
  const startMs = performance.now();
  const createdAt = new Date().toISOString();
  const environment = describeEnvironment({ variables: io.environment });
  const assay = describeAssay();
  if (stored !== null) assertSameExperiment(stored, { environment, assay }, PEERS.resumed);
  const { session, publish } = task;
  const trialContext = await prepareTrials(
    { question, family, families, outputPath: join(path, 'artefacts') },
    session,
    io,
  );
  const [cell] = question.cells;
  const earlier = stored?.costs ?? [];
  const onMeasure = () => session.onProgress(() => ({ step: `costs of ${cell.id}` }));
  const costs = task.isBlank
    ? earlier
    : await findCosts({ mode: 'default', cell, forMs, earlier, onMeasure }, trialContext, session);
  /** @param {Compared} compared  @returns {PeersComparison} */
  const describe = (compared) => ({
    formatVersion: FORMAT_VERSION,
    id: basename(path),
    createdAt: stored?.createdAt ?? createdAt,
    command: stored?.command ?? command,
    wallMs: (stored?.wallMs ?? 0) + performance.now() - startMs,
    assay,
    environment,
    variant: question.baseline,
    cell,
    budgetSeconds,
    seed,
    costs,
    ...compared,
  });
  const compared = await comparePeers({
    peers,
    trialContext,
    cell,
    corpus: await prepareCorpus(cell.corpus, { directory: PROJECT.corporaPath }),
    costs: costs.filter(({ injected }) => PEER_COSTS.includes(injected)),
    blanks: BLANKS,
    budgetSeconds,
    seed,
    isOver: () => performance.now() - startMs > forMs,
    earlier: stored,
    keep: (sofar) => void save(describe(sofar)),
    host: openRecorderHost(io),
    signal: io.signal,
    onProgress: session.onProgress,
    formatCommand: task.formatCommand,
  });
  if (compared.trials.length === 0 && !io.signal.aborted) {
    io.stderr.write(
      'note: measuring the costs took all of the time; use a longer --for, or --only false-positives\n',
    );
  }
  await publish(path, describe(compared));
  return io.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/**
 * Results so far.
 *
 * @typedef {Pick<PeersComparison, 'tools' | 'trials' | 'ended'>} Compared
 */

/**
 * @typedef {object} PeersSettings
 * @property {Peer[]} peers
 * @property {Pick<TrialContext, 'withCost'> & { family: { path: string } }} trialContext
 * @property {Pick<Cell, 'operation'>} cell
 * @property {PreparedCorpus} corpus
 * @property {Pick<InjectedCost, 'injected' | 'rounds'>[]} costs of this cell in default mode
 * @property {number} blanks A/A trials for each trial with a cost
 * @property {number} budgetSeconds of one trial, for both arms together
 * @property {number} seed
 * @property {number} [trials] most trials of all tools; no limit by default
 * @property {Compared | null} earlier results of the comparison that is resumed
 * @property {() => boolean} isOver asked before each trial
 * @property {(compared: Compared) => void} keep called after each trial
 * @property {RecorderHost} host
 * @property {AbortSignal} signal ends the running trial, whose result is dropped
 * @property {(describe: () => { step: string }) => void} onProgress
 * @property {(name: string) => string} formatCommand the command that runs one tool alone
 */

/**
 * Runs trials with a known true effect with all tools, in random order. Unavailable tools are listed in
 * `tools` with the reason. The caller must hold the lock of the host.
 *
 * @param {PeersSettings} settings
 * @returns {Promise<Compared>} with the earlier trials
 * @throws {import('../../../lib/errors.js').UsageError} when the version of a tool changed
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
    onProgress(() => ({ step: `trial ${trials.length + 1} · ${planned.tool}` }));
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
 * Installs the tools.
 * @type {(settings: PeersSettings) => Promise<{ tools: PeerTool[], open: Map<string, OpenPeer> }>}
 */
async function openPeers(settings) {
  const { peers, signal, onProgress, formatCommand, earlier } = settings;
  const task = await makeTask(
    { rounds: BASE_ROUNDS.arithmetic, first: 'baseline', seed: 0 },
    settings,
  );
  /** @type {Map<string, OpenPeer>} */
  const open = new Map();
  /** @type {PeerTool[]} */
  const tools = [];
  for (const peer of peers) {
    if (signal.aborted) break;
    const { name, version, rule } = peer;
    const before = earlier?.tools.find((one) => one.name === name);
    const tool = { name, version, rule, command: before?.command ?? formatCommand(name) };
    onProgress(() => ({ step: `prepares ${name}` }));
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
 * @param {PeersSettings & { startMs: number }} settings
 * @returns {Promise<PeerTrial>}
 */
async function runTrial(planned, peer, { startMs, ...settings }) {
  const { tool, number, injected, first, seed } = planned;
  const cost = settings.costs.find((one) => one.injected === injected);
  const rounds = cost?.rounds ?? BASE_ROUNDS.arithmetic;
  const task = await makeTask({ rounds, first, seed }, settings);
  const startedAtMs = Math.round(performance.now() - startMs);
  const outcome = await tryToCompare(peer, task);
  const wallMs = Math.round(performance.now() - startMs) - startedAtMs;
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
 * @param {PeersSettings} settings
 * @returns {Promise<PeerTask>}
 */
async function makeTask({ rounds, first, seed }, { trialContext, cell, corpus, budgetSeconds }) {
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

/**
 * @param {unknown} error
 * @returns {string}
 * @throws {unknown} the error itself if it is a defect of Assay
 */
function messageOf(error) {
  if (error instanceof AssayError) return error.message;
  throw error;
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
 * @returns {Generator<PlannedTrial, void>} empty if there are no tools or no trials
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
