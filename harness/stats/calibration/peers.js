import { meanOf, varianceOf } from '../means.js';
import { intervalOfDifference, intervalOfMean, takeProportion } from './noise.js';
import { findTruth } from './trials.js';

/** @import { PeerPoint, PeerSummary, PeerTrial, PeersComparison } from '../../formats/types.ts' */

/** Injected costs that tools are tested with, as shares. Few sizes, so that each has many trials. */
export const PEER_COSTS = Object.freeze([0.05, 0.1]);

/** @typedef {PeerTrial & { ratio: number }} DoneTrial */

/**
 * @param {Pick<PeersComparison, 'tools' | 'trials' | 'costs' | 'cell'>} peers
 * @returns {PeerSummary[]} one for each tool that could run, in the order of `tools`
 */
export function summarizePeers({ tools, trials, costs, cell }) {
  // Peers run under the default flags of Node, so only costs verified in that mode apply.
  const truthOf = (/** @type {number} */ injected) =>
    findTruth({ mode: 'default', cellId: cell.id, injected }, costs);
  return tools
    .filter(({ cannotRun }) => cannotRun === undefined)
    .map(({ name }) => {
      const own = trials.filter(({ tool }) => tool === name);
      return summarizeTool(name, own, truthOf);
    });
}

/**
 * @param {string} tool
 * @param {PeerTrial[]} trials of the tool
 * @param {(injected: number) => number} truthOf true ratio of a nominal share
 * @returns {PeerSummary}
 */
function summarizeTool(tool, trials, truthOf) {
  const done = trials.filter(isDone);
  const same = done.filter(({ injected }) => injected === 0);
  const costs = [...new Set(done.map(({ injected }) => injected))].filter((cost) => cost > 0);
  return {
    tool,
    trials: trials.length,
    failures: trials.length - done.length,
    falsePositives: takeProportion(
      same.filter(({ conclusion }) => conclusion !== 'no difference').length,
      same.length,
    ),
    points: costs
      .sort((a, b) => a - b)
      .map((injected) =>
        summarizePoint(
          done.filter((trial) => trial.injected === injected),
          { injected, truth: truthOf(injected) },
        ),
      ),
    orderEffect: intervalOfDifference(
      toLogs(same.filter(({ first }) => first === 'baseline')),
      toLogs(same.filter(({ first }) => first === 'candidate')),
    ),
    spread: same.length < 2 ? null : Math.sqrt(varianceOf(toLogs(same))),
    wallMs: done.length === 0 ? null : meanOf(done.map(({ wallMs }) => wallMs)),
  };
}

/** @type {(trial: PeerTrial) => trial is DoneTrial} */
function isDone(trial) {
  return trial.ratio !== null && trial.failure === undefined;
}

/**
 * Summarizes the trials with one injected cost.
 * @type {(trials: DoneTrial[], cost: { injected: number, truth: number }) => PeerPoint}
 */
function summarizePoint(trials, { injected, truth }) {
  const count = (/** @type {PeerTrial['conclusion']} */ word) =>
    takeProportion(trials.filter(({ conclusion }) => conclusion === word).length, trials.length);
  const errors = toLogs(trials).map((log) => log - Math.log(truth));
  return {
    injected,
    truth,
    found: count('slower'),
    wrongSign: count('faster'),
    bias: intervalOfMean(errors),
  };
}

/** @type {(trials: DoneTrial[]) => number[]} */
function toLogs(trials) {
  return trials.map(({ ratio }) => Math.log(ratio));
}
