import { rmSync } from 'node:fs';
import { AssayError } from '../../lib/errors.js';
import { describeError } from '../../lib/failures.js';
import { makeTemporaryDirectory } from '../../lib/files.js';
import { writeLine } from '../../lib/messages.js';
import { checkCorrectness, openChecks } from '../../run/gate.js';
import { hasTwoCores } from '../../host/cores.js';
import { openJobRunner } from '../../run/jobs.js';
import { prepareComparison } from '../../run/prepare.js';
import { chooseNodeFlags, makeCells, makeQuestion } from '../../run/question.js';
import { enterSandbox } from '../../run/sandbox.js';
import { findExpectedRatio } from '../../stats/means.js';
import { isRetention } from '../../stats/memory/plan.js';
import { USUAL } from '../../stats/usual.js';
import { MissingToolError } from '../../variants/build-family.js';
import { loadOperation } from '../../variants/families.js';
import { measureRun } from '../study.js';
import { chooseMinimumEffect, chooseMostProcesses, listBands } from './claims.js';
import { gatherEvidence, isSameOutput, judgeClaim, NO_EVIDENCE } from './judge.js';
import { allocateBudget } from './budget.js';
import { addResults } from './reproduction.js';

/** @import { Cell, Claim, ClaimResult, Question, Reproduction } from '../../formats/types.ts' */
/** @import { ClaimGroup, FamilyClaim } from './claims.js' */
/** @import { Study } from '../study.js' */
/** @import { ClaimCommands } from './judge.js' */
/** @import { Io } from '../../lib/io.ts' */
/** @import { Prepared, Session } from '../../run/run.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {(group: ClaimGroup) => ReproduceContext} ContextOf */

/**
 * A group whose variants are prepared, or the reason why they are not.
 *
 * @typedef {{ group: ClaimGroup, prepared: PreparedGroup } | { group: ClaimGroup, error: unknown }} Preparation
 */

/**
 * Divides groups so that none has both loops and clients, since only those of clients are measured in pairs.
 *
 * @param {ClaimGroup[]} groups
 * @param {(group: ClaimGroup) => FoundFamily} familyOf
 * @returns {Promise<ClaimGroup[]>}
 */
export async function separateClients(groups, familyOf) {
  const separated = [];
  for (const group of groups) {
    /** @type {Map<boolean, ClaimGroup['claims']>} */
    const kinds = new Map();
    for (const claim of group.claims) {
      const { sharesCore = false } =
        group.kind === 'time' ? await loadOperation(familyOf(group), claim.operation) : {};
      kinds.set(sharesCore, [...(kinds.get(sharesCore) ?? []), claim]);
    }
    separated.push(...[...kinds.values()].map((claims) => ({ ...group, claims })));
  }
  return separated;
}

/**
 * Prepares groups one after the other. Errors are reported when the group is due.
 *
 * @param {ClaimGroup[]} groups
 * @param {ContextOf} contextOf
 * @returns {Promise<Preparation[]>} fewer after an interruption
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
 * A group that is due, with its share of the time.
 *
 * @typedef {object} GroupTask
 * @property {Preparation} preparation
 * @property {number} number of the group, from 1
 * @property {number} count of the groups of this session
 * @property {number | null} budgetSeconds
 */

/**
 * The study that settles groups one after the other. A group that fails leaves its claims without a result; the others
 * are still measured.
 *
 * @param {object} asked
 * @param {FamilyClaim[]} asked.claims all that the reproduction is about
 * @param {Preparation[]} asked.preparations of groups; is filled when they are prepared
 * @param {number} asked.budgetMs for all groups of this session
 * @param {(group: ClaimGroup, path: string) => ReproduceContext} asked.contextOf
 * @returns {Study<Reproduction, GroupTask, GroupOutcome>}
 */
export function makeReproductionStudy({ claims, preparations, budgetMs, contextOf }) {
  return {
    next(reproduction, { results, elapsedMs }) {
      const left = preparations.filter(({ group }) => isOpen(group, reproduction));
      if (left.length === 0) return null;
      const groups = left.map(({ group }) => group);
      return {
        preparation: left[0],
        number: results.length + 1,
        count: results.length + left.length,
        budgetSeconds: allocateBudget(budgetMs - elapsedMs(), groups),
      };
    },
    announce: ({ preparation: { group }, number, count }) =>
      `${number} of ${count}: ${group.baseline} and ${group.candidate}`,
    async measure({ preparation, budgetSeconds }, _reproduction, { path, isInterrupted }) {
      const context = contextOf(preparation.group, path);
      const outcome = await tryGroup(preparation, budgetSeconds, context);
      return isInterrupted() ? keepSettled(outcome) : outcome;
    },
    absorb: (reproduction, { result, ms }) => ({
      ...reproduction,
      ...addResults(reproduction, claims, result),
      wallMs: Math.round(reproduction.wallMs + ms),
    }),
    conclude: (reproduction) => reproduction,
  };
}

/** @type {(group: ClaimGroup, reproduction: Reproduction) => boolean} whether a claim of it has no result yet */
export function isOpen({ claims }, { judged }) {
  return claims.some(({ id }) => !judged.some(({ claim }) => claim.id === id));
}

