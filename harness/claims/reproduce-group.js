import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCells, makeQuestion } from '../commands/make-question.js';
import { openJobRunner } from '../open-job-runner.js';
import { prepareComparison } from '../prepare-comparison.js';
import { publishRun } from '../publish-run.js';
import { passGate, startRun } from '../run-comparison.js';
import { judgeClaim } from './judge-claim.js';

/** @import { Cell, Claim, ClaimResult, MemoryVerdict, Question } from '../types.ts' */
/** @import { Io } from '../cli.js' */
/** @import { Session } from '../continue-run.js' */
/** @import { FoundFamily } from '../resolve/families.js' */
/** @import { Prepared } from '../run-comparison.js' */
/** @import { ClaimGroup } from './group-claims.js' */

/**
 * @typedef {object} ReproduceContext
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {string} runsPath where the run of a group is made
 * @property {number | null} budgetSeconds for the group
 * @property {string} [seed]
 * @property {Session} session
 * @property {Io} io
 */

/**
 * Does what the claims of a group need and judges them.
 *
 * @param {ClaimGroup} group
 * @param {ReproduceContext} context
 * @returns {Promise<{ results: ClaimResult[], runPath: string | null }>} no run where only the gate was
 *   asked
 */
export async function reproduceGroup(group, context) {
  const question = await makeGroupQuestion(group, context);
  const { families, family, io } = context;
  const prepared = await prepareComparison(question, {
    families,
    family,
    workingPath: io.workingPath,
  });
  return group.kind === 'gate'
    ? askGate(group, prepared, context)
    : compareSides(group, prepared, context);
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
  const { budgetSeconds, seed } = context;
  const question = await makeQuestion([baseline, candidate], context.family, {
    ...DEFAULTS,
    ...(seed === undefined ? {} : { seed }),
    memoryOnly: kind === 'memory',
  });
  return { ...question, cells: [...cells.values()], budgetSeconds };
}

/** Options of a comparison that names none; nothing is explained, so as not to do more than is asked. */
const DEFAULTS = Object.freeze({ mei: '3', processes: '96', explain: 'none' });

/**
 * @param {ClaimGroup} group
 * @param {Omit<Prepared, 'command' | 'runsPath' | 'recorderStates'>} prepared
 * @param {ReproduceContext} context
 */
async function compareSides(group, prepared, { runsPath, session, io }) {
  const run = await startRun(
    { ...prepared, command: formatGroup(group), runsPath, recorderStates: [] },
    session,
  );
  await publishRun(run, { ...io, stdout: { write: () => undefined } });
  const { verdict, manifest } = run;
  const differing = new Set(verdict.differences.map(({ cellId }) => cellId));
  const results = group.claims.map((claim) => {
    const cellId = findCellId(claim, prepared.question.cells);
    return judgeClaim(claim, {
      cell: verdict.cells.find(({ cell }) => cell.id === cellId) ?? null,
      retained: findRetained(claim, verdict.memory),
      contract: manifest.contracts[group.candidate] ?? null,
      isSameOutput: !differing.has(cellId),
      minimumEffect: prepared.question.minimumEffect,
    });
  });
  return { results, runPath: run.path };
}

/**
 * @param {ClaimGroup} group
 * @param {Omit<Prepared, 'command' | 'runsPath' | 'recorderStates'>} prepared
 * @param {ReproduceContext} context
 */
async function askGate(group, prepared, { session }) {
  const { question, variants } = prepared;
  const outputPath = mkdtempSync(join(tmpdir(), 'assay-reproduce-'));
  try {
    const gate = await passGate(prepared, outputPath, openJobRunner([], session));
    const results = group.claims.map((claim) =>
      judgeClaim(claim, {
        cell: null,
        retained: null,
        contract: gate.contracts[variants.candidate.spec] ?? null,
        isSameOutput: gate.differences.length === 0,
        minimumEffect: question.minimumEffect,
      }),
    );
    return { results, runPath: null };
  } finally {
    rmSync(outputPath, { recursive: true });
  }
}

/**
 * @param {Claim} claim
 * @param {Cell[]} cells
 * @returns {string}
 */
function findCellId({ operation, corpus }, cells) {
  const cell = cells.find((one) => one.operation === operation && one.corpus === corpus);
  return cell?.id ?? `${operation} ${corpus}`;
}

/**
 * @param {Claim} claim
 * @param {MemoryVerdict | undefined} memory
 */
function findRetained({ figure, corpus }, memory) {
  if (figure.formula !== 'retained-bytes') return null;
  const held = memory?.corpora.find((one) => one.corpus === corpus);
  if (figure.of === 'document') {
    return held?.metrics.find(({ name }) => name === 'retained') ?? null;
  }
  return held?.groups.find(({ name }) => name === figure.of)?.metric ?? null;
}

/**
 * @param {ClaimGroup} group
 * @returns {string} how its manifest names it
 */
function formatGroup({ claims }) {
  return `just reproduce ${claims.map(({ id }) => id).join(' ')}`;
}
