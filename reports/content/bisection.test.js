import { DOCUMENTS } from '../fixtures/documents.js';
import { describeStep } from './bisection.js';

const [bisection] = Object.values(DOCUMENTS.bisection.variants);
const [ends, unbuilt, search] = bisection.steps;

test.each([
  [
    'answer',
    search,
    '1.1.0 against 1.0.0 · bad · ×1.440 (99.5 % interval 1.426–1.454) · 12 processes per variant',
  ],
  ['verdict', ends, '· slower · ×1.440'],
  ['reason', unbuilt, '1.2.0 against 1.0.0 · skipped · the build failed · 34.2 s'],
])('the line on a step has its %s', (_, step, part) => {
  const line = describeStep(step, { ...bisection, steps: [step, step] });
  expect(line.startsWith('step 2 · ')).toBe(true);
  expect(line.replaceAll('\u00a0', ' ')).toContain(part);
  expect(line).not.toContain('\n');
});
