import { MachineError } from './errors.js';
import { FORMAT_VERSION } from './format-version.js';
import { describeJobVariant, loadsSameCode } from './job-variant.js';

/** @import { ConformanceReport, ContractRow, Job, ResolvedVariant } from './types.ts' */
/** @import { FoundFamily } from './resolve/families.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

/**
 * Holds the variants of a comparison against the behaviour contract of their family, each in a
 * process of its own.
 *
 * @param {object} question
 * @param {FoundFamily} question.family
 * @param {ResolvedVariant[]} question.variants
 * @param {(job: Job) => Promise<WorkerOutcome>} question.runJob
 * @returns {Promise<Record<string, ContractRow[]>>} by spec
 * @throws {MachineError} when a worker ends without a report
 */
export async function checkContract({ family, variants, runJob }) {
  /** @type {{ variant: ResolvedVariant, rows: ContractRow[] }[]} */
  const checked = [];
  for (const variant of variants) {
    const known = checked.find((earlier) => loadsSameCode(earlier.variant, variant));
    const rows = known?.rows ?? (await runContract(family, variant, runJob));
    checked.push({ variant, rows });
  }
  return Object.fromEntries(checked.map(({ variant, rows }) => [variant.spec, rows]));
}

/**
 * @param {FoundFamily} family
 * @param {ResolvedVariant} variant
 * @param {(job: Job) => Promise<WorkerOutcome>} runJob
 * @returns {Promise<ContractRow[]>}
 */
async function runContract(family, variant, runJob) {
  const outcome = await runJob({
    formatVersion: FORMAT_VERSION,
    id: `contract/${variant.spec}`,
    kind: 'conformance',
    parts: 'contract',
    family: family.name,
    familyPath: family.path,
    variant: describeJobVariant(variant),
  });
  if ('report' in outcome) return /** @type {ConformanceReport} */ (outcome.report).contract;
  const { detail, lastLines } = outcome.failure;
  throw new MachineError(
    [`the behaviour contract of ${variant.spec} ${detail}`, ...lastLines].join('\n  '),
    { remedy: 'nothing was timed; the lines above are the last that the worker said' },
  );
}
