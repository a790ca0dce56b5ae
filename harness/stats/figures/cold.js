/** @import { ColdFigure } from '../../formats/types.ts' */
/** @import { Figure } from '../figure.js' */

/**
 * The total time of the first calls of a process. Jobs do not run in pairs, because on a single core the calls wait
 * for the compiler threads of V8.
 *
 * @param {ColdFigure} cold
 * @param {Figure} warm figure of the same cell if its processes warmed up
 * @returns {Figure}
 */
export function ofFirstCalls(cold, warm) {
  const isLoad = cold.calls === 0;
  const start = isLoad ? 'load' : 'start';
  const calls = cold.withLoad ? start : String(cold.calls);
  return {
    ...warm,
    kind: 'cold',
    quantity: isLoad
      ? 'time to load the variant in a new process'
      : 'total time of the first calls of a process',
    calls,
    fields: { ...warm.fields, cold },
    idSuffix: [...warm.idSuffix, 'cold', calls],
    // Garbage is collected before the first call.
    nodeFlags: ['--expose-gc'],
    countBatches: () => 1,
    canPair: false,
    hasUsualSpread: false,
    leavesOut: 'waiting for a processor',
  };
}
