import { UsageError } from '../../lib/errors.js';
import { setAxes } from '../../variants/spec.js';
import { findPullRequestSides } from '../../variants/git.js';

/** @import { Io } from '../cli.js' */

/**
 * The two variants that a command compares: those that are named, or with `--pr` the two sides of a
 * pull request; with the axes set that are set for both.
 *
 * @param {(string | undefined)[]} args
 * @param {{ pr?: string, base?: string, set?: string[] }} options
 * @param {Io} io
 * @returns {(string | undefined)[]} variant specs
 * @throws {UsageError} when there is `--pr` and variants are named too, `--base` without `--pr`, or an
 *   axis that a side cannot have
 */
export function takeSides(args, { set = [], ...options }, io) {
  const sides = findSides(args, options, io);
  return set.length === 0
    ? sides
    : sides.map((side) => (side === undefined ? side : setAxes(side, set)));
}

/**
 * @param {(string | undefined)[]} args
 * @param {{ pr?: string, base?: string }} options
 * @param {Io} io
 * @returns {(string | undefined)[]}
 */
function findSides(args, { pr, base }, io) {
  if (pr === undefined) {
    if (base === undefined) return args;
    throw new UsageError(`--base '${base}' is what the HEAD of a checkout branched off from`, {
      remedy: 'add --pr DIRECTORY in place of the variants, or leave it out',
    });
  }
  if (args[0] !== undefined) {
    throw new UsageError(`--pr chooses both variants, and '${args[0]}' is a third`, {
      remedy: 'leave out --pr, or the variants',
    });
  }
  const { baseline, candidate, notes } = findPullRequestSides(pr, base, io.workingPath);
  for (const note of notes) io.stderr.write(`note: ${note}\n`);
  return [baseline, candidate];
}
