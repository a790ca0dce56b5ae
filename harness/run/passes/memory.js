import { omitUndefined } from '../../lib/records.js';
import { groupMemoryJobs, listHeld, planMemoryJobs } from '../../stats/memory/plan.js';
import { armsOf, findCell, sharedIdOf } from '../../stats/plan.js';
import { describeEquipment, describeJob, findCorpus } from '../jobs.js';

/** @import { Cell, CellMemoryJob, CorpusMemoryJob, Experiment, MemoryJob, MemoryObservation, MemoryReport, PlannedMemoryJob } from '../../formats/types.ts' */
/** @import { Pass } from '../execute.js' */
/** @import { Setting } from './timing.js' */

/** A job that failed for lack of memory twice will fail again. */
const MAX_ATTEMPTS = 2;
/** Milliseconds of a job, roughly. */
export const MEMORY_JOB_MS = 1_500;

/**
 * Opens the pass of the memory jobs, one process each. All jobs of one kind on one subject are for
 * one host, so that its arms are compared there.
 * @type {(setting: Setting) => Pass<PlannedMemoryJob, MemoryObservation>}
 */
export function openMemoryPass(setting) {
  const { question, corpora } = setting.manifest;
  const { cells = question.cells } = setting;
  return {
    name: 'memory',
    stages: [planMemoryJobs({ ...question, cells }, corpora)],
    attempts: MAX_ATTEMPTS,
    kindOf: ({ kind }) => kind,
    usualMs: MEMORY_JOB_MS,
    group: (jobs) => groupMemoryJobs(jobs, { ...question, cells }, corpora),
    unitOf: (planned) => `${planned.kind}/${sharedSubjectOf(planned, setting.manifest)}`,
    async perform(planned, runJob) {
      const outcome = await runJob(makeMemoryJob(planned, setting));
      const { workerMs } = outcome;
      if ('failure' in outcome) return { workerMs, outcome: 'failed', failure: outcome.failure };
      const { result } = /** @type {MemoryReport} */ (outcome.report);
      return { workerMs, outcome: 'done', result };
    },
    describe: ({ id }, { left, total }) => ({
      step: `memory · ${id} · job ${total - left.length + 1} of ${total}`,
    }),
  };
}

/**
 * @param {PlannedMemoryJob} planned
 * @param {Experiment} experiment
 * @returns {string} the subject, of a candidate that of the jobs that it shares
 */
function sharedSubjectOf({ subject, arm, documentCount }, { question, corpora }) {
  const subjects = documentCount === null ? question.cells : listHeld(question, corpora);
  return sharedIdOf(findCell(subjects, { cellId: subject, arm }));
}

/** @type {(planned: PlannedMemoryJob, setting: Setting) => MemoryJob} */
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
    ...omitUndefined({ concurrency: cell.concurrency }),
    ...describeEquipment(manifest),
  };
}

/**
 * The cell of a job. A corpus is held under the runtime of the cells that use it: a question about memory
 * has only one.
 *
 * @param {Experiment} experiment
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
