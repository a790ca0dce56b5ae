import { expect, test } from '@jest/globals';
import { joinSections } from './join-sections.js';

test('joins everything in the given order while it fits', () => {
  const sections = [
    { name: 'second', rank: 2, text: 'B' },
    { name: 'nothing', rank: 3, text: '' },
    { name: 'first', rank: 1, text: 'A' },
  ];
  expect(joinSections('head', sections, 1000)).toBe('head\n\nB\n\nA');
});

test('takes the shorter form, then leaves out, by rank, and says so', () => {
  const sections = [
    { name: 'table', rank: 1, text: 'x'.repeat(900), shorter: 'short table' },
    { name: 'method', rank: 3, text: 'm'.repeat(700) },
    { name: 'notes', rank: 2, text: 'n'.repeat(300) },
  ];
  const joined = joinSections('head', sections, 1000);
  expect(joined.length).toBeLessThanOrEqual(1000);
  expect(joined).toBe(
    `head\n\n_Kept under 1000 characters: table in short, without method. verdict.json in the run directory has everything._\n\nshort table\n\n${'n'.repeat(300)}`,
  );
});
