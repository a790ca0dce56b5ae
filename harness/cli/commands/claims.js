import { formatClaims } from '../../../reports/support/terminal-claims.js';
import { readClaims, selectClaims } from '../../studies/claims/claims.js';
import { recallResults } from '../../studies/claims/reproduction.js';
import { EXIT } from '../../lib/exit-status.js';
import { PROJECT } from '../../lib/project.js';
import { terminalOf } from '../publish.js';
import { listFamilies } from '../../variants/families.js';

/** @import { Io } from '../cli.js' */

/**
 * `just claims [NAME…]`: what others reported, and the last result here.
 *
 * @param {[string[]]} args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([names], _options, io) {
  const { sources, claims } = await readClaims(await listFamilies(PROJECT.experimentsPath));
  const selected = names.length === 0 ? claims : selectClaims(claims, names);
  const results = recallResults(PROJECT.claimResultsPath);
  io.stdout.write(formatClaims({ sources, claims: selected, results }, terminalOf(io)));
  return EXIT.done;
}
