import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

/** @import { VariantDescription } from '../../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = { idea: 'costs what its axes say', source: 'harness/testing/known-costs' };

/** @typedef {Record<'rounds' | 'hops' | 'turns' | 'timers' | 'iterations' | 'chunks', number>} Costs */
/** @typedef {(index: number) => AsyncGenerator<string> | Promise<string>} Call gives the index back */

const { imul } = Math;
const derive = promisify(pbkdf2);

/** @type {(costs: Costs) => Call} */
export function openCall({ rounds, hops, turns, timers, iterations, chunks }) {
  async function call(/** @type {number} */ index) {
    const value = spin(index, rounds);
    for (let hop = 0; hop < hops; hop++) await null;
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (let timer = 0; timer < timers; timer++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (iterations > 0) await derive('password', 'salt', iterations, 32, 'sha256');
    // Using the value prevents dead-code elimination.
    return Number.isInteger(value) ? String(index) : '';
  }
  async function* stream(/** @type {number} */ index) {
    const value = spin(index, rounds);
    for (let chunk = 1; chunk < chunks; chunk++) yield '';
    yield Number.isInteger(value) ? String(index) : '';
  }
  return chunks > 0 ? stream : call;
}

/** Each round waits for the one before. @param {number} value @param {number} rounds */
function spin(value, rounds) {
  for (let round = 0; round < rounds; round++) value = imul(value ^ round, 1664525) + 1;
  return value;
}

/** @type {Costs} */
export const NONE = { rounds: 1, hops: 0, turns: 0, timers: 0, iterations: 0, chunks: 0 };

export const call = openCall(NONE);
