import { AssayError } from '../../lib/errors.js';
import { clearProgress } from '../../run/print-progress.js';
import { MissingToolError } from '../../variants/probe-toolchain.js';
import { findExpectedRatio } from '../../stats/expected-ratio.js';
import { prepareGroup, settleGroup } from './reproduce-group.js';
import { shareBudget } from './share-budget.js';

/** @import { Claim, ClaimResult } from '../../formats/types.ts' */
/** @import { ClaimGroup } from './group-claims.js' */
/** @import { GroupOutcome, PreparedGroup, ReproduceContext } from './reproduce-group.js' */

/** @typedef {(group: ClaimGroup) => ReproduceContext} ContextOf */

/**
 * A group whose sides were found and made ready, or could not be.
 *
 * @typedef {{ group: ClaimGroup, prepared: PreparedGroup } | { group: ClaimGroup, error: unknown }} Preparation
 */

/**
 * @typedef {object} GroupsContext
 * @property {ContextOf} contextOf
 * @property {number} budgetMs for all of them
 * @property {(outcome: GroupOutcome) => void} keep told what a group came to, as soon as it is known
 */

/**
 * Makes groups ready, one after the other. What a group lacks is reported when its turn comes.
 *
 * @param {ClaimGroup[]} groups
 * @param {ContextOf} contextOf
 * @returns {Promise<Preparation[]>} as far as it came before an interrupt
 */
export async function prepareGroups(groups, contextOf) {
  /** @type {Preparation[]} */
  const preparations = [];
  for (const group of groups) {
    const context = contextOf(group);
    if (context.io.signal.aborted) break;
    try {
      preparations.push({ group, prepared: await prepareGroup(group, context) });
    } catch (error) {
      preparations.push({ group, error });
    }
  }
  return preparations;
}

/**
 * Settles groups one after the other. One that fails, for a worker or the network, leaves its claims
 * without an answer and the others their turn.
 *
 * @param {Preparation[]} preparations
 * @param {GroupsContext} context
 * @returns {Promise<{ hasFailed: boolean }>} whether a group did
 */
export async function reproduceGroups(preparations, { contextOf, budgetMs, keep }) {
  const endMs = performance.now() + budgetMs;
  const groups = preparations.map(({ group }) => group);
  let hasFailed = false;
  for (const [index, preparation] of preparations.entries()) {
    const { group } = preparation;
    const context = contextOf(group);
    const { io } = context;
    if (io.signal.aborted) break;
    clearProgress(io.stderr);
    io.stderr.write(
      `${index + 1} of ${groups.length}: ${group.candidate} beside ${group.baseline}\n`,
    );
    const budgetSeconds = shareBudget(endMs - performance.now(), groups.slice(index));
    const outcome = await tryGroup(preparation, budgetSeconds, context);
    if (outcome === null) break;
    hasFailed ||= outcome.hasFailed;
    keep(io.signal.aborted ? keepSettled(outcome) : outcome);
  }
  return { hasFailed };
}

/**
 * @param {Preparation} preparation
 * @param {number | null} budgetSeconds
 * @param {ReproduceContext} context
 * @returns {Promise<GroupOutcome | null>} null where it was interrupted before anything was timed
 * @throws {Error} for a defect of Assay
 */
async function tryGroup(preparation, budgetSeconds, context) {
  const { group } = preparation;
  /** @type {ClaimResult['verdict']} */
  let verdict = 'cannot-run';
  try {
    if ('error' in preparation) throw preparation.error;
    verdict = 'inconclusive';
    return await settleGroup(group, preparation.prepared, budgetSeconds, context);
  } catch (error) {
    if (context.io.signal.aborted) return null;
    if (!(error instanceof AssayError)) throw error;
    const { message, remedy } = error;
    clearProgress(context.io.stderr);
    // What this machine does not have is an answer, and no failure.
    const isMissing = error instanceof MissingToolError;
    const label = isMissing ? 'note' : 'failed';
    context.io.stderr.write(`${label}: ${message}\n${remedy === undefined ? '' : `  ${remedy}\n`}`);
    const reason = message.split('\n', 1)[0] ?? message;
    const results = group.claims.map((claim) => leaveOpen(claim, verdict, reason));
    return { results, runPath: null, hasFailed: !isMissing };
  }
}

/**
 * @param {Claim} claim
 * @param {ClaimResult['verdict']} verdict
 * @param {string} reason
 * @returns {ClaimResult}
 */
function leaveOpen({ id, figure }, verdict, reason) {
  return { id, verdict, claimed: findExpectedRatio(figure), measured: null, reason };
}

/**
 * What an interrupt left undecided had no turn.
 *
 * @param {GroupOutcome} outcome
 * @returns {GroupOutcome}
 */
function keepSettled(outcome) {
  const results = outcome.results.filter(({ verdict }) => verdict !== 'inconclusive');
  return { ...outcome, results };
}
