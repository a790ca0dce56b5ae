import { rmSync } from 'node:fs';
import { EXIT } from '../../lib/errors.js';
import { makeTemporaryDirectory } from '../../lib/files.js';
import { COMPARISON_OPTIONS, FORMAT, REFERENCE, VARIANT_OPTIONS } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Check } from '../../../reports/content/check.js' */
/** @import { Cell, ConformanceReport, Difference, ResolvedVariant } from '../../formats/types.ts' */
/** @import { Checks } from '../../run/gate.js' */
/** @import { FoundFamily } from '../../variants/families.js' */

const OPTIONS = {
  corpus: COMPARISON_OPTIONS.corpus,
  reference: REFERENCE,
  ...VARIANT_OPTIONS,
  format: FORMAT,
};

/** @type {CommandDeclaration} */
export const command = {
  summary:
    'check variants against the reference without timing: corpora, contract, vectors, limits',
  arguments: [['<variants...>', 'variant specs']],
  options: OPTIONS,
  notes: `
Exit status: 0 all promises hold, 2 usage, 3 wrong bytes or a broken promise,
4 a worker failed.`,
  run,
};

/** The result for a family that promises the right output alone. */
const NO_CASES = Object.freeze({ passed: 0, failures: [], contract: [] });

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([texts], options, io) {
  const { describeChecks, isCorrect } = await import('../../../reports/content/check.js');
  const { openChecks } = await import('../../run/gate.js');
  const { openJobRunner } = await import('../../run/jobs.js');
  const { chooseOperations, makeCells } = await import('../../run/question.js');
  const { findRuntimes } = await import('../../variants/runtimes.js');
  const { findPackages } = await import('../../variants/npm.js');
  const { resolveReference, resolveVariant } = await import('../../variants/resolve.js');
  const { openVariants } = await import('../comparison.js');
  const { formatFinding } = await import('../publish.js');

  const { specs, family, sandbox, context } = await openVariants(texts, options, io);
  const checks = [];
  for (const spec of specs) {
    const op = await chooseOperations([spec], family);
    checks.push({ spec, cells: await makeCells(family, { ...options, op }) });
  }
  const asked = { reference: options.reference, baseline: specs[0].text };
  const reference = await resolveReference(asked, context);
  /** @type {Check[]} */
  const results = [];
  try {
    for (const { spec, cells } of checks) {
      const variant = await resolveVariant(spec, context);
      const runtimes = await findRuntimes([], [variant], context);
      const runJob = openJobRunner([], { ...io, sandbox }, runtimes);
      const jobChecks = openChecks(runJob, io.signal);
      const packages = await findPackages(cells, family, context);
      const against = { reference, family, cells, packages, checks: jobChecks };
      const differences = await findDifferences(variant, against);
      const { passed, failures, contract } = family.hasContract
        ? await findConformance(variant, family, jobChecks)
        : NO_CASES;
      const checked = { spec: variant.spec, reference: reference.spec, differences, passed };
      results.push({ ...checked, failures, contract });
    }
  } finally {
    // Prints what was checked before a worker failed, too.
    const finding = { document: describeChecks(results), data: results };
    if (results.length > 0) io.stdout.write(await formatFinding(finding, options.format, io));
  }
  return results.every(isCorrect) ? EXIT.done : EXIT.wrongBytes;
}

/** @type {(variant: ResolvedVariant, family: FoundFamily, checks: Checks) => Promise<ConformanceReport>} */
async function findConformance(variant, family, checks) {
  const { makeConformanceJob } = await import('../../run/gate.js');
  const [report] = await checks.run([makeConformanceJob(variant, { family, parts: 'all' })]);
  return /** @type {ConformanceReport} */ (report);
}

/**
 * @param {ResolvedVariant} variant
 * @param {{ reference: ResolvedVariant, family: FoundFamily, cells: Cell[], packages: Record<string, string>, checks: Checks }} against
 * @returns {Promise<Difference[]>}
 */
async function findDifferences(variant, { reference, cells, ...asked }) {
  const { checkOutputs } = await import('../../run/gate.js');
  const { prepareCorpora } = await import('../../run/prepare.js');
  const { corpora } = await prepareCorpora({ cells, memory: 'none' });
  const outputPath = makeTemporaryDirectory('check');
  try {
    const question = { ...asked, reference, variants: [variant], cells, corpora, outputPath };
    return (await checkOutputs(question)).differences;
  } finally {
    rmSync(outputPath, { recursive: true });
  }
}
