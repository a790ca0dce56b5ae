/** Records of a followed branch, for tests. */

import { makeManifest } from '../../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { omitUndefined } from '../../../lib/records.js';
import { makeReplayRecord } from '../../../run/verdict.js';

/** @import { ComparisonRecord, FollowedPurpose, FollowedStep, Question, RecordedCell, VerdictWord } from '../../../formats/types.ts' */

/** The pinned reference of all of them. */
export const REFERENCE = 'npm:codec@1.0.0';
/** Standard error of every estimate, log scale. */
const ERROR = 0.004;
const NO_NOISE = { stealShare: null, othersShare: null, throttledMs: null };

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
  return {
    formatVersion: FORMAT_VERSION,
    command: 'just follow',
    ended: 'complete',
    seconds: 60,
    settings: manifest.settings,
    identity: {
      ...makeReplayRecord(manifest, [], NO_NOISE),
      ...{ runId: `run-${at}`, createdAt },
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

/**
 * A branch of twelve commits: one becomes slower and nobody has answered, one is expected to be slower, one is faster, one
 * is taken back, one was not confirmed, and one is not confirmed yet.
 *
 * @returns {{ records: ComparisonRecord[], acknowledgements: string }}
 */
export function makeBranch() {
  const cells = ['serialize flat', 'serialize deep', 'deserialize flat'];
  /** @type {Record<number, Record<string, number>>} */
  const steps = {
    2: { 'serialize flat': 0.88, 'serialize deep': 0.8 },
    4: { 'deserialize flat': 1.06 },
    5: { 'deserialize flat': 0.945 },
    7: { 'serialize deep': 1.08 },
    9: { 'serialize flat': 1.21, 'deserialize flat': 1.12 },
    11: { 'serialize flat': 1.07 },
  };
  /** @type {ComparisonRecord[]} */
  const records = [];
  const add = (/** @type {Omit<Parameters<typeof makeFollowed>[0], 'at'>} */ step) => {
    const releases = [{ name: 'v1.1.0', revision: hashOf(1) }];
    const followed = { releases, ...step.followed };
    records.push(makeFollowed({ ...step, followed, at: records.length }));
  };
  const level = new Map(cells.map((id) => [id, 1]));
  for (let commit = 0; commit < 12; commit++) {
    const own = new Map(cells.map((id) => [id, steps[commit]?.[id] ?? 1]));
    for (const [id, step] of own) level.set(id, step * (level.get(id) ?? 1));
    const wobble = 1 + 0.004 * ((commit % 3) - 1);
    const point = Object.fromEntries([...level].map(([id, ratio]) => [id, ratio * wobble]));
    add({ purpose: 'point', before: null, after: commit, cells: point });
    if (commit === 0) continue;
    const pair = { before: commit - 1, after: commit };
    const isMistaken = commit === 6;
    const seen = isMistaken
      ? { ...Object.fromEntries(own), 'serialize flat': 1.05 }
      : Object.fromEntries(own);
    add({ ...pair, purpose: 'merge', cells: seen });
    if (commit === 11 || (steps[commit] === undefined && !isMistaken)) continue;
    const changed = [...own].filter(
      ([id, step]) => step !== 1 || (isMistaken && id === 'serialize flat'),
    );
    const causes = changed.map(([cellId]) => ({
      cellId,
      text: 'writeDouble takes 120 ns more per document',
    }));
    const placed = Object.fromEntries(changed.map(([id, ratio]) => [id, { ratio, placed: ratio }]));
    add({ ...pair, purpose: 'confirmation', cells: placed, followed: { causes } });
  }
  const acknowledgements = `${hashOf(7).slice(0, 12)} serialize/* expected: it checks for cycles\n`;
  return { records, acknowledgements };
}
