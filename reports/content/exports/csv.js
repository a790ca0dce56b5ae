/** One row of comma-separated values for each cell, with its verdict. */

/** @import { RatioInterval } from '../../../harness/formats/types.ts' */
/** @import { RenderInput } from '../../types.ts' */
/** @import { Field } from './table.js' */

import { countPerVariant, pairOf } from '../../../harness/stats/plan.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { ratioOf } from '../../../harness/stats/verdicts.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { runtimeOf, timedUnit } from '../comparison/words.js';
import { writeTable } from './table.js';

const COLUMNS = [
  ...['run', 'operation', 'corpus', 'runtime', 'calls', 'baseline', 'candidate', 'figure'],
  ...['verdict', 'strong', 'ratio', 'ratio_low', 'ratio_high', 'p_adjusted'],
  ...['baseline_ns', 'candidate_ns', 'control_ratio', 'control_low', 'control_high'],
  ...['baseline_bytes_per_s', 'candidate_bytes_per_s'],
  ...['detectable_effect', 'processes_per_variant', 'failed_jobs', 'standing', 'notes'],
];

/** @type {(input: RenderInput) => string} */
export function write({ manifest, verdict }) {
  const { question, environment, runId } = manifest;
  const { hasBaseline } = contrastOf(question);
  const rows = verdict.cells.map((comparison) => {
    const { cell, effect, control } = comparison;
    const { baseline, candidate } = pairOf(question, cell);
    const figure = figureOf(cell);
    return {
      ...{ run: runId, operation: cell.title ?? cell.operation, corpus: cell.corpus },
      ...{ runtime: runtimeOf(cell, environment), calls: figure.calls },
      ...{ baseline: hasBaseline ? baseline : '', candidate },
      figure: figure.quantity ?? `time per ${timedUnit(cell)}`,
      ...{ verdict: comparison.verdict, strong: comparison.strong },
      ...listBounds('ratio', ratioOf(comparison)),
      p_adjusted: effect?.pAdjusted,
      ...{ baseline_ns: comparison.baselineNs, candidate_ns: comparison.candidateNs },
      baseline_bytes_per_s: comparison.throughput?.baseline?.bytesPerSecond,
      candidate_bytes_per_s: comparison.throughput?.candidate.bytesPerSecond,
      ...listBounds('control', control?.ratio ?? null),
      control_ratio: control?.ratio.estimate,
      detectable_effect: comparison.detectableEffect,
      processes_per_variant: countPerVariant(comparison.processes),
      failed_jobs: comparison.failedJobs,
      standing: comparison.standing?.class,
      notes: comparison.warnings.join(' '),
    };
  });
  return writeTable(rows, COLUMNS);
}

/** @type {(name: string, interval: RatioInterval | null) => Record<string, Field>} */
function listBounds(name, interval) {
  const { estimate, low, high } = interval ?? {};
  return { [name]: estimate, [`${name}_low`]: low, [`${name}_high`]: high };
}
