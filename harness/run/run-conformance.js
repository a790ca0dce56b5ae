import { MachineError } from '../lib/errors.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { describeJobNode, describeJobVariant } from './job-variant.js';
import { withoutPin } from '../lib/without-pin.js';

/** @import { ConformanceJob, ConformanceReport, Job, ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

/** What each part is called when it cannot be run. */
const NAMES = Object.freeze({ contract: 'behaviour contract', all: 'check' });

/**
 * Holds a variant against the cases of its family, in a process of its own.
 *
 * @param {ResolvedVariant} variant
 * @param {object} context
 * @param {FoundFamily} context.family
 * @param {ConformanceJob['parts']} context.parts
 * @param {string} [context.node] exact version, of a variant that is pinned to none
 * @param {(job: Job) => Promise<WorkerOutcome>} context.runJob
 * @returns {Promise<ConformanceReport>}
 * @throws {MachineError} when the worker ends without a report
 */
export async function runConformance(variant, { family, parts, node, runJob }) {
  const outcome = await runJob({
    formatVersion: FORMAT_VERSION,
    id: `${parts === 'contract' ? 'contract' : 'conformance'}/${variant.spec}`,
    kind: 'conformance',
    parts,
    family: family.name,
    familyPath: family.path,
    // A family knows by its spec what a published version does otherwise, under whatever Node.
    variant: { ...describeJobVariant(variant), spec: withoutPin(variant.spec) },
    ...describeJobNode(variant, { node }),
  });
  if ('report' in outcome) return /** @type {ConformanceReport} */ (outcome.report);
  const { detail, lastLines } = outcome.failure;
  throw new MachineError(
    [`the ${NAMES[parts]} of ${variant.spec} ${detail}`, ...lastLines].join('\n  '),
    { remedy: 'nothing was timed; the lines above are the last that the worker said' },
  );
}
