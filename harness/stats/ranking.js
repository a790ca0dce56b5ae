import { omitUndefined } from '../lib/records.js';
import {
  MIN_PROCESSES,
  allowanceOf,
  couldControlExplain,
  controlLevelOf,
  isLocated,
  isStrong,
  planLooks,
  showLast,
  testControl,
} from './decision-rule.js';
import { levelOfLook } from './multiplicity.js';
import { groupShared } from './plan.js';
import { compareCautiously, intervalAround, isWithoutNoise, robustDeviation } from './robust.js';
import { isDecided, isDirection } from './verdicts.js';

/** @import { Question, StandingClass, VerdictWord } from '../formats/types.ts' */
/** @import { LookSample } from './cell/samples.js' */
/** @import { CellInput, CellJudgement, LogInterval, Rule } from './decision-rule.js' */
/** @import { LookPlan } from './multiplicity.js' */
/** @import { MeanDifference } from './robust.js' */

/**
 * One variant compared with the fastest of the others.
 *
 * @typedef {object} Rank
 * @property {StandingClass} class
 * @property {LogInterval} interval of its time divided by that of the fastest other, log scale
 * @property {MeanDifference} test against the one that seems the fastest of the others
 */

/** @typedef {Rank & { level: number }} RankTest with the nominal level of each comparison */

/**
 * Multiple comparisons with the best (Hsu, "Multiple comparisons: theory and methods", 1996, chapters 4 and 5) from
 * simultaneous intervals of all differences, whose variances may differ. Where these contain the truth, so do all
 * that are returned, and no variant is excluded that is as fast as the best.
 *
 * @param {ArrayLike<number>[]} samples log times of each variant; at least two variants, each with two values
 * @param {object} rule
 * @param {number} rule.level two-sided, of each comparison
 * @param {number} [rule.margin] log scale; a variant is excluded if it is slower than another by more
 * @returns {Rank[]} in the order given
 */
export function compareWithBest(samples, { level, margin = 0 }) {
  const numbers = samples.map((_, number) => number);
  const tests = samples.map((own) =>
    samples.map((other) => /** @type {MeanDifference} */ (compareCautiously(own, other))),
  );
  const against = (/** @type {number} */ own, /** @type {number[]} */ others) =>
    others
      .filter((other) => other !== own)
      .map((other) => intervalAround(tests[own][other], level));
  const remaining = numbers.filter((own) => lowestOf(against(own, numbers)) <= margin);
  return numbers.map((own) => {
    const others = against(own, numbers);
    const rivals = against(own, remaining);
    const test = tests[own].reduce(
      (slowest, each, other) =>
        other !== own && each.difference > slowest.difference ? each : slowest,
      tests[own][own === 0 ? 1 : 0],
    );
    const estimate = test.difference;
    if (!remaining.includes(own)) {
      const interval = { estimate, low: lowestOf(others), high: highestOf(rivals) };
      return { class: 'not-the-best', interval, test };
    }
    if (rivals.length === 0) {
      const high = Math.min(0, highestOf(others));
      return { class: 'best', interval: { estimate, low: lowestOf(others), high }, test };
    }
    const [low, high] = [Math.min(0, lowestOf(others)), Math.max(0, highestOf(rivals))];
    return { class: 'among-the-best', interval: { estimate, low, high }, test };
  });
}

/** Lower end of the time relative to the fastest of several. @type {(differences: LogInterval[]) => number} */
function lowestOf(differences) {
  return Math.max(...differences.map(({ low }) => low));
}

/** Its upper end. @type {(differences: LogInterval[]) => number} */
function highestOf(differences) {
  return Math.max(...differences.map(({ high }) => high));
}

/**
 * The rule of a ranking (decision 0031): the variants of each workload, which is what cells that differ only in
 * their candidate have in common, against the best of them.
 *
 * @param {CellInput[]} cells in the order of the question
 * @param {Rule & Pick<Question, 'cells'>} question
 * @returns {CellJudgement[]} in the same order. The word says how a variant compares with the fastest of the others
 */
export function rankCells(cells, question) {
  const alpha = question.alpha / groupShared(question.cells).size;
  /** @type {Map<string, CellJudgement>} */
  const judgements = new Map();
  for (const workload of groupShared(question.cells).values()) {
    const inputs = workload.map((cell) => cells[question.cells.indexOf(cell)]);
    const judged = rankWorkload(inputs, { ...question, alpha });
    for (const [index, { id }] of workload.entries()) judgements.set(id, judged[index]);
  }
  return question.cells.map(({ id }) => /** @type {CellJudgement} */ (judgements.get(id)));
}

/**
 * @param {CellInput[]} cells of one workload, one for each variant
 * @param {Rule} question with the level of this workload
 * @returns {CellJudgement[]}
 */
