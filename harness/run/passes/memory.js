import { FORMAT_VERSION } from '../../formats/format-version.js';
import { listHeld, planMemoryJobs } from '../../stats/memory/plan.js';
import { armsOf, findCell } from '../../stats/plan.js';
import { describeEquipment, describeJob, findCorpus } from '../jobs.js';
import { runPass } from './pass.js';

/** @import { Cell, CellMemoryJob, CorpusMemoryJob, Manifest, MemoryJob, MemoryObservation, MemoryReport, PlannedMemoryJob } from '../../formats/types.ts' */
/** @import { PassContext, PassEnd } from './pass.js' */

/** A job that failed for lack of memory twice will fail again. */
const MAX_ATTEMPTS = 2;

/**
 * Runs the memory jobs of a run that are not done yet, one process each.
 * @type {(context: PassContext<MemoryObservation>) => Promise<PassEnd>}
 */
export function measureMemory(context) {
  const { manifest, clock } = context;
  return runPass(
    {
      stages: [planMemoryJobs(manifest.question, manifest.corpora)],
      attempts: MAX_ATTEMPTS,
      doneId: ({ id, outcome }) => (outcome === 'done' ? id : null),
      async observe(planned, attempt) {
        const startedAtMs = clock.elapsedMs();
        const outcome = await context.runJob(makeMemoryJob(planned, context));
        const { workerMs } = outcome;
        const common = {
          formatVersion: FORMAT_VERSION,
          ...planned,
          attempt,
          startedAtMs,
          workerMs,
        };
        if ('failure' in outcome) {
          return { ...common, outcome: 'failed', failure: outcome.failure };
        }
        const { result } = /** @type {MemoryReport} */ (outcome.report);
        return { ...common, outcome: 'done', result };
      },
      describe: ({ id }, { left, total }) => ({
        step: `memory · ${id} · job ${total - left.length + 1} of ${total}`,
      }),
    },
    context,
  );
}

/**
 * @param {PlannedMemoryJob} planned
 * @param {Pick<PassContext<MemoryObservation>, 'manifest' | 'familyPath'>} context
 * @returns {MemoryJob}
 */
function makeMemoryJob({ id, kind, subject, arm, documentCount }, { manifest, familyPath }) {
  const { question, corpora } = manifest;
  const cell = findMeasured(manifest, { subject, arm, documentCount });
  const variant = armsOf(manifest, cell)[arm];
  const family = { name: question.family, path: familyPath };
  const common = {
    ...describeJob(id, { variant, family }, cell),
    corpus: findCorpus(corpora, cell),
  };
  if (documentCount !== null) {
    return { ...common, kind: /** @type {CorpusMemoryJob['kind']} */ (kind), documentCount };
  }
  return {
    ...common,
    kind: /** @type {CellMemoryJob['kind']} */ (kind),
    operation: cell.operation,
    ...describeEquipment(manifest),
  };
}

/**
 * The cell of a job. A corpus is held under the runtime of the cells that use it: a question about memory
 * has only one.
 *
 * @param {Pick<Manifest, 'question' | 'corpora'>} manifest
 * @param {Pick<PlannedMemoryJob, 'subject' | 'arm' | 'documentCount'>} job
 * @returns {Cell}
 */
function findMeasured({ question, corpora }, { subject, arm, documentCount }) {
  const { cells } = question;
  const job = { cellId: subject, arm };
  if (documentCount === null) return findCell(cells, job);
  const { corpus, candidate } = findCell(listHeld(question, corpora), job);
  return /** @type {Cell} */ (
    cells.find((cell) => cell.corpus === corpus && cell.candidate === candidate)
  );
}
