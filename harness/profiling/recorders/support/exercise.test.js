import { expect, test } from '@jest/globals';
import { countPasses } from './exercise.js';

test('documents of some kilobytes are worked through some thousand times', () => {
  expect(countPasses({ documentCount: 1, sizeBytes: 6_046 })).toBe(2_983);
});

test('many documents in a corpus make for fewer passes', () => {
  expect(countPasses({ documentCount: 1_000, sizeBytes: 285_000 })).toBe(11);
});

test('a huge corpus still has the two passes that a slope needs', () => {
  expect(countPasses({ documentCount: 1, sizeBytes: 500_000_000 })).toBe(2);
});
