import { resolve } from 'node:path';
import { importCorpus } from '../../../corpora/support/import.js';
import { countOf, formatSize } from '../../lib/numbers.js';
import { EXIT } from '../../lib/exit-status.js';
import { PROJECT } from '../../lib/project.js';

/** @import { Io } from '../cli.js' */

/**
 * `just corpora import NAME FILE`.
 *
 * @param {string[]} args
 * @param {{ replace?: boolean }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([name, file], options, io) {
  const result = await importCorpus(name, resolve(io.workingPath, file), {
    directory: PROJECT.corporaPath,
    replace: options.replace === true,
  });
  const size = `${countOf(result.documentCount, 'document')}, ${formatSize(result.sizeBytes)}`;
  io.stdout.write(`${result.name}: ${result.format}, ${size}\n${result.digest}\n`);
  for (const note of result.notes) io.stdout.write(`note: ${note}\n`);
  io.stdout.write(`Try: just compare generator linked-list --corpus ${result.name}\n`);
  return EXIT.done;
}
