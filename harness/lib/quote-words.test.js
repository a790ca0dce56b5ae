import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { quoteWords } from './quote-words.js';

test('a shell reads the same words again', () => {
  const words = ['plain', '', 'two words', "it's", '$(touch x)', '`x`', 'a\nb', '--seed=7', '*'];
  const script = `printf '%s\\0' ${quoteWords(words)}`;
  const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(output.split('\0').slice(0, -1)).toEqual(words);
});