function rankWorkload(cells, question) {
  const plan = planLooks(
    question,
    cells.flatMap(({ samples }) => samples),
  );
  const standings = findStandings(cells, plan, question);
  const judged = cells.map((cell, index) => judgeVariant(cell, standings[index], plan, question));
  const competing = judged.filter(({ verdict }) => verdict !== 'refused');
  const isSettled = competing.length < 2 || competing.every(({ decided }) => decided);
  return judged.map((judgement, index) => {
    const { samples, refused } = cells[index];
    const atLastLook = (samples.at(-1)?.size ?? 0) >= (question.looks.at(-1) ?? 0);
    return { ...judgement, decided: refused || atLastLook || isSettled };
  });
}

/**
 * @param {CellInput[]} cells of one workload
 * @param {LookPlan} plan
 * @param {Rule} question
 * @returns {(RankTest | undefined)[]} undefined for a variant that is refused or has too few figures, for several of which
 *   each has equal ones, and for the only one that remains
 */
function findStandings(cells, plan, { alpha, minimumEffect }) {
  const lasts = cells.map(({ samples, refused }) => {
    // At the early look all processes are ranked.
    const last = showLast(samples, { isRough: samples.at(-1)?.isEarly === true });
    return !refused && last !== undefined && last.figures.candidate.length >= MIN_PROCESSES
      ? last
      : null;
  });
  const equal = lasts.filter((last) => last !== null && isEqual(last.figures.candidate));
  const usable = lasts.map((last) => (equal.length > 1 && equal.includes(last) ? null : last));
  const ranked = usable.filter((last) => last !== null);
  if (ranked.length < 2) return cells.map(() => undefined);
  const isEarly = ranked.some((last) => last.isEarly);
  // Pairs without data count, too; otherwise their data could withdraw an exclusion.
  const pairs = (cells.length * (cells.length - 1)) / 2;
  const level = levelOfLook(alpha / pairs, plan, isEarly);
  const ranks = compareWithBest(
    ranked.map(({ figures }) => figures.candidate),
    // As a rough test, the early look gives only directions beyond the minimum effect.
    { level, margin: isEarly ? Math.log1p(minimumEffect) + findAllowance(ranked) : 0 },
  ).values();
  return usable.map((last) => {
    const rank = last === null ? undefined : ranks.next().value;
    return rank && { ...rank, level };
  });
}

/** @type {(logs: number[]) => boolean} */
function isEqual(logs) {
  return isWithoutNoise(robustDeviation(Float64Array.from(logs).sort()));
}

/** @param {LookSample[]} ranked @returns {number} the largest of what their correction may miss */
function findAllowance(ranked) {
  return Math.max(...ranked.map(({ rough }) => (rough === undefined ? 0 : allowanceOf(rough))));
}

/**
 * @param {CellInput} cell
 * @param {RankTest | undefined} standing
 * @param {LookPlan} plan
 * @param {Rule} question
 * @returns {CellJudgement} `decided`: whether more processes of this variant are not needed
 */
function judgeVariant({ samples, refused, bands = [] }, standing, plan, question) {
  const minimumEffect = Math.log1p(question.minimumEffect);
  const isEarly = samples.at(-1)?.isEarly === true;
  const word =
    standing === undefined ? 'inconclusive' : chooseWord(standing, minimumEffect, isEarly);
  const control = testControl({ samples, plan, alpha: question.alpha });
  const controlLevel = controlLevelOf(word, question.alpha);
  const controlDiffers =
    control !== null && control.test.p <= levelOfLook(controlLevel, plan, control.isRough);
  const isExplained =
    controlDiffers &&
    standing !== undefined &&
    isDecided(word) &&
    couldControlExplain(word, standing.interval, control.interval.estimate, minimumEffect);
  const verdict = refused ? 'refused' : isExplained ? 'untrusted' : word;
  return {
    verdict,
    strong:
      standing !== undefined && isDirection(verdict) && isStrong(standing.interval, minimumEffect),
    decided: isDecided(verdict) && isLocated(standing, bands),
    effect: null,
    control,
    pAdjusted: 1,
    controlDiffers,
    heldBackByHolm: false,
    plan,
    ...omitUndefined({ standing }),
  };
}

/** @type {(standing: Rank, minimumEffect: number, isEarly: boolean) => VerdictWord} */
function chooseWord({ class: place, interval: { low, high } }, minimumEffect, isEarly) {
  if (place === 'best') return 'faster';
  if (place === 'not-the-best') return 'slower';
  return low > -minimumEffect && high < minimumEffect && !isEarly ? 'equivalent' : 'inconclusive';
}
