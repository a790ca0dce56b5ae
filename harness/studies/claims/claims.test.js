import { describe, expect, test } from '@jest/globals';
import { UsageError } from '../../lib/errors.js';
import { chooseMinimumEffect, chooseMostProcesses, groupClaims, selectClaims } from './claims.js';

/** @import { Claim, ReportedFigure } from '../../formats/types.ts' */

/**
 * @param {string} id
 * @param {[string, string]} sides
 * @param {ReportedFigure} figure
 * @param {Partial<Claim>} [changes]
 * @returns {Claim}
 */
function makeClaim(id, [baseline, candidate], figure, changes = {}) {
  const [source = ''] = id.split('/');
  const common = { statement: 'So it is.', operation: 'serialize', corpus: 'flat', tolerance: 1.2 };
  return { id, source, baseline, candidate, figure, ...common, ...changes };
}

/** @type {ReportedFigure} */
const SLOWER = { formula: 'direction', direction: 'slower' };
/** @type {ReportedFigure} */
const RETAINED = { formula: 'retained-bytes', of: 'ObjectId', baseline: 2, candidate: 1 };

const claims = [
  makeClaim('T-1/flat', ['a', 'b'], SLOWER),
  makeClaim('T-1/deep', ['a', 'b'], SLOWER, { corpus: 'deep' }),
  makeClaim('T-1/other', ['a', 'c'], SLOWER),
  makeClaim('T-1/bytes', ['a', 'b'], { formula: 'same-output' }),
  makeClaim('T-1/never', ['a', 'b'], SLOWER, { cannotRun: 'needs a server' }),
  makeClaim('T-2/retained', ['a', 'd'], RETAINED),
  makeClaim('T-2/breaks', ['a', 'd'], { formula: 'contract-breaks', rows: ['x'] }),
  makeClaim('T-2/contract', ['a', 'e'], { formula: 'contract' }),
];
const idsOf = (/** @type {Claim[]} */ list) => list.map(({ id }) => id);

describe('a name means', () => {
  test('all claims of a source, or one, each once', () => {
    expect(idsOf(selectClaims(claims, ['T-2']))).toEqual([
      'T-2/retained',
      'T-2/breaks',
      'T-2/contract',
    ]);
    expect(idsOf(selectClaims(claims, ['T-1/flat', 'T-1/flat']))).toEqual(['T-1/flat']);
  });

  test('nothing, and what might be meant is said', () => {
    expect(() => selectClaims(claims, ['T-3'])).toThrow(UsageError);
    expect(() => selectClaims(claims, ['T-1/flaat'])).toThrow(/did you mean 'T-1\/flat'/);
  });
});

test('claims of the same sides share a comparison, what the gate settles goes along', () => {
  const groups = groupClaims(claims).map(({ kind, candidate, claims: list }) => [
    kind,
    candidate,
    ...idsOf(list),
  ]);
  expect(groups).toEqual([
    ['time', 'b', 'T-1/flat', 'T-1/deep', 'T-1/bytes'],
    ['time', 'c', 'T-1/other'],
    ['memory', 'd', 'T-2/retained', 'T-2/breaks'],
    ['gate', 'e', 'T-2/contract'],
  ]);
});

/**
 * @param {number} percent
 * @returns {Claim}
 */
function claimTime(percent) {
  const figure = { formula: 'time-percent', percent };
  return /** @type {Claim} */ ({ figure });
}

test('claims of large differences are settled with the usual minimum effect', () => {
  expect(chooseMinimumEffect([claimTime(54), claimTime(-20)])).toBe(0.03);
});

test('a small one among them asks for half of it', () => {
  expect(chooseMinimumEffect([claimTime(54), claimTime(3)])).toBe(0.015);
});

test('claims of no difference, and of none in time, ask for nothing', () => {
  expect(chooseMinimumEffect([claimTime(0.25)])).toBe(0.03);
  expect(chooseMinimumEffect([])).toBe(0.03);
});

test('a small difference may take twice as many processes', () => {
  const usual = chooseMostProcesses([claimTime(54)]);
  expect(chooseMostProcesses([claimTime(54), claimTime(3)])).toBe(2 * usual);
});
