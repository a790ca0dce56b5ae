/** One row of comma-separated values for each timed process: what the verdicts rest on. */

/** @import { RenderInput } from '../../types.ts' */
/** @import { ExportedArm } from './arms.js' */
/** @import { Field } from './table.js' */

import { figureOf } from '../../../harness/stats/figure.js';
import { runtimeOf } from '../comparison/words.js';
import { listArms } from './arms.js';
import { writeTable } from './table.js';

const COLUMNS = [
  ...['run', 'job', 'operation', 'corpus', 'runtime', 'calls', 'variant', 'arm', 'host'],
  ...['block', 'position', 'attempt', 'started_at_ms', 'outcome', 'ns', 'batches'],
  ...['documents_per_batch', 'wall_ms', 'cpu_user_ms', 'cpu_system_ms', 'gc_count', 'gc_ms'],
  ...['call_p50_ns', 'call_p99_ns', 'call_max_ns', 'warm_up_ms', 'settled', 'failure'],
];

/** @type {(input: RenderInput) => string} */
export function write(input) {
  const { runId, environment } = input.manifest;
  const rows = listArms(input).flatMap((arm) => {
    const { cell } = arm.comparison;
    const common = {
      ...{ run: runId, operation: cell.title ?? cell.operation, corpus: cell.corpus },
      ...{ runtime: runtimeOf(cell, environment), calls: figureOf(cell).calls },
      variant: arm.variant,
    };
    return listJobs(arm).map((job) => ({ ...common, ...job }));
  });
  return writeTable(rows, COLUMNS);
}

/**
 * @param {ExportedArm} arm
 * @returns {Record<string, Field>[]} failed attempts too. `ns` is the figure on which the verdict rests: a process without
 *   one, because the processor was disturbed throughout, has the outcome `disturbed`
 */
function listJobs({ jobs }) {
  return jobs.flatMap(({ done, failures, logFigure, block, position }) => {
    const failed = failures.map(({ id, arm, host, attempt, startedAtMs, failure }) => ({
      ...{ job: id, arm, host, block, position, attempt, started_at_ms: startedAtMs },
      ...{ outcome: 'failed', failure: `${failure.reason} ${failure.detail}`.trim() },
    }));
    if (done === null) return failed;
    const { id, arm, host, attempt, startedAtMs, measurement } = done;
    const { batchNsPerDocument, documentsPerBatch, warmUp, wallMs, calls } = measurement;
    const measured = {
      ...{ job: id, arm, host, block, position, attempt, started_at_ms: startedAtMs },
      outcome: logFigure === null ? 'disturbed' : 'measured',
      ns: logFigure === null ? null : Math.exp(logFigure),
      ...{ batches: batchNsPerDocument.length, documents_per_batch: documentsPerBatch },
      ...{ wall_ms: wallMs, cpu_user_ms: measurement.cpuUserMs },
      ...{ cpu_system_ms: measurement.cpuSystemMs, gc_count: measurement.gcCount },
      ...{ call_p50_ns: calls?.p50Ns, call_p99_ns: calls?.p99Ns, call_max_ns: calls?.maxNs },
      ...{ gc_ms: measurement.gcMs, warm_up_ms: warmUp.ms, settled: warmUp.settled },
    };
    return [...failed, measured];
  });
}
