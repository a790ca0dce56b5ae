import { loadsSameCode } from './job-variant.js';
import { runConformance } from './run-conformance.js';

/** @import { ContractRow, Job, ResolvedVariant } from './types.ts' */
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
 * @throws {import('./errors.js').MachineError} when a worker ends without a report
 */
export async function checkContract({ family, variants, runJob }) {
  /** @type {{ variant: ResolvedVariant, rows: ContractRow[] }[]} */
  const checked = [];
  for (const variant of variants) {
    const known = checked.find((earlier) => loadsSameCode(earlier.variant, variant));
    const { contract: rows } =
      known === undefined
        ? await runConformance(variant, { family, parts: 'contract', runJob })
        : { contract: known.rows };
    checked.push({ variant, rows });
  }
  return Object.fromEntries(checked.map(({ variant, rows }) => [variant.spec, rows]));
}
