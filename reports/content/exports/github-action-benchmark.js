/**
 * The JSON of github-action-benchmark with the tool `customSmallerIsBetter`: of every cell the times of its variants and
 * their ratios. The ratio is what to alert on: it does not change with the machine that the job was given.
 */

/** @import { RenderInput } from '../../types.ts' */

import { escapeJson } from '../../../harness/lib/escape.js';
import { formatConfidence, formatInterval } from '../../../harness/lib/numbers.js';
import { ratioOf } from '../../../harness/stats/verdicts.js';
import { verdictLabel } from '../comparison/words.js';
import { listArms, nameOverRuns, unitOf } from './arms.js';

/** @type {(input: RenderInput) => string} */
export function write(input) {
  const { manifest } = input;
  const { alpha, mode } = manifest.question;
  const arms = listArms(input);
  const results = arms.flatMap((arm) => {
    const { comparison, role, variant, ns, interval } = arm;
    if (ns === null) return [];
    const name = nameOverRuns(arm, arms);
    const processes = `${arm.jobs.length} processes`;
    const time = {
      ...{ name, unit: `ns/${unitOf(arm)}`, value: ns },
      ...(interval === null
        ? {}
        : { range: `± ${Number(((interval.high - interval.low) / 2).toPrecision(3))}` }),
      extra: `${variant}\n${processes}`,
    };
    const ratio = ratioOf(comparison);
    if (role === 'baseline' || ratio === null) return [time];
    return [
      time,
      {
        ...{ name: `${name}: ratio`, unit: 'ratio', value: ratio.estimate },
        range: `${formatInterval(ratio)} (${formatConfidence(alpha)})`,
        extra: `${verdictLabel(comparison, mode)}\n${variant}\n${processes}`,
      },
    ];
  });
  return `${escapeJson(JSON.stringify(results, null, 2))}\n`;
}
