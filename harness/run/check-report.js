import { countOf } from '../lib/numbers.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { findProblem } from '../formats/schemas.js';
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
  const detail = findMismatch(job, report) ?? findFormProblem(report) ?? findGap(job, report);
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
  return null;
}

/**
 * Compares the lengths of the lists of a measurement with the number of batches that were asked for.
 *
 * @param {Job} job
 * @param {WorkerReport} report of the right format
 * @returns {string | null}
 */
function findGap(job, report) {
  if (job.kind !== 'measure' || report.kind !== 'measure') return null;
  const { batchNsPerDocument, batchGcMs, yardstickNs } = report.measurement;
  const wanted = job.settings.batchCount;
  const batches = countOf(wanted, 'batch', 'batches');
  if (batchNsPerDocument.length !== wanted) {
    return `the report has ${countOf(batchNsPerDocument.length, 'batch', 'batches')} of ${wanted}`;
  }
  if (batchGcMs !== undefined && batchGcMs.length !== wanted) {
    return `the report has ${countOf(batchGcMs.length, 'time')} of collecting garbage for ${batches}`;
  }
  // One before each batch, and one after the last.
  if (yardstickNs === undefined || yardstickNs.length === wanted + 1) return null;
  return `the report has ${countOf(yardstickNs.length, 'reading')} of the yardstick for ${batches}`;
}

/**
 * @param {unknown} report
 * @returns {string | null}
 */
function findFormProblem(report) {
  const problem = findProblem('worker-report', report);
  return problem && `the report is not of format ${FORMAT_VERSION}: ${problem}`;
}
