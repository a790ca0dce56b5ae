/** Round numbers that label an axis. */

import { range, ticks as evenTicks } from 'd3-array';

/** Mantissas of ticks that repeat in every decade. */
const FAMILIES = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]];
/** How many evenly spaced ticks a narrow axis may have, about. */
const COUNTS = [2, 4, 8, 15, 30];

/**
 * @param {number} low above 0
 * @param {number} high
 * @param {number[]} [mantissas]
 * @returns {number[]} within the bounds, ascending
 */
export function logTicks(low, high, mantissas = [1, 2, 5]) {
  const decades = range(Math.floor(Math.log10(low)), Math.floor(Math.log10(high)) + 1);
  return decades
    .flatMap((decade) => mantissas.map((mantissa) => Number(`${mantissa}e${decade}`)))
    .filter((tick) => tick >= low && tick <= high);
}

/**
 * As many ticks of a log axis of ratios as have room, with 1 among them.
 *
 * @template Label
 * @param {{ low: number, high: number }} axis
 * @param {(ticks: number[]) => Label[] | null} place gives the labels that fit on the axis; null
 *   where they would touch
 * @returns {Label[]}
 */
export function placeRatioTicks({ low, high }, place) {
  const choices = [
    ...FAMILIES.map((family) => logTicks(low, high, family)),
    ...COUNTS.map((count) => evenTicks(low, high, count)),
  ].filter((ticks) => ticks.includes(1));
  return [[1], ...choices]
    .map((ticks) => place(ticks) ?? [])
    .reduce((best, placed) => (placed.length > best.length ? placed : best));
}
