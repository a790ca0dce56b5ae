/** How a run measured and judged. */

/** @import { Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Section } from '../../document/model.ts' */

import { countOf, formatConfidence, formatShare } from '../../../harness/lib/numbers.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { listAllLooks } from '../../../harness/stats/plan.js';
import { scheduleOf } from '../../../harness/stats/schedule.js';
import { DETAIL, list } from '../build.js';
import { describeRankingRule } from './ranking.js';
import { timesFirstCalls, timesLoad } from './words.js';

/** @type {(manifest: Manifest, verdict: Verdict) => Section} */
export function makeMethodSection({ question, settings, runtimes }, { explanation }) {
  const isSingle = question.candidates.length === 1;
  const { hasBaseline } = contrastOf(question);
  const blind = runtimes.some(({ lacks }) => lacks.includes('collections'))
    ? 'Under a runtime that does not report its collections it is the mean of all of these batches. '
    : '';
  const arms = hasBaseline
    ? `Baseline, ${isSingle ? 'candidate' : 'candidates'} and control (the baseline again, under another name)`
    : 'All variants';
  const isChecked = question.cells.every(({ unchecked }) => unchecked === undefined);
  const sentences = [
    `Before anything was timed, ${isSingle ? 'both' : 'all'} variants had to produce the same output as the reference for every document of every cell${isChecked ? '' : ' whose results can be compared'}.`,
    `Each observation is a fresh process that ${describeJob(question, settings)}. ${arms} run in random mirrored blocks, ${describeSchedule(question)}.`,
    timesFirstCalls(question)
      ? 'A process has no figure if a reference loop (fixed arithmetic, timed before and after the calls) ran slower than its undisturbed speed; otherwise its times are those at that speed, without the time in which it waited for a processor that something else used.'
      : `The time of a process comes from the batches during which a reference loop (fixed arithmetic, timed between batches) ran at its undisturbed speed: the lower quartile of the time without garbage collection plus the mean time of garbage collection, both at that speed. ${blind}Without a reference loop it is the median of the batches.`,
    ...(hasBaseline ? describeRule(question) : describeRankingRule(question)),
    ...(explanation === undefined
      ? []
      : [
          'Profiles come from separate processes that were not timed for the verdict. The shares in each profile are scaled to the time per document of its arm, so that the changes of all functions add up to the timed difference.',
        ]),
  ];
  return {
    id: 'method',
    title: 'Method',
    order: 11,
    folded: DETAIL,
    blocks: [list(sentences)],
  };
}

/** @type {(question: Manifest['question'], settings: Manifest['settings']) => string} */
function describeJob(question, { batchCount }) {
  if (!timesFirstCalls(question)) {
    return `warms up and then times ${countOf(batchCount, 'batch', 'batches')}`;
  }
  const job = timesLoad(question)
    ? 'times how long the variant takes to load, with the modules that it imports'
    : 'loads the variant, creates the document, and times its first calls without a warm-up';
  return `${job}; the files are in the page cache of the system`;
}

/** @type {(question: Manifest['question']) => string} */
function describeSchedule(question) {
  const { comparesPairs, width } = scheduleOf(question);
  if (width === 1) return 'one process at a time';
  return comparesPairs
    ? 'two different variants at the same time, each on a core of its own, which they swap in the mirrored half'
    : 'two different variants at the same time where the order allows it, each on a core of its own';
}

/** @type {(question: Manifest['question']) => string[]} */
function describeRule(question) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  const { pull } = scheduleOf(question);
  return [
    `The ratio is ${describeRatio(question)}, with an interval that holds at ${confidence} over all looks (interim analyses) at ${listAllLooks(question).join(', ')} processes per variant.`,
    ...(pull > 0
      ? [
          `Variants that run at the same time disturb each other, so the interval is ${formatShare(pull)} longer on the log scale on the side away from 1.`,
        ]
      : []),
    `A cell is equivalent when the interval lies within the minimum effect of ${margin}, and faster or slower when the interval excludes 1 after Holm's correction over all cells; strong means that the whole interval is beyond the minimum effect. Any other cell is inconclusive.${question.earlyLook === undefined ? '' : ` Besides, every look compares all processes, their times corrected by the reference loop, at a fifth of the error rate: such a ratio gives strong directions only, and its interval allows for a neighbour that slows one variant more.`}`,
    ...describePlacementRule(question),
    'A verdict is untrusted when the control shows a difference large enough to explain it. "Detects" is the smallest effect that this many processes detect with 80 % power.',
  ];
}

/** @type {(question: Manifest['question']) => string} */
function describeRatio(question) {
  const means = '20 % trimmed means of the logarithms of these times';
  const difference = `the difference of the ${means}, candidate against baseline and control together`;
  if (!scheduleOf(question).comparesPairs) return `${difference} (Yuen–Welch)`;
  const pairs =
    'the 20 % trimmed mean of the differences of pairs on the log scale, without the difference of the cores (Yuen)';
  return pairs;
}

/** @type {(question: Manifest['question']) => string[]} what verdicts say of other builds of the same code */
function describePlacementRule({ placements = 0 }) {
  if (placements === 0) {
    return [
      'All verdicts are on the variants as built: other placements of their code in memory were not measured.',
    ];
  }
  return [
    "A direction that the placement of code in memory could explain must also hold in other placements of it: the larger p-value of times and placements enters Holm's correction, and the interval over placements must exclude 1. What there was no time to measure there is a direction only beyond what placement usually does. Equivalent, and a direction whose cell was not measured in other placements, are on the variants as built.",
  ];
}
