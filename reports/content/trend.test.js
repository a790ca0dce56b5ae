import { makeTrend } from '../../harness/studies/trend/test-support/fixtures.js';
import { describeTrendStep, drawBars } from './trend.js';

test('bars of many points stand for several, and small differences stay low', () => {
  const points = Array.from({ length: 200 }, (_, index) => ({
    spec: `v${index}`,
    ratio: { estimate: 1 + (index % 2) / 1000, low: 0.9, high: 1.1 },
    level: 1,
    processes: 24,
  }));
  const bars = drawBars({ points, changes: [] });
  expect(bars).toHaveLength(23);
  expect(new Set(bars).size).toBeLessThanOrEqual(2);
  expect(bars).not.toMatch(/[▁█]/);
});

test('the line on a step says what it was for', () => {
  const trend = makeTrend();
  const line = describeTrendStep(trend.steps[1], trend).replaceAll('\u00a0', ' ');
  expect(line).toBe('neighbours side by side: 1.3.0 · 12.5 s · 5 of 6 measured · 1 change so far');
});
