import { chooseNode, loadsSameCode } from './job-variant.js';
import { runConformance } from './run-conformance.js';

/** @import { Cell, ContractRow, Job, ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

/**
 * Holds the variants of a comparison against the behaviour contract of their family, under every
 * Node that they are measured under, each in a process of its own.
 *
 * @param {object} question
 * @param {FoundFamily} question.family
 * @param {ResolvedVariant[]} question.variants
 * @param {Cell[]} question.cells
 * @param {(job: Job) => Promise<WorkerOutcome>} question.runJob
 * @returns {Promise<Record<string, ContractRow[]>>} by spec, none of a family without a contract;
 *   `SPEC node 22.11.0` under further Nodes than the first
 * @throws {import('../lib/errors.js').MachineError} when a worker ends without a report
 */
export async function checkContract({ family, variants, cells, runJob }) {
  if (!family.hasContract) return {};
  /** @type {{ variant: ResolvedVariant, node: string | undefined, rows: ContractRow[] }[]} */
  const checked = [];
  /** @type {Record<string, ContractRow[]>} */
  const contracts = {};
  for (const variant of variants) {
    const nodes = new Set(cells.map((cell) => chooseNode(variant, cell)));
    for (const [index, node] of [...nodes].entries()) {
      const known = checked.find(
        (earlier) => earlier.node === node && loadsSameCode(earlier.variant, variant),
      );
      const rows = known?.rows ?? (await findRows(variant, { family, node, runJob }));
      checked.push({ variant, node, rows });
      contracts[index === 0 ? variant.spec : `${variant.spec} node ${node}`] = rows;
    }
  }
  return contracts;
}

/**
 * @param {ResolvedVariant} variant
 * @param {Pick<Parameters<typeof checkContract>[0], 'family' | 'runJob'> & { node: string | undefined }} context
 */
async function findRows(variant, { node, ...context }) {
  const under = node === undefined ? {} : { node };
  const report = await runConformance(variant, { ...context, ...under, parts: 'contract' });
  return report.contract;
}
