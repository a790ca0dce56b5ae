import { formatLabel } from '../../corpora/support/label.js';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { isLargeCorpus } from '../stats/plan.js';
import { openContext } from '../variants/families.js';
import { findRuntimes } from '../variants/node-runtime.js';
import { findPackages } from '../variants/npm.js';
import { resolveVariant } from '../variants/resolve.js';
import { parseVariantSpec } from '../variants/spec.js';
import { openSandbox } from './sandbox/sandbox.js';

/** @import { Io } from '../cli/cli.js' */
/** @import { PreparedCorpus, Question } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Prepared } from './run.js' */

/**
 * Finds and makes ready what a question names: variants, corpora, packages, runtimes.
 *
 * @param {Question} question
 * @param {{ families: FoundFamily[], family: FoundFamily, io: Pick<Io, 'environment' | 'workingPath' | 'signal' | 'stderr'> }} context
 * @returns {Promise<Pick<Prepared, 'question' | 'family' | 'variants' | 'corpora' | 'correctnessCorpora' | 'packages' | 'runtimes' | 'sandbox'>>}
 * @throws {import('../lib/errors.js').UsageError} when something is not there
 * @throws {import('../lib/errors.js').MachineError} when no sandbox works here and one is wanted
 */
export async function prepareComparison(question, { families, family, io }) {
  // Before anything is built: without the sandbox that was asked for, nothing is.
  const sandbox = await openSandbox(question.sandbox, io.environment);
  const context = openContext({ families, family, build: question.build }, io);
  const { corpora, correctnessCorpora } = await prepareCorpora(question);
  /** @param {string} spec */
  const resolve = (spec) => resolveVariant(parseVariantSpec(spec), context);
  const variants = {
    baseline: await resolve(question.baseline),
    candidate: await resolve(question.candidate),
    reference: await resolve(family.reference),
  };
  const packages = await findPackages(question.cells, family, context);
  const runtimes = await findRuntimes(question.cells, Object.values(variants), context);
  return { question, family, variants, corpora, correctnessCorpora, packages, runtimes, sandbox };
}

/**
 * Makes the corpora of a comparison ready. One that is too large for a job to have at hand can only
 * be held, document by document, to see what it retains; outputs are then checked on the number of
 * documents that it has by default.
 *
 * @param {Pick<Question, 'cells' | 'memory'>} question
 * @returns {Promise<{ corpora: PreparedCorpus[], correctnessCorpora: PreparedCorpus[] }>} `correctnessCorpora`:
 *   the same labels, with the documents to check outputs on
 * @throws {UsageError} when a corpus does not exist, or is too large for what is asked
 */
export async function prepareCorpora({ cells, memory }) {
  const corpora = [];
  const correctnessCorpora = [];
  for (const label of new Set(cells.map(({ corpus }) => corpus))) {
    const corpus = await prepare(label);
    const isLarge = isLargeCorpus(corpus);
    if (isLarge && memory !== 'only')
      refuseLarge(corpus, 'only compare --memory-only takes so many');
    corpora.push(corpus);
    correctnessCorpora.push(isLarge ? await prepareForGate(corpus) : corpus);
  }
  return { corpora, correctnessCorpora };
}

/** @param {string} label */
function prepare(label) {
  return prepareCorpus(label, { directory: PROJECT.corporaPath });
}

/**
 * @param {PreparedCorpus} corpus
 * @returns {Promise<PreparedCorpus>}
 */
async function prepareForGate(corpus) {
  const { label, name, provenance } = corpus;
  const smaller = await prepare(formatLabel({ name, count: null, provenance }));
  if (smaller.sizeBytes >= corpus.sizeBytes)
    refuseLarge(corpus, 'of a file of your own, import a part');
  return { ...smaller, label };
}

/**
 * @param {PreparedCorpus} corpus
 * @param {string} way out
 * @returns {never}
 */
function refuseLarge({ label, sizeBytes }, way) {
  throw new UsageError(
    `corpus '${label}' has ${Math.round(sizeBytes / 2 ** 20)} MiB, more than a process has at hand at once`,
    { remedy: `take fewer documents (NAME:COUNT); ${way}` },
  );
}
