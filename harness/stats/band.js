/** @import { RatioBand, RatioInterval } from '../formats/types.ts' */

/** @typedef {'faster' | 'slower' | 'same'} Finding */

/**
 * Restricts a band to the ratios at which a verdict can have the direction of a finding: at least the minimum
 * effect. Otherwise a direction with an interval inside the band could become `equivalent` when it is measured
 * more precisely.
 *
 * @param {RatioBand} band
 * @param {Finding} finding
 * @param {number} minimumEffect a share
 * @returns {RatioBand} the same for `same`
 */
export function restrictBand({ low, high }, finding, minimumEffect) {
  const least = 1 + minimumEffect;
  if (finding === 'slower') return { low: Math.max(low, least), high };
  if (finding === 'faster') return { low, high: Math.min(high ?? Infinity, 1 / least) };
  return { low, high };
}

/** @param {number} minimumEffect a share @returns {RatioBand} ratios that count as no difference */
export function equivalenceBand(minimumEffect) {
  return { low: 1 / (1 + minimumEffect), high: 1 + minimumEffect };
}

/**
 * @param {Pick<RatioInterval, 'low' | 'high'>} interval
 * @param {RatioBand} band
 * @returns {'inside' | 'outside' | 'across'} `across`: it contains an edge
 */
export function locateInterval({ low, high }, band) {
  const highest = band.high ?? Infinity;
  if (low > band.low && high < highest) return 'inside';
  return high <= band.low || low >= highest ? 'outside' : 'across';
}

/**
 * What an interval says of a claimed ratio or a reported one. More precision never withdraws `reproduced`.
 *
 * @param {ReturnType<typeof locateInterval>} place in the band of the claim
 * @param {{ hasDirection: boolean, agrees: boolean }} verdict whether it has the direction of the claim, and
 *   whether it agrees with the claim, direction or not
 * @returns {'reproduced' | 'size-open' | 'direction-only' | 'not-reproduced' | 'inconclusive'}
 */
export function judgePlace(place, { hasDirection, agrees }) {
  if (place === 'outside') return hasDirection ? 'direction-only' : 'not-reproduced';
  if (place === 'inside' && agrees) return 'reproduced';
  return hasDirection ? 'size-open' : 'inconclusive';
}

/** Most processes per variant that a comparison measures. */
export const MAX_PROCESSES = 10_000;

/**
 * Processes after which an interval that contains an edge of the band would not, if the estimate stayed the
 * same. The width of an interval is proportional to the inverse square root of the number of processes.
 *
 * @param {RatioInterval} interval
 * @param {RatioBand} band
 * @param {number} processes that the interval comes from
 * @returns {number | null} null for more than a comparison measures
 */
export function processesToLeaveEdge({ estimate, low, high }, band, processes) {
  const edges = [band.low, band.high ?? Infinity];
  const distance = Math.min(...edges.map((edge) => Math.abs(Math.log(estimate / edge))));
  const halfWidth = Math.log(high / low) / 2;
  const needed = Math.max(Math.ceil(processes * (halfWidth / distance) ** 2), processes + 1);
  return needed <= MAX_PROCESSES ? needed : null;
}
