import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { FORMAT, FULL, printedFormat } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = { format: FORMAT, full: FULL };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list reported claims and their last result on this host',
  arguments: [['[names...]', 'sources or claims (default: all)']],
  options: OPTIONS,
  run,
};

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([names], options, io) {
  const { describeClaims } = await import('../../../reports/content/claims.js');
  const { formatFinding } = await import('../publish.js');
  const { readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { recallResults } = await import('../../studies/claims/reproduction.js');
  const { listFamilies } = await import('../../variants/families.js');

  const { sources, claims } = await readClaims(await listFamilies(PROJECT.experimentsPath));
  const selected = names.length === 0 ? claims : selectClaims(claims, names);
  const results = recallResults(PROJECT.claimResultsPath);
  const data = { sources, claims: selected, results };
  const document = describeClaims(data, names.length === 0);
  io.stdout.write(await formatFinding({ document, data }, printedFormat(options), io));
  return EXIT.done;
}
