import { execFileSync } from 'node:child_process';
import { didYouMean, quoteWords } from './words.js';

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

test('is empty when no name is near', () => {
  expect(didYouMean('protobuf', NAMES)).toBe('');
});

test('a shell parses the same words again', () => {
  const words = ['plain', '', 'two words', "it's", '$(touch x)', '`x`', 'a\nb', '--seed=7', '*'];
  const script = `printf '%s\\0' ${quoteWords(words)}`;
  const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(output.split('\0').slice(0, -1)).toEqual(words);
});
