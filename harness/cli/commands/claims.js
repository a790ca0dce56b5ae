import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { FORMAT } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = { format: FORMAT };

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
async function run([names], { format }, io) {
  const { describeClaims } = await import('../../../reports/content/claims.js');
  const { formatFinding } = await import('../publish.js');
  const { readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { recallResults } = await import('../../studies/claims/reproduction.js');
  const { listFamilies } = await import('../../variants/families.js');

  const { sources, claims } = await readClaims(await listFamilies(PROJECT.experimentsPath));
  const selected = names.length === 0 ? claims : selectClaims(claims, names);
  const results = recallResults(PROJECT.claimResultsPath);
  const data = { sources, claims: selected, results };
  io.stdout.write(await formatFinding({ document: describeClaims(data), data }, format, io));
  return EXIT.done;
}
