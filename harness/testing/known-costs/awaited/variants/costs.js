/** @import { VariantDescription } from '../../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = { idea: 'costs what its axes say', source: 'harness/testing/known-costs' };

const { imul } = Math;

/**
 * @param {Record<'rounds' | 'hops' | 'turns' | 'timers', number>} costs
 * @returns {(index: number) => Promise<number>} a call that gives the index back
 */
export function openCall({ rounds, hops, turns, timers }) {
  return async function call(index) {
    const value = spin(index, rounds);
    for (let hop = 0; hop < hops; hop++) await null;
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (let timer = 0; timer < timers; timer++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // Using the value prevents dead-code elimination.
    return Number.isInteger(value) ? index : NaN;
  };
}

/** Each round waits for the one before. @param {number} value @param {number} rounds */
function spin(value, rounds) {
  for (let round = 0; round < rounds; round++) value = imul(value ^ round, 1664525) + 1;
  return value;
}

export const call = openCall({ rounds: 1, hops: 0, turns: 0, timers: 0 });
