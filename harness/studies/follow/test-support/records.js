/** Records of a followed branch, for tests. */

import { makeManifest } from '../../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { omitUndefined } from '../../../lib/records.js';

/** @import { ComparisonRecord, FollowedPurpose, FollowedStep, Question, RecordedCell, VerdictWord } from '../../../formats/types.ts' */

/** The pinned reference of all of them. */
export const REFERENCE = 'npm:codec@1.0.0';
/** Standard error of every estimate, log scale. */
const ERROR = 0.004;

/**
 * A cell: `verdict`, ratio after ÷ before, and the ratio over placements where it was measured.
 *
 * @typedef {object} CellSketch
 * @property {number} ratio
 * @property {VerdictWord} [verdict] by default what the ratio says
 * @property {number} [placed]
 */

/** @type {(number: number) => string} the whole hash of a commit */
export function hashOf(number) {
  return String(number + 1)
    .padStart(4, '0')
    .repeat(10);
}

/** @type {(number: number) => FollowedStep['commits'][number]} */
function commitOf(number) {
  const day = new Date(Date.UTC(2026, 0, 1 + number)).toISOString();
  return { revision: hashOf(number), subject: `Subject ${number}`, date: day };
}

/**
 * @param {object} step
 * @param {FollowedPurpose} step.purpose
 * @param {number | null} step.before number of the commit; null for a point
 * @param {number} step.after
 * @param {Record<string, CellSketch | number>} step.cells by id; a number is a ratio
 * @param {number} step.at minutes since the first record
 * @param {Partial<FollowedStep>} [step.followed] what differs
 * @param {Partial<Question>} [step.question]
 * @returns {ComparisonRecord}
 */
export function makeFollowed({ purpose, before, after, cells, at, followed = {}, question = {} }) {
  const manifest = makeManifest();
  const specOf = (/** @type {number | null} */ number) =>
    number === null ? REFERENCE : `git:.@${hashOf(number)}`;
  const first = before === null ? after : before + 1;
  const level = purpose === 'confirmation' ? 0.01 : undefined;
  const described = Object.entries(cells).map(([cellId, sketch]) =>
    describeCell(cellId, typeof sketch === 'number' ? { ratio: sketch } : sketch, [
      specOf(before),
      specOf(after),
    ]),
  );
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
  const { environment, assay } = manifest;
  return {
    formatVersion: FORMAT_VERSION,
    command: 'just follow',
    ended: 'complete',
    seconds: 60,
    settings: manifest.settings,
    identity: {
      ...{ formatVersion: FORMAT_VERSION, runId: `run-${at}`, createdAt, assay, environment },
      ...{ variants: manifest.variants, corpora: manifest.corpora, runtimes: [], results: [] },
      question: {
        ...manifest.question,
        ...{ baseline: specOf(before), candidates: [specOf(after)], minimumEffect: 0.03 },
        alpha: level ?? 0.02,
        cells: described.map(({ cellId: id, operation, corpus }) => ({ id, operation, corpus })),
        ...question,
      },
    },
    followed: {
      ...{ branch: 'main', purpose, reference: REFERENCE, after: hashOf(after) },
      before: before === null ? null : hashOf(before),
      commits: Array.from({ length: after - first + 1 }, (_, index) => commitOf(first + index)),
      releases: [],
      ...omitUndefined({ level }),
      ...followed,
    },
    cells: described,
    processes: [],
  };
}

/** @type {(cellId: string, sketch: CellSketch, specs: [string, string]) => RecordedCell} */
function describeCell(
  cellId,
  { ratio, verdict = verdictOf(ratio), placed },
  [baseline, candidate],
) {
  const [operation, corpus] = cellId.split(' ');
  const degreesOfFreedom = 20;
  return {
    ...{ cellId, operation, corpus, baseline, candidate, verdict },
    ratio: { estimate: ratio, low: ratio * 0.99, high: ratio * 1.01 },
    ...{ logRatio: Math.log(ratio), standardError: ERROR, degreesOfFreedom, controlRatio: null },
    ...omitUndefined({
      placement:
        placed === undefined
          ? undefined
          : { logRatio: Math.log(placed), standardError: ERROR, degreesOfFreedom },
    }),
    ...{ processes: 24, baselineNs: 1000, candidateNs: 1000 * ratio },
  };
}

/** @type {(ratio: number) => VerdictWord} */
function verdictOf(ratio) {
  if (Math.abs(Math.log(ratio)) < 0.03) return 'equivalent';
  return ratio > 1 ? 'slower' : 'faster';
}
