import { rmSync } from 'node:fs';
import { makeCells, makeQuestion } from '../../run/question/make-question.js';
import { makeTemporaryDirectory } from '../../lib/make-temporary-directory.js';
import { openJobRunner } from '../../run/open-job-runner.js';
import { isRetention } from '../../stats/plan-memory.js';
import { prepareComparison } from '../../run/prepare-comparison.js';
import { passGate, startRun } from '../../run/run-comparison.js';
import { enterSandbox } from '../../run/sandbox/find-sandbox.js';
import { gatherEvidence, isSameOutput } from './gather-evidence.js';
import { judgeClaim } from './judge-claim.js';
import { chooseMinimumEffect, chooseMostProcesses } from './minimum-effect.js';

/** @import { Cell, ClaimResult, Question } from '../../formats/types.ts' */
/** @import { Io } from '../../cli/cli.js' */
/** @import { Session } from '../../run/continue-run.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Prepared } from '../../run/run-comparison.js' */
/** @import { ClaimGroup } from './group-claims.js' */

/** Of the time of a group, for the times themselves. */
const TIMED_SHARE = 3 / 4;

/**
 * @typedef {object} ReproduceContext
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {string} runsPath where the run of a group is made
 * @property {string} seed
 * @property {boolean} [sandbox] whether workers run in one
 * @property {Session} session
 * @property {Io} io
 */

/** @typedef {Omit<Prepared, 'command' | 'runsPath' | 'recorderStates'>} PreparedGroup */

/**
 * @typedef {object} GroupOutcome
 * @property {ClaimResult[]} results
 * @property {string | null} runPath null where only the gate was asked
 * @property {boolean} hasFailed whether a worker failed so often that measuring ended early
 */

/**
 * Finds and makes ready what the claims of a group name.
 *
 * @param {ClaimGroup} group
 * @param {ReproduceContext} context
 * @returns {Promise<PreparedGroup>}
 * @throws {import('../../lib/errors.js').AssayError} when something is not there
 */
export async function prepareGroup(group, context) {
  const { families, family, io } = context;
  const question = await makeGroupQuestion(group, context);
  return prepareComparison(question, { families, family, io });
}

/**
 * Does what the claims of a group need and judges them.
 *
 * @param {ClaimGroup} group
 * @param {PreparedGroup} prepared
 * @param {number | null} budgetSeconds for the group
 * @param {ReproduceContext} context
 * @returns {Promise<GroupOutcome>}
 * @throws {import('../../lib/errors.js').MachineError} when a worker of the gate fails
 */
export function settleGroup(group, prepared, budgetSeconds, context) {
  if (group.kind === 'gate') return askGate(group, prepared, context);
  // Other layouts may take a third of what the times take.
  const timedSeconds = budgetSeconds === null ? null : budgetSeconds * TIMED_SHARE;
  const question = { ...prepared.question, budgetSeconds: timedSeconds };
  return compareSides(group, { ...prepared, question }, context);
}

/**
 * @param {ClaimGroup} group
 * @param {ReproduceContext} context
 * @returns {Promise<Question>}
 */
async function makeGroupQuestion({ kind, baseline, candidate, claims }, context) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const { operation: op, corpus } of claims) {
    for (const cell of await makeCells(context.family, { op, corpus })) cells.set(cell.id, cell);
  }
  const { seed, sandbox = false } = context;
  const question = await makeQuestion([baseline, candidate], context.family, {
    mei: String(chooseMinimumEffect(claims) * 100),
    processes: String(chooseMostProcesses(claims)),
    // Nothing is explained, so as not to do more than is asked.
    explain: 'none',
    seed,
    memoryOnly: kind === 'memory',
    sandbox,
  });
  return {
    ...question,
    cells: [...cells.values()],
    // Of memory, only retained bytes are claimed.
    ...(kind === 'memory' ? { memoryKinds: question.memoryKinds?.filter(isRetention) ?? [] } : {}),
  };
}

/**
 * @param {ClaimGroup} group
 * @param {PreparedGroup} prepared
 * @param {ReproduceContext} context
 * @returns {Promise<GroupOutcome>}
 */
async function compareSides(group, prepared, { runsPath, session }) {
  const run = await startRun(
    { ...prepared, command: formatGroup(group, prepared.question), runsPath, recorderStates: [] },
    session,
  );
  await session.publish(run);
  const { question } = prepared;
  const results = group.claims.map((claim) =>
    judgeClaim(claim, gatherEvidence(claim, { ...run, question })),
  );
  return { results, runPath: run.path, hasFailed: run.verdict.ended === 'failed' };
}

/**
 * @param {ClaimGroup} group
 * @param {PreparedGroup} prepared
 * @param {ReproduceContext} context
 * @returns {Promise<GroupOutcome>}
 */
async function askGate(group, prepared, { session }) {
  const { question, variants } = prepared;
  const outputPath = makeTemporaryDirectory('reproduce');
  try {
    const gate = await passGate(
      prepared,
      outputPath,
      openJobRunner([], enterSandbox(session, prepared.sandbox), prepared.runtimes),
    );
    const results = group.claims.map((claim) =>
      judgeClaim(claim, {
        cell: null,
        retained: null,
        contract: gate.contracts[variants.candidate.spec] ?? null,
        isSameOutput: isSameOutput(claim, gate.differences, question.cells),
        minimumEffect: question.minimumEffect,
        processMs: null,
        failure: null,
      }),
    );
    return { results, runPath: null, hasFailed: false };
  } finally {
    rmSync(outputPath, { recursive: true });
  }
}

/**
 * @param {ClaimGroup} group
 * @param {Question} question
 * @returns {string} how its manifest names it
 */
function formatGroup({ claims }, { seed }) {
  return `just reproduce ${claims.map(({ id }) => id).join(' ')} --seed ${seed}`;
}
