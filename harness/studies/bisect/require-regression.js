import { countOf } from '../../lib/numbers.js';
import { AssayError, MachineError, UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';

/** @import { Bisection, BisectionStep } from './types.ts' */

/**
 * Refuses a bisection whose ends do not differ as they should.
 *
 * @param {Bisection} bisection that has ended
 * @param {string} where its runs are, for the message
 * @throws {UsageError} when the bad end is not slower
 * @throws {MachineError} when that could not be settled
 * @throws {AssayError} when an end is refused
 */
export function requireRegression({ ended, boundary, steps, cell }, where) {
  const last = steps.at(-1);
  if (boundary !== null || last === undefined || ended === 'interrupted') return;
  const sides = `'${last.candidate}' against '${last.baseline}' on ${cell.id}`;
  if (ended === 'no-regression') {
    throw new UsageError(`no regression: ${sides} is ${last.verdict}, ${describeRatio(last)}`, {
      remedy: `${last.verdict === 'faster' ? 'what became slower is looked for, not what became faster; ' : ''}name an older good end or a later bad one; the run is in ${where}`,
    });
  }
  if (ended === 'failed') {
    throw new AssayError(`${sides} cannot be compared: ${last.reason}`, {
      exitStatus: last.verdict === 'refused' ? EXIT.wrongBytes : EXIT.failed,
      remedy:
        'name another end; rows of the contract may fail where they are named: --accept ROW,ROW',
    });
  }
  if (ended === 'not-settled') {
    throw new MachineError(
      `not settled whether there is a regression: ${sides}, ${describeRatio(last)} in the last of ${countOf(steps.length, 'attempt')} (${last.reason})`,
      { remedy: `measure more with --processes, on a quieter machine; the runs are in ${where}` },
    );
  }
}

/** @param {BisectionStep} step */
function describeRatio({ ratio, processes }) {
  if (ratio === null) return 'without figures';
  const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((x) => x.toFixed(3));
  return `×${estimate} [${low}, ${high}] from ${countOf(processes, 'process', 'processes')} a side`;
}
