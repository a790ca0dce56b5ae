import { listRows, runThemes } from '../support/contract.js';
import { CONTRACT } from './contract.js';

/** @import { ConformanceFailure, ContractRow } from '../../harness/formats/types.ts' */
/** @import { FormatModule } from './codec/types.ts' */

/** Names for `--accept`. */
export const rows = listRows(CONTRACT);

/**
 * Checks what becomes of values in a format, and of damaged messages.
 * @param {FormatModule} module namespace of the variant
 * @returns {Promise<{ passed: number, failures: ConformanceFailure[], contract: ContractRow[] }>}
 */
export async function runConformance(module) {
  const { breaks: declared = {} } = module.variant;
  const contract = await runThemes(CONTRACT, [module], { declared });
  return { passed: 0, failures: [], contract };
}
