import { basename, resolve } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, RUNS, describeAssay } from '../../lib/project.js';
import { USUAL } from '../../stats/usual.js';
import { formatInvocation, formatQuestion } from '../invocation.js';
import {
  ACCEPT,
  FORMAT,
  HOST_OPTIONS,
  list,
  MAX_PROCESSES,
  RUNTIME_OPTIONS,
  option,
  SEED,
  VARIANT_OPTIONS,
  word,
} from '../options.js';
import { showPath } from '../terminal.js';
import { COMPARE } from './compare.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Bisection, BisectionEnd, Question } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {OptionValues<typeof OPTIONS>} BisectOptions */

const OPTIONS = {
  processes: MAX_PROCESSES,
  ...RUNTIME_OPTIONS,
  accept: ACCEPT,
  seed: SEED,
  ...VARIANT_OPTIONS,
  resume: option('--resume <directory>', 'resume an interrupted bisection', word, {
    transient: true,
    alone: {
      but: ['format', 'wait', 'quiet'],
      because: 'a resumed bisection keeps its original options',
    },
  }),
  format: FORMAT,
  ...HOST_OPTIONS,
};

/** What formats a `just bisect` for another command. */
export const BISECT = { name: 'bisect', options: OPTIONS };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'find the version or commit that made a cell slower',
  arguments: [
    ['[good]', 'npm:PACKAGE@1.2.3 or git:DIRECTORY@REVISION'],
    ['[bad]', 'a later one of the same package or checkout'],
    ['[cell...]', 'operation and corpus: serialize flat'],
  ],
  options: OPTIONS,
  notes: `
Any version or commit in between may be tried. Those that cannot be built or give
wrong bytes are skipped.

Examples:
  ${PROGRAM} bisect npm:bson@7.0.0 npm:bson@7.2.0 serialize flat
  ${PROGRAM} bisect git:../js-bson@2ea8dbb git:../js-bson@0231603 serialize flat
  ${PROGRAM} bisect --resume ${RUNS}/BISECTION

Exit status: 0 found, 2 usage or no regression, 3 an end gives wrong bytes,
4 not settled or a worker failed, 130 interrupted.`,
  run,
};

/** @type {Partial<Record<BisectionEnd, number>>} */
const STATUS = {
  found: EXIT.done,
  'not-settled': EXIT.failed,
  interrupted: EXIT.interrupted,
};

/**
 * A bisection that is about to measure.
 *
 * @typedef {object} Opened
 * @property {string | null} path of its directory; null where it is not made yet
 * @property {string} runsPath where it is made
 * @property {Bisection} bisection
 * @property {Question} question what all steps have in common
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 */

/**
 * @param {[string | undefined, string | undefined, string[]]} args
 * @param {BisectOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 * @throws {import('../../lib/errors.js').AssayError} when there is nothing to search, or no regression
 */
async function run([good, bad, cellWords], options, io, invocation) {
  const { prepareThenLock } = await import('../../host/lock.js');
  if (options.resume !== undefined) return resume(options.resume, options, io);
  if (good === undefined || bad === undefined) {
    throw new UsageError(
      `bisect needs ${good === undefined ? 'two ends' : 'a bad end'} and a cell`,
      {
        remedy: `for example: ${PROGRAM} bisect npm:bson@7.0.0 npm:bson@7.2.0 serialize flat`,
      },
    );
  }
  const opened = await open([good, bad], cellWords, options, io, invocation);
  const request = {
    command: opened.bisection.command,
    where: opened.runsPath,
    waits: options.wait,
  };
  const prepare = () => prepareEnds(opened, io);
  return prepareThenLock(request, io, prepare, () => search(opened, options, io));
}

/**
 * @param {string} path as typed
 * @param {BisectOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function resume(path, options, io) {
  const { prepareThenLock } = await import('../../host/lock.js');
  const { assertSameAsRuns, BISECTION, formatResume } = await import('../../studies/study.js');

  const opened = await openAgain(resolve(io.workingPath, path), path);
  const request = {
    command: formatResume(BISECTION, path),
    where: opened.path,
    waits: options.wait,
  };
  const prepare = async () => {
    await assertSameAsRuns(BISECTION, opened.path);
    await assertSameAsRuns(BISECTION, opened.path, await prepareEnds(opened, io));
  };
  // Another process may have resumed it while this one waited for the lock.
  return prepareThenLock(request, io, prepare, async () =>
    search(await openAgain(opened.path, path), options, io),
  );
}

/**
 * Prepares only the ends: they are measured in any case.
 *
 * @param {Opened} opened
 * @param {Io} io
 */
async function prepareEnds({ question, families, family }, io) {
  const { prepareComparison } = await import('../../run/prepare.js');
  return prepareComparison(question, { families, family, io });
}

/**
 * @param {[string, string]} ends as typed
 * @param {string[]} cellWords
 * @param {BisectOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<Opened>} without a directory
 */
async function open([good, bad], cellWords, options, io, invocation) {
  const { resetBisection } = await import('../../studies/bisect/bisection.js');
  const { listCandidates } = await import('../../studies/bisect/candidates.js');
  const { chooseFamily, listFamilies } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');
  const { findRunsPath } = await import('../session.js');

  const ends = [parseVariantSpec(good), parseVariantSpec(bad)];
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = chooseFamily(ends, families, options.family, io.workingPath);
  const question = await askOneCell([good, bad], cellWords, family, options);
  const candidates = await listCandidates(ends[0], ends[1], io.workingPath);
  const [cell] = question.cells;
  const args = [good, bad, cell.operation, cell.corpus];
  const bisection = resetBisection({
    formatVersion: FORMAT_VERSION,
    bisectionId: '',
    createdAt: new Date().toISOString(),
    command: formatInvocation(invocation, { args, question }),
    assay: describeAssay(),
    family: family.name,
    cell,
    seed: question.seed,
    question,
    candidates,
  });
  const runsPath = findRunsPath(options.out, io);
  return { path: null, runsPath, bisection, question, families, family };
}

