import { expect, test } from '@jest/globals';
import { didYouMean } from './did-you-mean.js';

const NAMES = ['recursive', 'generator', 'indexed', 'linked-list'];

test.each([
  ['indexd', "; did you mean 'indexed'?"],
  ['Generator', "; did you mean 'generator'?"],
  ['linkedlist', "; did you mean 'linked-list'?"],
  ['linked', "; did you mean 'linked-list'?"],
  ['recursve-x', "; did you mean 'recursive'?"],
])('%s', (word, hint) => {
  expect(didYouMean(word, NAMES)).toBe(hint);
});

test('says nothing when nothing is near', () => {
  expect(didYouMean('protobuf', NAMES)).toBe('');
});
