import { UsageError } from '../errors.js';
import { findPullRequestSides } from '../resolve/find-pull-request-sides.js';

/** @import { Io } from '../cli.js' */

/**
 * The two variants that a command compares: those that are named, or with `--pr` the two sides of a
 * pull request.
 *
 * @param {(string | undefined)[]} args
 * @param {{ pr?: string, base?: string }} options
 * @param {Io} io
 * @returns {(string | undefined)[]} variant specs
 * @throws {UsageError} when there is `--pr` and variants are named too, or `--base` without `--pr`
 */
export function takeSides(args, { pr, base }, io) {
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
