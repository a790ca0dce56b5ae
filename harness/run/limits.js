/** What a question and its settings may ask for: one table for the options of commands and for what a submitter sends. */

import { UsageError } from '../lib/errors.js';

/** @import { MeasureSettings, Question } from '../formats/types.ts' */

/** Each from the smallest value to the largest; both are allowed unless `above` says that the smallest is not. */
export const LIMITS = Object.freeze({
  /** A day. */
  budgetSeconds: { from: 0, to: 86_400, above: true },
  minimumEffect: { from: 0, to: 1, above: true },
  alpha: { from: 0, to: 0.5, above: true },
  processes: { from: 16, to: 10_000 },
  /** Processes at the first looks, which are parts of the last. */
  look: { from: 1, to: 10_000 },
  placements: { from: 0, to: 40 },
  /** Calls in flight. */
  concurrency: { from: 1, to: 1_000 },
  seed: { from: 0, to: 0xffffffff },
  /** No command line has so many words. */
  cells: { from: 1, to: 10_000 },
  candidates: { from: 1, to: 1_000 },
});

/** Of the settings that a family or a calibration gives. A job is killed after half a minute. */
const SETTINGS_LIMITS = Object.freeze({
  warmUpMs: { from: 0, to: 30_000 },
  warmUpCalls: { from: 0, to: 100_000_000 },
  maxWarmUpMs: { from: 0, to: 30_000 },
  batchCount: { from: 1, to: 1_000 },
  batchMs: { from: 0, to: 10_000 },
});

/** @typedef {{ from: number, to: number, above?: boolean }} Limit */

/** @type {(value: number, limit: Limit) => boolean} */
export function isWithin(value, { from, to, above = false }) {
  return value <= to && (above ? value > from : value >= from);
}

/**
 * Refuses a question and settings that no command line of this version could have asked for.
 *
 * @param {Question} question
 * @param {MeasureSettings} settings
 * @throws {UsageError} naming the first value
 */
export function requireLimits(question, settings) {
  const { budgetSeconds, minimumEffect, alpha, looks, earlyLook, placements, seed } = question;
  /** @type {[name: string, value: number | undefined | null, limit: Limit][]} */
  const values = [
    ['budgetSeconds', budgetSeconds, LIMITS.budgetSeconds],
    ['minimumEffect', minimumEffect, LIMITS.minimumEffect],
    ['alpha', alpha, LIMITS.alpha],
    ['earlyLook', earlyLook, LIMITS.look],
    ['placements', placements, LIMITS.placements],
    ['seed', seed, LIMITS.seed],
    ['the number of cells', question.cells.length, LIMITS.cells],
    ['the number of candidates', question.candidates.length, LIMITS.candidates],
  ];
  for (const { concurrency } of question.cells) {
    values.push(['concurrency', concurrency, LIMITS.concurrency]);
  }
  for (const look of looks) values.push(['a look', look, LIMITS.look]);
  for (const [name, limit] of Object.entries(SETTINGS_LIMITS)) {
    values.push([name, settings[/** @type {keyof MeasureSettings} */ (name)], limit]);
  }
  for (const [name, value, limit] of values) {
    if (value == null || isWithin(value, limit)) continue;
    const from = limit.above === true ? `above ${limit.from}` : `from ${limit.from}`;
    throw new UsageError(`${name} is ${value}, and must be ${from} to ${limit.to}`, {
      remedy: 'ask again with a value in this range',
    });
  }
}
