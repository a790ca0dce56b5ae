import { DOCUMENTS } from '../fixtures/documents.js';
import { isCorrect } from './check.js';

const { right, wrong, 'that differs on purpose': deliberate } = DOCUMENTS.check.variants;

test.each(['contract', 'differences', 'failures'])('a variant that is wrong by its %s', (part) => {
  expect(isCorrect({ ...right, [part]: wrong[part] })).toBe(false);
});

test('a deliberate difference leaves a variant right', () => {
  expect([isCorrect(right), isCorrect(deliberate)]).toEqual([true, true]);
});
