import { choosePeers } from '../studies/calibration/peers/list-peers.js';
import { PARTS } from '../stats/calibration/plan-calibration.js';
import { didYouMean } from '../lib/words.js';
import { UsageError } from '../lib/errors.js';
import { parseDuration, parseList, parseNumber } from '../run/question/parse-options.js';

const BUDGET_SECONDS = '20';
/** What users of other tools give a comparison. */
const PEERS_BUDGET_SECONDS = '5';
const MODES = /** @type {const} */ (['default', 'screen']);
const PEERS_PARTS = /** @type {const} */ (['false-positives']);
const PEERS_MODES = /** @type {const} */ (['default']);

/**
 * @typedef {object} CalibrateOptions
 * @property {string} for
 * @property {string} [op]
 * @property {string} [corpus]
 * @property {string} [mode]
 * @property {string} [only]
 * @property {string} [budget] seconds of a comparison
 * @property {string} [seed]
 * @property {string} [out]
 * @property {string} [resume]
 * @property {boolean} [wait]
 * @property {string | true} [peers]
 */

/** @typedef {ReturnType<typeof readTask>} Task */

/**
 * Reads what was typed, before a directory is made for it. Peers have no parts but trials, and run under
 * Node's own flags.
 *
 * @param {CalibrateOptions} options
 * @throws {UsageError} when something makes no sense
 */
export function readTask({ for: time, only, mode, budget, peers }) {
  const isOfPeers = peers !== undefined;
  return {
    parts: parseWords('--only', only, isOfPeers ? PEERS_PARTS : PARTS),
    modes: parseWords('--mode', mode, isOfPeers ? PEERS_MODES : MODES),
    forMs: parseDuration('--for', time),
    budgetSeconds: parseTrialBudget(budget ?? (isOfPeers ? PEERS_BUDGET_SECONDS : BUDGET_SECONDS)),
    peers: choosePeers(typeof peers === 'string' ? parseList(peers) : undefined),
  };
}

/**
 * @param {string} text seconds
 * @returns {number}
 */
function parseTrialBudget(text) {
  return parseNumber('--budget', text.replace(/s$/, ''), { above: 0, upTo: 600 });
}

/**
 * @template {string} Word
 * @param {string} option as typed, for the message
 * @param {string | undefined} text
 * @param {readonly Word[]} words
 * @returns {Word[]} all of them where nothing was typed
 * @throws {UsageError} when it is none of them
 */
function parseWords(option, text, words) {
  const asked = parseList(text) ?? [...words];
  const unknown = asked.find((word) => !words.some((known) => known === word));
  if (unknown === undefined && asked.length > 0) return /** @type {Word[]} */ (asked);
  throw new UsageError(`${option} knows no '${unknown ?? ''}'${didYouMean(unknown ?? '', words)}`, {
    remedy: `there are ${words.join(', ')}`,
  });
}

/**
 * @param {string | undefined} spec of the variant, as typed
 * @param {CalibrateOptions} options
 * @param {number} seed
 * @returns {string} the command as it is repeated
 */
export function formatCommand(spec, options, seed) {
  const words = ['just calibrate'];
  if (spec !== undefined) words.push(spec);
  words.push(`--for ${options.for}`);
  if (options.op !== undefined) words.push(`--op ${options.op}`);
  if (options.corpus !== undefined) words.push(`--corpus ${options.corpus}`);
  if (options.mode !== undefined) words.push(`--mode ${options.mode}`);
  if (options.only !== undefined) words.push(`--only ${options.only}`);
  if (options.peers !== undefined) {
    words.push(options.peers === true ? '--peers' : `--peers ${options.peers}`);
  }
  if (options.budget !== undefined) words.push(`--budget ${options.budget}`);
  words.push(`--seed ${seed}`);
  return words.join(' ');
}
