/**
 * Bencher Metric Format: of every cell the latency in nanoseconds and the throughput in documents per second of its
 * variants, with 95 % intervals over processes, and the ratio of a candidate with the interval of its verdict. Bencher has
 * the first two measures and makes the third.
 */

/** @import { RenderInput } from '../../types.ts' */
/** @import { RatioInterval } from '../../../harness/formats/types.ts' */

import { escapeJson } from '../../../harness/lib/escape.js';
import { ratioOf } from '../../../harness/stats/verdicts.js';
import { listArms, nameOverRuns } from './arms.js';

const NS_PER_SECOND = 1e9;
/** Bencher takes no longer names. */
const MAX_NAME = 1024;

/** @type {(input: RenderInput) => string} */
export function write(input) {
  const arms = listArms(input);
  const benchmarks = arms.flatMap((arm) => {
    const { comparison, role, ns, interval } = arm;
    if (ns === null) return [];
    const ratio = role === 'baseline' ? null : ratioOf(comparison);
    const measures = {
      latency: measure(ns, interval),
      throughput: measure(NS_PER_SECOND / ns, interval && perSecond(interval)),
      ...(ratio === null ? {} : { ratio: measure(ratio.estimate, ratio) }),
    };
    return [/** @type {const} */ ([nameOverRuns(arm, arms).slice(0, MAX_NAME), measures])];
  });
  return `${escapeJson(JSON.stringify(Object.fromEntries(benchmarks), null, 2))}\n`;
}

/** @type {(ns: RatioInterval) => RatioInterval} */
function perSecond({ estimate, low, high }) {
  return {
    estimate: NS_PER_SECOND / estimate,
    low: NS_PER_SECOND / high,
    high: NS_PER_SECOND / low,
  };
}

/** @type {(value: number, interval: RatioInterval | null) => object} */
function measure(value, interval) {
  if (interval === null) return { value };
  return { value, lower_value: interval.low, upper_value: interval.high };
}
