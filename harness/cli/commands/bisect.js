import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { countOf } from '../../lib/numbers.js';
import { describeAssay, PROJECT } from '../../lib/project.js';
import { asCommand, formatInvocation } from '../invocation.js';
import {
  ACCEPT,
  HOST_OPTIONS,
  list,
  MOST_PROCESSES,
  NODE,
  SEED,
  VARIANT_OPTIONS,
} from '../options.js';
import { showPath, terminalOf } from '../terminal.js';
import { command as compare } from './compare.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Bisection, BisectionEnd, Candidate, Cell, Question } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {OptionValues<typeof OPTIONS>} BisectOptions */

const OPTIONS = {
  processes: MOST_PROCESSES,
  node: NODE,
  accept: ACCEPT,
  seed: SEED,
  ...VARIANT_OPTIONS,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'find the version or commit that made a cell slower',
  arguments: [
    ['<good>', 'npm:PACKAGE@1.2.3 or git:DIRECTORY@REVISION'],
    ['<bad>', 'a later one of the same package or checkout'],
    ['<cell...>', 'operation and corpus: serialize flat'],
  ],
  options: OPTIONS,
  notes: `
Any version or commit in between may be tried. Those that cannot be built or give
wrong bytes are skipped.

Examples:
  just bisect npm:bson@7.0.0 npm:bson@7.2.0 serialize flat
  just bisect git:../js-bson@2ea8dbb git:../js-bson@0231603 serialize flat

Exit status: 0 found, 2 usage or no regression, 3 an end gives wrong bytes,
4 not settled or a worker failed, 130 interrupted.`,
  run,
};

const MINIMUM_EFFECT = 0.03;

/** @type {Partial<Record<BisectionEnd, number>>} */
const STATUS = {
  found: EXIT.done,
  'not-settled': EXIT.failed,
  interrupted: EXIT.interrupted,
};

/**
 * @param {[string, string, string[]]} args
 * @param {BisectOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 * @throws {import('../../lib/errors.js').AssayError} when there is nothing to search, or no regression
 */
async function run([good, bad, cellWords], options, io, invocation) {
  const { prepareAndTakeTurn } = await import('../../host/lock.js');
  const { prepareComparison } = await import('../../run/prepare.js');
  const { listCandidates } = await import('../../studies/bisect/candidates.js');
  const { chooseFamily, listFamilies } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');
  const { findRunsPath } = await import('../session.js');

  const ends = [parseVariantSpec(good), parseVariantSpec(bad)];
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = chooseFamily(ends, families, options.family, io.workingPath);
  const question = await askOneCell([good, bad], cellWords, family, options);
  const candidates = await listCandidates(ends[0], ends[1], io.workingPath);
  const [{ operation, corpus }] = question.cells;
  const command = formatInvocation(invocation, { args: [good, bad, operation, corpus], question });
  const runsPath = findRunsPath(options.out, io);
  const context = { question, candidates, command, runsPath, families, family, io };
  const turn = { command, where: runsPath, waits: options.wait };
  // Only the ends are prepared: they are measured in any case.
  const prepare = () => prepareComparison(question, { families, family, io });
  return prepareAndTakeTurn(turn, io, prepare, () => search(context, invocation));
}

