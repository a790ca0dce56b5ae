import { UsageError } from '../../lib/errors.js';

/** @import { Command } from 'commander' */

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
