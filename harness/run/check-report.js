import { countOf } from '../lib/numbers.js';
import { FormatError } from '../lib/errors.js';
import { validate } from '../formats/schemas.js';
import { showValue } from '../formats/describe-problems.js';

/** @import { Failure, Job, WorkerReport } from '../formats/types.ts' */

/**
 * Reads what a worker wrote. Whatever passes here is kept in the directory of a run, and must be of
 * the form that is read from there later.
 *
 * @param {Job} job
 * @param {string} text
 * @returns {Promise<{ report: WorkerReport } | Pick<Failure, 'reason' | 'detail'>>} why it does not
 *   count, where it does not
 */
export async function checkReport(job, text) {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    const detail =
      text === '' ? 'wrote no report' : `wrote ${text.length} characters that are not JSON`;
    return { reason: 'not-json', detail };
  }
  const detail = findMismatch(job, report) ?? (await findFormProblem(report));
  return detail === null ? { report } : { reason: 'bad-report', detail };
}

/**
 * What the schema cannot know: which job it was.
 *
 * @param {Job} job
 * @param {any} report
 * @returns {string | null}
 */
function findMismatch(job, report) {
  if (report === null || typeof report !== 'object') return 'the report is not an object';
  if (report.formatVersion !== job.formatVersion) {
    return `the report has format ${showValue(report.formatVersion)}, expected ${job.formatVersion}`;
  }
  if (report.jobId !== job.id) return `the report is for job ${showValue(report.jobId)}`;
  if (report.kind !== job.kind) return `the report is of kind ${showValue(report.kind)}`;
  if (job.kind !== 'measure') return null;
  if (typeof report.outputDigest !== 'string') return 'the report has no output digest';
  return findBatchProblem(report.measurement ?? {}, job.settings.batchCount);
}

/**
 * @param {any} measurement
 * @param {number} wanted
 * @returns {string | null}
 */
function findBatchProblem({ batchNsPerDocument: batches, batchGcMs, yardstickNs }, wanted) {
  if (!Array.isArray(batches)) return 'the report has no batches';
  if (batches.length !== wanted)
    return `the report has ${countOf(batches.length, 'batch', 'batches')} of ${wanted}`;
  if (!batches.every((ns) => Number.isFinite(ns) && ns > 0)) {
    return 'the report has a batch that is no time';
  }
  if (hasOtherLength(batchGcMs, wanted)) {
    return `the report has ${countOf(batchGcMs.length, 'time')} of collecting garbage for ${countOf(wanted, 'batch', 'batches')}`;
  }
  // One before each batch, and one after the last.
  if (!hasOtherLength(yardstickNs, wanted + 1)) return null;
  return `the report has ${countOf(yardstickNs.length, 'reading')} of the yardstick for ${countOf(wanted, 'batch', 'batches')}`;
}

/**
 * @param {unknown} list
 * @param {number} length
 */
function hasOtherLength(list, length) {
  return Array.isArray(list) && list.length !== length;
}

/**
 * @param {unknown} report
 * @returns {Promise<string | null>}
 */
async function findFormProblem(report) {
  try {
    validate('worker-report', report, 'the report');
    return null;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}
