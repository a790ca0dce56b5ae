import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { recordedRun } from '../../fixtures/runs.js';

test.each([renderTerminal, renderMarkdown, renderHtml])(
  'counts the differences that are not listed: %p',
  (render) => {
    const run = recordedRun('refused');
    const [difference] = run.verdict.differences;
    if (difference === undefined) throw new Error('the fixture has differences');
    run.verdict.differences = new Array(35).fill(difference);
    // Above what is folded, Markdown has two of them.
    const whole = render(run).split('<summary>Full report</summary>').at(-1) ?? '';
    const text = whole.replaceAll(/[`\\]|<[^>]+>/g, '');
    expect(text).toContain('Differences from the reference (35)');
    expect(text.match(/nested\.items\.3\.createdAt/g)).toHaveLength(20);
    expect(text).toContain('15 more differences in verdict.json.');
  },
);

test.each([renderTerminal, renderMarkdown, renderHtml])(
  'says how a failed job ended, after how many attempts, with its last lines: %p',
  (render) => {
    const run = recordedRun('mixed');
    const [job] = run.verdict.failedJobs;
    if (job === undefined) throw new Error('the fixture has a failed job');
    const measured = { ...job, failedAttempts: 1, measured: true };
    run.verdict.failedJobs = [job, measured];
    const text = render(run)
      .replaceAll(/[`\\]|<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ');
    expect(text).toContain('candidate: ended with exit status 1; gave up after 3 failed attempts');
    expect(text).toContain('ended with exit status 1; succeeded after 1 failed attempt');
    expect(text).toContain('RangeError: Maximum call stack size exceeded');
  },
);

test('a value of any length is cut, and says where the rest is', () => {
  const run = recordedRun('refused');
  const [difference] = run.verdict.differences;
  if (difference === undefined) throw new Error('the fixture has differences');
  run.verdict.differences = [{ ...difference, found: 'word '.repeat(500) }];
  const text = renderMarkdown(run);
  expect(text).toMatch(/…` \(complete in `?verdict\.json`?\)/);
  expect(text.length).toBeLessThan(10_000);
});

test('says whether the variants agree with each other where they differ from the reference', () => {
  const run = recordedRun('refused');
  const [difference] = run.verdict.differences;
  if (difference === undefined) throw new Error('the fixture has differences');
  const specs = ['generator', 'linked-list'];
  const differ = (/** @type {boolean} */ isAlike) => {
    run.verdict.differences = specs.map((variant) => ({
      ...difference,
      variant,
      ...(isAlike ? { sameAs: specs.filter((spec) => spec !== variant) } : {}),
    }));
    return renderMarkdown(run);
  };
  expect(differ(true)).toContain('so that it may be the reference that is wrong');
  expect(differ(false)).toContain('All variants differ from it, and from each other.');
});

test('says so where the reference breaks the contract, too', () => {
  const run = recordedRun('refused');
  const { manifest } = run;
  const row = { theme: 'T', name: 'utf8', promise: 'p', detail: 'd' };
  const failing = [{ ...row, outcome: /** @type {const} */ ('fails') }];
  manifest.contracts = { 'linked-list': failing };
  const blame = 'the runtime may be at fault rather than the variants';
  expect(renderMarkdown(run)).not.toContain(blame);
  manifest.contracts[`${manifest.variants.reference.spec} node@22.7.0`] = failing;
  expect(renderMarkdown(run)).toContain(blame);
});
