import { UsageError } from '../lib/errors.js';
import { EXIT } from '../lib/exit-status.js';
import { findPullRequestSides } from '../variants/git.js';
import { setAxes } from '../variants/spec.js';
import { isSlower } from '../stats/verdicts.js';

/** @import { Io } from './cli.js' */
/** @import { Command } from 'commander' */
/** @import { Verdict } from '../formats/types.ts' */

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

/**
 * What is gone on with has its question already.
 *
 * @param {(string | undefined)[]} args
 * @param {Command} command
 * @param {string[]} allowed options that may be given, `--resume` first
 * @throws {UsageError} when something else is asked too
 */
export function requireNothingElse(args, command, allowed) {
  const foreign = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .find(({ long }) => !allowed.includes(long ?? ''));
  const extra = args[0] ?? foreign?.long;
  if (extra === undefined) return;
  const others = allowed.slice(1).join(', ');
  throw new UsageError(
    `--resume goes on with what was begun as it was begun, and '${extra}' asks for more`,
    { remedy: `with it go ${others.replace(/, (?=[^,]*$)/, ' and ')} alone` },
  );
}

/**
 * What a verdict tells the shell.
 *
 * @param {Pick<Verdict, 'ended' | 'cells'>} verdict
 * @param {boolean} check whether a slower candidate counts as a failure
 * @returns {number} exit status
 */
export function findExitStatus({ ended, cells }, check) {
  if (cells.some(({ verdict }) => verdict === 'refused')) return EXIT.wrongBytes;
  if (ended === 'interrupted') return EXIT.interrupted;
  if (ended === 'failed') return EXIT.failed;
  const slower = cells.some(({ verdict }) => isSlower(verdict));
  return check && slower ? EXIT.regression : EXIT.done;
}
