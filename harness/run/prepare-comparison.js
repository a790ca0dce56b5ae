import { prepareCorpora } from './prepare-corpora.js';
import { findPackages } from '../variants/find-packages.js';
import { findRuntimes } from '../variants/find-runtimes.js';
import { openContext } from '../variants/open-context.js';
import { parseVariantSpec } from '../variants/parse-variant-spec.js';
import { resolveVariant } from '../variants/resolve-variant.js';
import { openSandbox } from './sandbox/find-sandbox.js';

/** @import { Io } from '../cli/cli.js' */
/** @import { Question } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Prepared } from './run-comparison.js' */

/**
 * Finds and makes ready what a question names: variants, corpora, packages, runtimes.
 *
 * @param {Question} question
 * @param {{ families: FoundFamily[], family: FoundFamily, io: Pick<Io, 'environment' | 'workingPath' | 'signal' | 'stderr'> }} context
 * @returns {Promise<Pick<Prepared, 'question' | 'family' | 'variants' | 'corpora' | 'gateCorpora' | 'packages' | 'runtimes' | 'sandbox'>>}
 * @throws {import('../lib/errors.js').UsageError} when something is not there
 * @throws {import('../lib/errors.js').MachineError} when no sandbox works here and one is wanted
 */
export async function prepareComparison(question, { families, family, io }) {
  // Before anything is built: without the sandbox that was asked for, nothing is.
  const sandbox = await openSandbox(question.sandbox, io.environment);
  const context = openContext({ families, family, build: question.build }, io);
  const { corpora, gateCorpora } = await prepareCorpora(question);
  /** @param {string} spec */
  const resolve = (spec) => resolveVariant(parseVariantSpec(spec), context);
  const variants = {
    baseline: await resolve(question.baseline),
    candidate: await resolve(question.candidate),
    reference: await resolve(family.reference),
  };
  const packages = await findPackages(question.cells, family, context);
  const runtimes = await findRuntimes(question.cells, Object.values(variants), context);
  return { question, family, variants, corpora, gateCorpora, packages, runtimes, sandbox };
}
