import { countOf } from '../../lib/numbers.js';
import { existsSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { formatBisection, formatStep } from '../../../reports/support/terminal-bisect.js';
import { compareCandidates, requireRegression } from '../../studies/bisect/step.js';
import { formatCommand, formatWhy } from '../../studies/bisect/format-commands.js';
import { countComparisons, keepBisection, runBisection } from '../../studies/bisect/bisection.js';
import { listCandidates } from '../../studies/bisect/candidates.js';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { makeDirectory } from '../../lib/files.js';
import { nameMoment } from '../../run/run.js';
import { openSession } from '../terminal.js';
import { prepareComparison } from '../../run/prepare.js';
import { clearProgress } from '../../run/print-progress.js';
import { describeAssay, PROJECT } from '../../lib/project.js';
import { showPath, terminalOf } from '../publish.js';
import { chooseFamily, listFamilies } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { prepareAndTakeTurn } from '../../host/lock.js';
import { makeQuestion } from '../../run/question/question.js';

/** @import { Io } from '../cli.js' */
/** @import { Bisection, BisectionEnd, Candidate } from '../../studies/bisect/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Question } from '../../formats/types.ts' */

/**
 * @typedef {object} BisectOptions
 * @property {string} [build]
 * @property {string} processes most a side and step
 * @property {string} [node]
 * @property {string} [accept]
 * @property {string} [family]
 * @property {string} [seed]
 * @property {string} [out]
 * @property {boolean} [wait]
 * @property {boolean} [sandbox]
 */

/** @type {Partial<Record<BisectionEnd, number>>} */
const STATUS = {
  found: EXIT.done,
  'not-settled': EXIT.failed,
  interrupted: EXIT.interrupted,
};

/**
 * `just bisect GOOD BAD serialize flat`: finds the version or commit from which on a cell is slower.
 *
 * @param {[string, string, string[]]} args
 * @param {BisectOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {import('../../lib/errors.js').AssayError} when there is nothing to search, or nothing to search for
 */
export async function runCommand([good, bad, cellWords], options, io) {
  const ends = [parseVariantSpec(good), parseVariantSpec(bad)];
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = chooseFamily(ends, families, options.family, io.workingPath);
  const question = await askOneCell([good, bad], cellWords, family, options);
  const candidates = await listCandidates(ends[0], ends[1], io.workingPath);
  const command = formatCommand([good, bad], question, options);
  const runsPath =
    options.out === undefined ? PROJECT.runsPath : resolve(io.workingPath, options.out);
  const context = { question, candidates, command, runsPath, families, family, io };
  const turn = { command, where: runsPath, waits: options.wait };
  // The ends are measured in any case; what lies between them is brought when its step comes.
  const prepare = () => prepareComparison(question, { families, family, io });
  return prepareAndTakeTurn(turn, io, prepare, () => searchAndTell(context, options));
}

/**
 * @param {Omit<Parameters<typeof compareCandidates>[1], 'session'>} context `runsPath` is where the
 *   directory of the bisection is made
 * @param {BisectOptions} options
 * @returns {Promise<number>} exit status
 */
async function searchAndTell({ runsPath, ...search }, options) {
  const { question, candidates, command, io } = search;
  const path = makeOwnDirectory(question, runsPath);
  const context = { ...search, runsPath: path };
  announce(candidates, question, io);
  const session = { ...openSession(io), recorders: [] };
  try {
    const bisection = await runBisection(open(path, { command, question, candidates }), {
      compare: (task) => compareCandidates(task, { ...context, session }),
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
    const why = bisection.ended === 'found' ? formatWhy(bisection, options) : null;
    io.stdout.write(formatBisection(bisection, { path: where, why }, terminalOf(io)));
    return STATUS[bisection.ended] ?? EXIT.failed;
  } finally {
    // An end that cannot be measured at all leaves nothing worth keeping.
    if (!existsSync(join(path, 'bisection.json'))) rmSync(path, { recursive: true });
  }
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
  const words = cellWords.join(' ').split(/\s+/);
  const [op, corpus] = words;
  const remedy =
    "name an operation and a corpus, as in: serialize flat ('just variants' lists them)";
  if (corpus === undefined || words.length > 2) {
    throw new UsageError(`'${words.join(' ')}' is not a cell`, { remedy });
  }
  // A bisection asks many times about one place; its own error control allows for no more jobs.
  const fixed = { op, corpus, mei: '3', explain: 'none', layouts: '0' };
  const question = await makeQuestion(specs, family, { ...options, ...fixed });
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
 * @param {Question} question
 * @param {string} runsPath
 * @returns {string} absolute path of a new directory
 */
function makeOwnDirectory({ candidate, cells: [cell] }, runsPath) {
  const subject = `${candidate.replace(/^.*[:/](?=.)/, '')}-${cell.id}`;
  const name = `${nameMoment(new Date())}-bisect-${subject.replaceAll(/[^\w@.-]+/g, '-')}`;
  const path = join(runsPath, name.slice(0, 120));
  return makeDirectory(path, 'free some space or name another directory with --out');
}

/**
 * @param {Candidate[]} candidates
 * @param {Question} question
 * @param {Io} io
 */
function announce(candidates, { cells: [cell] }, io) {
  const between = candidates.length - 2;
  const comparisons = countOf(countComparisons(candidates.length), 'comparison');
  io.stderr.write(
    `${cell.id}: ${between} between ${candidates[0].name} and ${candidates[between + 1].name}; ` +
      `at most ${comparisons}, unless one has to be repeated\n`,
  );
}
