import { UsageError } from '../lib/errors.js';
import { formatSize } from '../lib/numbers.js';

/** @import { Io } from './cli.js' */

/** What stands for standard input where a command takes a file. */
export const STANDARD_INPUT = '-';

/**
 * Reads all of standard input.
 * @param {Pick<Io, 'stdin'>} io
 * @param {number} maxBytes
 * @returns {Promise<Buffer>}
 * @throws {UsageError} when it is a terminal, or has more bytes
 */
export async function readStandardInput(io, maxBytes) {
  const stdin = io.stdin?.();
  if (stdin === undefined || stdin.isTTY === true) {
    throw new UsageError('standard input is a terminal', {
      remedy: 'Pipe a file into the command, or name the file instead of -.',
    });
  }
  const chunks = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= maxBytes) continue;
    throw new UsageError(`standard input has more than ${formatSize(maxBytes)}`, {
      remedy: 'Pipe a part of it into the command.',
    });
  }
  return Buffer.concat(chunks);
}
