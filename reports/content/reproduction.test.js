import { renderMarkdown } from '../document/markdown.js';
import { describeReproduction } from './reproduction.js';
import { makeClaim, makeReproduction, tell } from './test-support/make-reproduction.js';

test('stays below 60 000 characters, and says what it gave up', () => {
  const judged = Array.from({ length: 320 }, (_, index) =>
    tell(makeClaim(`claim-number-${index}`), { reason: 'it is less here, not more or the same' }),
  );
  const markdown = renderMarkdown(describeReproduction(makeReproduction({ judged })));
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown).toMatch(/ticket-1.* in short/);
  expect(markdown).toContain('claim-number-319');
  expect(markdown).toContain('### Repeat');
});
