import { EXIT } from '../../lib/exit-status.js';

/** @import { Verdict } from '../../formats/types.ts' */

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
  const slower = cells.some(({ verdict }) => verdict === 'slower');
  return check && slower ? EXIT.regression : EXIT.done;
}