/**
 * @param {Preparation} preparation
 * @param {number | null} budgetSeconds
 * @param {ReproduceContext} context
 * @returns {Promise<GroupOutcome>}
 * @throws {Error} what an interruption caused, or a defect of Assay
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
    if (context.io.signal.aborted || !(error instanceof AssayError)) throw error;
    // A tool that is not installed is an answer, not a failure.
    const isMissing = error instanceof MissingToolError;
    const label = isMissing ? 'note' : 'failed';
    const { remedy } = error;
    const reason = describeError(error);
    writeLine(context.io.stderr, `${label}: ${reason}`);
    if (remedy !== undefined) writeLine(context.io.stderr, `  ${remedy}`);
    const results = group.claims.map((claim) => leaveOpen(claim, verdict, reason));
    return { results, runPath: null, hasFailed: !isMissing };
  }
}

/** @type {(claim: Claim, verdict: ClaimResult['verdict'], reason: string) => ClaimResult} */
function leaveOpen({ id, figure }, verdict, reason) {
  return { id, verdict, claimed: findExpectedRatio(figure), measured: null, reason };
}

/**
 * Drops results that an interruption left inconclusive.
 * @type {(outcome: GroupOutcome) => GroupOutcome}
 */
function keepSettled(outcome) {
  const results = outcome.results.filter(({ verdict }) => verdict !== 'inconclusive');
  return { ...outcome, results };
}

/**
 * @typedef {object} ReproduceContext
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {string} runsPath directory of the reproduction
 * @property {number} seed
 * @property {boolean} [sandbox] whether workers run in a sandbox
 * @property {ClaimCommands} commands
 * @property {Session} session
 * @property {Io} io
 */

/** @typedef {Omit<Prepared, 'command' | 'runsPath' | 'recorderStates'>} PreparedGroup */

/**
 * @typedef {object} GroupOutcome
 * @property {ClaimResult[]} results
 * @property {string | null} runPath null where only the gate ran
 * @property {boolean} hasFailed whether measuring ended early because a worker kept failing
 */

/**
 * Resolves the variants and corpora of a group.
 *
 * @param {ClaimGroup} group
 * @param {ReproduceContext} context
 * @returns {Promise<PreparedGroup>}
 * @throws {import('../../lib/errors.js').AssayError} when something does not exist
 */
async function prepareGroup(group, context) {
  const { families, family, io } = context;
  const question = await makeGroupQuestion(group, context);
  return prepareComparison(question, { families, family, io });
}

/**
 * Measures what the claims of a group need, and judges them.
 *
 * @param {ClaimGroup} group
 * @param {PreparedGroup} prepared
 * @param {number | null} budgetSeconds for the group
 * @param {ReproduceContext} context
 * @returns {Promise<GroupOutcome>}
 * @throws {import('../../lib/errors.js').MachineError} when a worker of the gate fails
 */
function settleGroup(group, prepared, budgetSeconds, context) {
  if (group.kind === 'gate') return askGate(group, prepared, context);
  const question = { ...prepared.question, budgetSeconds };
  return compareArms(group, { ...prepared, question }, context);
}

/** @type {(group: ClaimGroup, context: ReproduceContext) => Promise<Question>} */
async function makeGroupQuestion({ kind, baseline, candidate, claims }, context) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const { operation: op, corpus } of claims) {
    for (const cell of await makeCells(context.family, { op: [op], corpus: [corpus] }))
      cells.set(cell.id, cell);
  }
  const { seed, sandbox = false } = context;
  const question = await makeQuestion([baseline, candidate], context.family, {
    mei: chooseMinimumEffect(claims),
    processes: chooseMostProcesses(claims),
    placements: USUAL.placements,
    explain: 'none',
    seed,
    memoryOnly: kind === 'memory',
    sandbox,
  });
  const asked = { ...question, cells: [...cells.values()] };
  // CPU time is the same in a pair, and hardly comparable without one.
  const isShared = asked.cells.every(({ sharesCore }) => sharesCore === true);
  if (isShared && hasTwoCores(context.io.environment)) asked.schedule = 'paired';
  const operations = asked.cells.map(({ operation }) => operation);
  asked.nodeFlags = await chooseNodeFlags({}, operations, context.family);
  // The only claims about memory are of retained bytes.
  return kind === 'memory'
    ? { ...asked, memoryKinds: question.memoryKinds?.filter(isRetention) ?? [] }
    : { ...asked, bands: listBands(claims, asked.cells, asked.minimumEffect) };
}

/**
 * @param {ClaimGroup} group
 * @param {PreparedGroup} prepared
 * @param {ReproduceContext} context
 * @returns {Promise<GroupOutcome>}
 */
async function compareArms(group, prepared, { runsPath, session, io, commands }) {
  const command = commands.reproduce(group.claims.map(({ id }) => id));
  const run = await measureRun({ ...prepared, command, runsPath, recorderStates: [] }, session, {
    kind: 'reproduction',
    io,
  });
  const { question } = prepared;
  const results = group.claims.map((claim) =>
    judgeClaim(claim, gatherEvidence(claim, { ...run, question }, commands)),
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
    const gate = await checkCorrectness(
      prepared,
      outputPath,
      openChecks(
        openJobRunner([], enterSandbox(session, prepared.sandbox), prepared.runtimes),
        session.signal,
      ),
    );
    const results = group.claims.map((claim) =>
      judgeClaim(claim, {
        ...NO_EVIDENCE,
        contract: gate.contracts[variants.candidates[0].spec] ?? null,
        isSameOutput: isSameOutput(claim, gate.differences, question.cells),
        minimumEffect: question.minimumEffect,
      }),
    );
    return { results, runPath: null, hasFailed: false };
  } finally {
    rmSync(outputPath, { recursive: true });
  }
}