/**
 * @param {string} path absolute, of its directory
 * @param {string} typed the same as typed
 * @returns {Promise<Opened & { path: string }>}
 * @throws {UsageError} when it cannot be resumed
 */
async function openAgain(path, typed) {
  const { BISECTION, readStudy } = await import('../../studies/study.js');
  const { findFamily, listFamilies } = await import('../../variants/families.js');

  const bisection = await readStudy(BISECTION, path);
  const { candidates, command } = bisection;
  if (bisection.question === undefined) {
    throw new UsageError(`'${typed}' was made by an Assay that could not resume bisections`, {
      remedy: `start again with: ${command}`,
    });
  }
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = findFamily(families, bisection.family);
  // A branch may have moved since; candidates are commits and exact versions.
  const baseline = candidates[0].spec;
  const candidate = candidates[candidates.length - 1].spec;
  const question = { ...bisection.question, baseline, candidates: [candidate] };
  return { path, runsPath: path, bisection, question, families, family };
}

/**
 * @param {Opened} opened
 * @param {Pick<BisectOptions, 'format' | 'quiet'>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function search(
  { runsPath, bisection, question, families, family, ...opened },
  { format, quiet },
  io,
) {
  const { describeBisection, describeStep } = await import('../../../reports/content/bisection.js');
  const { countComparisons, runBisection } = await import('../../studies/bisect/bisection.js');
  const { compareCandidates, requireRegression } = await import('../../studies/bisect/step.js');
  const { BISECTION, conductStudy, createStudyDirectory, formatResume } =
    await import('../../studies/study.js');
  const { makeAnnouncer } = await import('../progress.js');
  const { formatFinding } = await import('../publish.js');
  const { openSession } = await import('../session.js');

  const { candidates, command, cell } = bisection;
  const end = question.candidates[0].replace(/^.*[:/](?=.)/, '');
  const path = opened.path ?? createStudyDirectory(runsPath, `bisect-${end}-${cell.id}`);
  const state = { ...bisection, bisectionId: basename(path) };
  const session = { ...openSession(io, { quiet }), recorders: [] };
  const context = { question, candidates, command, families, family, io, session, runsPath: path };
  const announce = makeAnnouncer(io, quiet);
  announce(describePlan(bisection, countComparisons(candidates.length)));
  const shownPath = showPath(path, io.workingPath);
  const place = { path, shownPath, state, isResumed: opened.path !== null, io };
  return conductStudy(BISECTION, place, async (study) => {
    study.begin();
    const done = await runBisection(state, {
      compare: (task) => compareCandidates(task, context),
      keep: study.save,
      onStep: (step, current) => {
        announce(describeStep(step, current).replaceAll('\u00a0', ' '));
      },
      isInterrupted: () => io.signal.aborted,
      nowMs: () => performance.now(),
    });
    requireRegression(done, shownPath);
    const why = done.ended === 'found' ? formatWhy(done, question) : null;
    const resume = done.ended === 'interrupted' ? formatResume(BISECTION, shownPath) : null;
    const document = describeBisection(done, { path: shownPath, why, resume });
    io.stdout.write(await formatFinding({ document, data: done }, format, io));
    return STATUS[done.ended] ?? EXIT.failed;
  });
}

/**
 * @param {Bisection} bisection
 * @param {Question} question
 * @returns {string} the command that compares the neighbours it found, and explains the difference
 */
function formatWhy({ lastGood, firstBad }, question) {
  // How the search measured does not matter for the explanation.
  const except = ['seed', 'processes', 'placements', 'explain', 'budget'];
  return formatQuestion(COMPARE, question, { args: [lastGood, firstBad], except });
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
  const remedy = `name an operation and a corpus, for example: serialize flat ('${PROGRAM} variants' lists them)`;
  if (corpus === undefined || words.length > 2) {
    throw new UsageError(`'${words.join(' ')}' is not a cell`, { remedy });
  }
  const question = await makeQuestion(specs, family, {
    ...options,
    ...{ op: list(op), corpus: list(corpus), mei: USUAL.minimumEffect },
    // A bisection makes many comparisons of one cell; its own error control allows for no more jobs.
    ...{ explain: 'none', placements: 0 },
  });
  if (question.cells.length === 1) return question;
  const ids = question.cells.map(({ id }) => id).join(', ');
  throw new UsageError(`a bisection is about one cell, and these are several: ${ids}`, { remedy });
}

/**
 * @param {Bisection} bisection
 * @param {number} most comparisons
 * @returns {string}
 */
function describePlan({ candidates, cell, steps }, most) {
  const between = candidates.length - 2;
  const made = steps.length === 0 ? '' : `; ${countOf(steps.length, 'comparison')} already made`;
  return (
    `${cell.id}: ${between} between ${candidates[0].name} and ${candidates[between + 1].name}; ` +
    `at most ${countOf(most, 'comparison')}, unless one has to be repeated${made}`
  );
}
