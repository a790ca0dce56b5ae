import { renderMarkdown } from '../../fixtures/render.js';
import { recordedRun } from '../../fixtures/runs.js';

test('hosts are named where no cell has an effect on them, and of many the first', () => {
  const { hosts = [] } = recordedRun('fleet');
  const many = Array.from({ length: 14 }, (_, index) => ({ ...hosts[0], host: `host-${index}` }));
  const text = renderMarkdown({ ...recordedRun('faster'), hosts: many });
  expect(text).toMatch(/host-10, host-11 and 2 more *\|[^|]*\| *not calibrated/);
  expect(text).not.toContain('The effect on each host');
});

test('a run without a fleet has no such section', () => {
  expect(renderMarkdown(recordedRun('faster'))).not.toMatch(
    /effect on each host|What the hosts are/,
  );
});
