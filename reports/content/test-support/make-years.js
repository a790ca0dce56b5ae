/** @import { SimulatedYears, YearPart } from '../../../harness/formats/types.ts' */

/** @type {Pick<YearPart, 'host'>} */
const DIFFERING = { host: 'differing' };

/** @returns {SimulatedYears} few parts of a simulation, with made-up counts */
export function makeYears() {
  const errors = [
    { level: 0.05, confirmations: 200, alerts: 4 },
    { level: 0.01, confirmations: 400, alerts: 1 },
  ];
  const levels = [0.04, 0.01, 0.001];
  return {
    ...{ seed: 1, runs: 20 },
    parts: [
      {
        part: { ...DIFFERING, kind: 'unchanged', cells: 6, count: 8 },
        result: {
          suspected: [0, 0, 0, 1, 0, 0, 0, 0],
          confirmations: [0, 0, 0, 2, 0, 0, 2, 0],
          levels: errors,
        },
      },
      {
        part: { ...DIFFERING, kind: 'unchanged', cells: 200, count: 3 },
        result: { suspected: [14, 16, 12], confirmations: [10, 12, 8], levels: [] },
      },
      {
        part: { ...DIFFERING, kind: 'series', cells: 6, points: 200, count: 5 },
        result: { levels: [{ level: 0.05, confirmations: 6, alerts: 0 }] },
      },
      ...[0.03, 0.1].map((size, index) => ({
        part: {
          ...{ ...DIFFERING, kind: /** @type {const} */ ('changed'), cells: 6, size },
          ...{ changed: 1, levels, count: 50 },
        },
        result: {
          found: levels.map((level) => ({
            level,
            atMerge: 20 + 20 * index,
            byNight: 30 + 20 * index,
          })),
        },
      })),
      {
        part: {
          ...{ ...DIFFERING, kind: 'delay', cells: 6, size: 0.05, changed: 1 },
          ...{ levels: [0.018], mergesPerNight: 3, count: 5 },
        },
        result: { delays: [0, 0, 2, 14, null] },
      },
    ],
  };
}
