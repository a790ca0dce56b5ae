import { randomInt } from 'node:crypto';
import { parseLabel } from '../../corpora/support/label.js';
import { didYouMean } from '../did-you-mean.js';
import { UsageError } from '../errors.js';
import { parseBudget, parseList, parseNumber, parseSeed } from './parse-options.js';

/** @import { Cell, Question } from '../types.ts' */
/** @import { FoundFamily } from '../resolve/families.js' */
/** @import { CompareOptions } from './compare.js' */

/** Processes a side at which the data are looked at. */
const LOOKS = [12, 24, 48, 96];
const ALPHA = 0.05;
const SCREEN_FLAG = '--predictable';

/**
 * Turns what was typed into what a run must find out.
 *
 * @param {[string, string]} specs of baseline and candidate
 * @param {FoundFamily} family
 * @param {CompareOptions} options
 * @returns {Question}
 * @throws {UsageError} when an option makes no sense
 */
export function makeQuestion([baseline, candidate], family, options) {
  const screen = options.screen === true;
  const { seed, budget, mei, nodeFlag } = options;
  return {
    family: family.name,
    baseline,
    candidate,
    cells: makeCells(family, options),
    minimumEffect: parseNumber('--mei', mei, { above: 0, upTo: 100 }) / 100,
    alpha: ALPHA,
    looks: LOOKS,
    budgetSeconds: budget === undefined ? null : parseBudget(budget),
    seed: seed === undefined ? randomInt(2 ** 32) : parseSeed(seed),
    mode: screen ? 'screen' : 'default',
    nodeFlags: [...(screen ? [SCREEN_FLAG] : []), ...(nodeFlag ?? [])],
  };
}

/**
 * @param {FoundFamily} family
 * @param {Pick<CompareOptions, 'op' | 'corpus'>} options
 * @returns {Cell[]} every operation on every corpus
 */
export function makeCells(family, options) {
  const operations = parseList(options.op) ?? family.defaultOperations;
  const labels = (parseList(options.corpus) ?? family.defaultCorpora).map((text) => {
    return parseLabel(text).label;
  });
  for (const operation of operations) {
    if (family.operations.includes(operation)) continue;
    throw new UsageError(
      `${family.name} has no operation '${operation}'${didYouMean(operation, family.operations)}`,
      { remedy: `there are ${family.operations.join(', ')}` },
    );
  }
  if (operations.length === 0 || labels.length === 0) {
    throw new UsageError('there is nothing to measure', {
      remedy: 'leave --op and --corpus out, or name at least one each',
    });
  }
  return operations.flatMap((operation) =>
    [...new Set(labels)].map((corpus) => ({ id: `${operation} ${corpus}`, operation, corpus })),
  );
}