/**
 * @param {Omit<Parameters<typeof import('../../studies/bisect/step.js').compareCandidates>[1], 'session'>} context
 *   `runsPath` is where the directory of the bisection is made
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 */
async function search({ runsPath, ...context }, invocation) {
  const { formatBisection, formatStep } =
    await import('../../../reports/support/terminal-bisect.js');
  const { clearProgress } = await import('../../run/print-progress.js');
  const { countComparisons, keepBisection, runBisection } =
    await import('../../studies/bisect/bisection.js');
  const { compareCandidates, requireRegression } = await import('../../studies/bisect/step.js');
  const { makeOwnDirectory, openSession } = await import('../session.js');

  const { question, candidates, command, io } = context;
  const { candidate, cells } = question;
  const subject = `${candidate.replace(/^.*[:/](?=.)/, '')}-${cells[0].id}`;
  const path = makeOwnDirectory(runsPath, `bisect-${subject}`);
  announce(candidates, cells[0], countComparisons(candidates.length), io);
  const session = { ...openSession(io), recorders: [] };
  try {
    const bisection = await runBisection(open(path, { command, question, candidates }), {
      compare: (task) => compareCandidates(task, { ...context, runsPath: path, session }),
      keep: (current) => keepBisection(path, current),
      onStep: (step, current) => {
        clearProgress(io.stderr);
        io.stderr.write(formatStep(step, current));
      },
      isInterrupted: () => io.signal.aborted,
      nowMs: () => performance.now(),
    });
    const where = showPath(path, io.workingPath);
    requireRegression(bisection, where);
    const why = bisection.ended === 'found' ? formatWhy(bisection, invocation) : null;
    io.stdout.write(formatBisection(bisection, { path: where, why }, terminalOf(io)));
    return STATUS[bisection.ended] ?? EXIT.failed;
  } finally {
    // If an end cannot be measured, nothing is worth keeping.
    if (!existsSync(join(path, 'bisection.json'))) rmSync(path, { recursive: true });
  }
}

/**
 * @param {Bisection} bisection
 * @param {Invocation} invocation
 * @returns {string} the command that compares the neighbours it found, and explains the difference
 */
function formatWhy({ lastGood, firstBad, cell }, invocation) {
  const measure = asCommand(invocation, { name: 'compare', options: compare.options ?? {} });
  const changes = { op: cell.operation, corpus: cell.corpus, processes: null, seed: null };
  return formatInvocation(measure, { args: [lastGood, firstBad], changes });
}

/**
 * @param {[string, string]} specs of the ends
 * @param {string[]} cellWords `serialize` and `flat`, in one word or two
 * @param {FoundFamily} family
 * @param {BisectOptions} options
 * @returns {Promise<Question>}
 * @throws {UsageError} when these words are not one cell
 */
async function askOneCell(specs, cellWords, family, options) {
  const { makeQuestion } = await import('../../run/question.js');
  const words = cellWords.join(' ').split(/\s+/);
  const [op, corpus] = words;
  const remedy =
    "name an operation and a corpus, for example: serialize flat ('just variants' lists them)";
  if (corpus === undefined || words.length > 2) {
    throw new UsageError(`'${words.join(' ')}' is not a cell`, { remedy });
  }
  const question = await makeQuestion(specs, family, {
    ...options,
    ...{ op: list(op), corpus: list(corpus), mei: MINIMUM_EFFECT },
    // A bisection makes many comparisons of one cell; its own error control allows for no more jobs.
    ...{ explain: 'none', layouts: 0 },
  });
  if (question.cells.length === 1) return question;
  const ids = question.cells.map(({ id }) => id).join(', ');
  throw new UsageError(`a bisection is about one cell, and these are several: ${ids}`, { remedy });
}

/**
 * @param {string} path
 * @param {{ command: string, question: Question, candidates: Candidate[] }} plan
 * @returns {Bisection} before its first step
 */
function open(path, { command, question, candidates }) {
  return {
    formatVersion: FORMAT_VERSION,
    bisectionId: basename(path),
    createdAt: new Date().toISOString(),
    command,
    assay: describeAssay(),
    family: question.family,
    cell: question.cells[0],
    seed: question.seed,
    candidates,
    boundary: null,
    steps: [],
    ended: 'running',
    lastGood: candidates[0].spec,
    firstBad: candidates[candidates.length - 1].spec,
    passedOver: [],
    change: null,
  };
}

/**
 * @param {Candidate[]} candidates
 * @param {Cell} cell
 * @param {number} most comparisons
 * @param {Io} io
 */
function announce(candidates, cell, most, io) {
  const between = candidates.length - 2;
  io.stderr.write(
    `${cell.id}: ${between} between ${candidates[0].name} and ${candidates[between + 1].name}; ` +
      `at most ${countOf(most, 'comparison')}, unless one has to be repeated\n`,
  );
}
