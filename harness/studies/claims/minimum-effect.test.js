import { expect, test } from '@jest/globals';
import { chooseMinimumEffect, chooseMostProcesses } from './minimum-effect.js';

/** @import { Claim } from '../../formats/types.ts' */

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
