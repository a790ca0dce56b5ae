import { contrastOf } from '../contrast.js';
import { figureOf } from '../figure.js';
import { estimateEffect } from '../decision-rule.js';
import { sumOf, toRatio, toRatios } from '../means.js';
import { forEachArm } from '../plan.js';
import { meanOfTrimmed } from '../robust.js';
import { poolBaseline, sampleLooks } from './samples.js';

/** @import { Measurement, Question, ResourceComparison } from '../../formats/types.ts' */
/** @import { CellJudgement } from '../decision-rule.js' */
/** @import { CellRecord } from './samples.js' */

/**
 * @typedef {Pick<ResourceComparison, 'name' | 'unit'> & {
 *   take: (measurement: Measurement) => number | undefined
 * }} Resource `take`: of one process; undefined where its worker does not report it
 */

/** @type {Resource[]} */
const RESOURCES = [
  {
    name: 'process-cpu',
    unit: 'ns',
    take: (used) => nsPerCall(used.cpuUserMs + used.cpuSystemMs, used),
  },
  { name: 'elapsed', unit: 'ns', take: (used) => nsPerCall(used.wallMs, used) },
  {
    name: 'waiting',
    unit: 'ns',
    take: (used) =>
      used.batchIdleMs === undefined ? undefined : nsPerCall(sumOf(used.batchIdleMs), used),
  },
  {
    name: 'collections',
    unit: 'ns',
    take: (used) => (used.gcMs === undefined ? undefined : nsPerCall(used.gcMs, used)),
  },
  { name: 'resident', unit: 'bytes', take: ({ residentBytes }) => residentBytes },
];

/** @type {(ms: number, measurement: Measurement) => number} over all batches */
function nsPerCall(ms, { documentsPerBatch, batchNsPerDocument }) {
  return (ms * 1e6) / (documentsPerBatch * batchNsPerDocument.length);
}

/**
 * What a call takes besides a figure that is not the time of its work alone, by the same estimates from the same processes.
 *
 * @param {CellRecord} record
 * @param {CellJudgement} judgement
 * @param {Question} question
 * @returns {ResourceComparison[]} empty for a loop of calls that do not wait, in a ranking, and without an effect
 */
export function compareResources(record, { effect, plan }, question) {
  const isCompared = figureOf(record.cell).hasResources && contrastOf(question).takesResources;
  if (!isCompared || effect === null) return [];
  return RESOURCES.flatMap(({ name, unit, take }) => {
    const sample = sampleLooks(exchangeFigures(record, take), question).at(-1);
    if (sample === undefined) return [];
    const { figures } = sample;
    const interval = estimateEffect(sample, plan, question);
    const values = {
      baseline: typicalOf(poolBaseline(figures)),
      candidate: typicalOf(figures.candidate),
    };
    if (values.baseline === null && values.candidate === null) return [];
    return [{ name, unit, values, ratio: interval === null ? null : toRatios(interval) }];
  });
}

/**
 * The same jobs with another figure. A job has none where that is zero, as in a process without a collection.
 * @type {(record: CellRecord, take: Resource['take']) => CellRecord}
 */
function exchangeFigures(record, take) {
  const arms = forEachArm((arm) =>
    record.arms[arm].map((job) => {
      const figure = job.done === null ? undefined : take(job.done.measurement);
      return { ...job, logFigure: figure ? Math.log(figure) : null, corrected: null };
    }),
  );
  return { ...record, arms };
}

/** @param {number[]} logs */
function typicalOf(logs) {
  return logs.length === 0 ? null : toRatio(meanOfTrimmed(Float64Array.from(logs).sort()));
}
