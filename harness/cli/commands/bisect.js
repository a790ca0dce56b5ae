import { FORMAT_VERSION } from '../../formats/format-version.js';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT, RUNS, identifyAssay } from '../../lib/project.js';
import { USUAL } from '../../stats/usual.js';
import { formatInvocation } from '../invocation.js';
import { BISECT } from '../bisect-options.js';
import { list } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { Bisection, Question } from '../../formats/types.ts' */
/** @import { Asked, OpenedStudy } from '../study.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {OptionValues<typeof BISECT.options>} BisectOptions */

/** @type {CommandDeclaration} */
export const command = {
  summary: 'find the version or commit that made a cell slower',
  arguments: [
    ['[good]', 'npm:PACKAGE@1.2.3 or git:DIRECTORY@REVISION'],
    ['[bad]', 'a later one of the same package or checkout'],
    ['[cell...]', 'operation and corpus: serialize flat'],
  ],
  options: BISECT.options,
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

/**
 * @param {[string | undefined, string | undefined, string[]]} args
 * @param {BisectOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 * @throws {import('../../lib/errors.js').AssayError} when there is nothing to search, or no regression
 */
async function run([good, bad, cellWords], options, io, invocation) {
  const { conductStudy } = await import('../study.js');
  return conductStudy(
    {
      format: 'bisection',
      ask() {
        if (good !== undefined && bad !== undefined) {
          return ask([good, bad], cellWords, options, io, invocation);
        }
        const missing = good === undefined ? 'two ends' : 'a bad end';
        throw new UsageError(`bisect needs ${missing} and a cell`, {
          remedy: `for example: ${PROGRAM} bisect npm:bson@7.0.0 npm:bson@7.2.0 serialize flat`,
        });
      },
      open: (bisection) => open(bisection, options, io),
    },
    options,
    io,
  );
}

/**
 * @param {[string, string]} typed as typed
 * @param {string[]} cellWords
 * @param {BisectOptions} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<Asked<Bisection>>}
 */
async function ask(typed, cellWords, options, io, invocation) {
  const { resetBisection } = await import('../../studies/bisect/bisection.js');
  const { listCandidates } = await import('../../studies/bisect/candidates.js');
  const { chooseFamily, listFamilies } = await import('../../variants/families.js');
  const { parseVariantSpec } = await import('../../variants/spec.js');
  const { pinVariants } = await import('../comparison.js');

  const {
    texts: [good, bad],
  } = await pinVariants(typed, io);
  const ends = [parseVariantSpec(good), parseVariantSpec(bad)];
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = chooseFamily(ends, families, options.family, io.workingPath);
  const question = await askOneCell([good, bad], cellWords, family, options);
  const candidates = await listCandidates(ends[0], ends[1], io.workingPath);
  const [cell] = question.cells;
  const args = [good, bad, cell.operation, cell.corpus];
  const record = resetBisection({
    formatVersion: FORMAT_VERSION,
    bisectionId: '',
    createdAt: new Date().toISOString(),
    command: formatInvocation(invocation, { args, question }),
    assay: identifyAssay(),
    family: family.name,
    cell,
    seed: question.seed,
    question,
    candidates,
  });
  return { record, label: `bisect-${bad.replace(/^.*[:/](?=.)/, '')}-${cell.id}` };
}

/**
 * @param {Bisection} bisection
 * @param {BisectOptions} options
 * @param {Io} io
 * @returns {Promise<OpenedStudy<Bisection, Bisection>>}
 */
async function open(bisection, { quiet }, io) {
  const { describeStep } = await import('../../../reports/content/bisection.js');
  const { prepareComparison } = await import('../../run/prepare.js');
  const { countComparisons, makeBisectionStudy } =
    await import('../../studies/bisect/bisection.js');
  const { compareCandidates } = await import('../../studies/bisect/step.js');
  const { findFamily, listFamilies } = await import('../../variants/families.js');
  const { openSession } = await import('../session.js');

  const { candidates, command } = bisection;
  const families = await listFamilies(PROJECT.experimentsPath);
  const family = findFamily(families, bisection.family);
  // A branch may have moved since the bisection began; candidates are commits and exact versions.
  const baseline = candidates[0].spec;
  const ends = { baseline, candidates: [candidates[candidates.length - 1].spec] };
  const question = { ...bisection.question, ...ends };
  const session = { ...openSession(io, { quiet }), recorders: [] };
  const context = { question, candidates, command, families, family, io, session };
  return {
    begin: (state) => ({
      state,
      study: {
        ...makeBisectionStudy((task, runsPath) =>
          compareCandidates(task, { ...context, runsPath }),
        ),
        comment: (current) => describeStep(current.steps[current.steps.length - 1], current),
      },
    }),
    // The ends are measured in any case.
    prepare: async () => [await prepareComparison(question, { families, family, io })],
    plan: (current) => describePlan(current, countComparisons(candidates.length)),
    statusOf: ({ ended }) => (ended === 'found' ? EXIT.done : EXIT.failed),
  };
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
