import { EXIT } from '../../lib/exit-status.js';
import { PROJECT } from '../../lib/project.js';
import { terminalOf } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration } from '../types.ts' */

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list reported claims and their last result on this host',
  arguments: [['[names...]', 'sources or claims (default: all)']],
  run,
};

/**
 * @param {[string[]]} args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([names], _options, io) {
  const { formatClaims } = await import('../../../reports/support/terminal-claims.js');
  const { readClaims, selectClaims } = await import('../../studies/claims/claims.js');
  const { recallResults } = await import('../../studies/claims/reproduction.js');
  const { listFamilies } = await import('../../variants/families.js');

  const { sources, claims } = await readClaims(await listFamilies(PROJECT.experimentsPath));
  const selected = names.length === 0 ? claims : selectClaims(claims, names);
  const results = recallResults(PROJECT.claimResultsPath);
  io.stdout.write(formatClaims({ sources, claims: selected, results }, terminalOf(io)));
  return EXIT.done;
}
