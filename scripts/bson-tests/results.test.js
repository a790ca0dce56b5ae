import { compareResults, describeComparison, readResults } from './results.js';

const ROOT = '/tmp/copy';

/** @type {(fullTitle: string, message?: string) => object} */
const makeTest = (fullTitle, message) => ({
  file: `${ROOT}/test/a.test.ts`,
  fullTitle,
  err: message === undefined ? {} : { message },
});

/** @type {(report: Record<string, object[]>) => import('./results.js').Results} */
const read = (report) =>
  readResults(JSON.stringify({ passes: [], failures: [], pending: [], ...report }), ROOT);

/** @type {(title: string) => string} */
const nameOf = (title) => `test/a.test.ts: ${title}`;

describe('what mocha reports', () => {
  test('outcomes by file and title, with the first line of an error', () => {
    const results = read({
      passes: [makeTest('adds')],
      failures: [makeTest('divides', '\nexpected 1\nto equal 2')],
      pending: [makeTest('later')],
    });
    expect([...results]).toEqual([
      [nameOf('adds'), { outcome: 'passed', message: '' }],
      [nameOf('divides'), { outcome: 'failed', message: 'expected 1' }],
      [nameOf('later'), { outcome: 'skipped', message: '' }],
    ]);
  });

  test('tests of one title are told apart by a number', () => {
    const results = read({ passes: [makeTest('adds'), makeTest('adds')] });
    expect([...results.keys()]).toEqual([nameOf('adds'), nameOf('adds (2)')]);
  });

  test('a file outside of the checkout keeps its path', () => {
    const results = read({ passes: [{ file: '/elsewhere/b.js', fullTitle: 'adds', err: {} }] });
    expect([...results.keys()]).toEqual(['/elsewhere/b.js: adds']);
  });
});

describe('a comparison', () => {
  const own = read({
    passes: ['a', 'b', 'c', 'd'].map((title) => makeTest(title)),
    failures: [makeTest('e', 'x')],
    pending: [makeTest('f')],
  });

  /** @type {(titles: string[]) => import('./results.js').Explained[]} */
  const explain = (titles) =>
    titles.map((title) => ({ package: 'p', forms: [], test: nameOf(title), reason: 'known' }));

  test('tells failures that are explained or common from those that are neither', () => {
    const other = read({
      passes: [makeTest('a')],
      failures: [makeTest('b', 'other text'), makeTest('c', 'no'), makeTest('e', 'y')],
      pending: [makeTest('d'), makeTest('f')],
    });
    expect(compareResults(own, other, explain(['c']))).toEqual({
      passed: 1,
      passedBefore: 4,
      skipped: 1,
      unexplained: [
        { test: nameOf('b'), message: 'other text' },
        { test: nameOf('d'), message: 'is skipped' },
      ],
      explained: [{ test: nameOf('c'), reason: 'known' }],
      both: [nameOf('e')],
      needless: [],
    });
  });

  test('a test that does not run any more fails, and one that appears counts', () => {
    const other = read({ passes: [makeTest('a'), makeTest('new')], failures: [] });
    const { passed, unexplained, both } = compareResults(own, other, []);
    expect(passed).toBe(2);
    expect(unexplained.map(({ test }) => test)).toEqual(['b', 'c', 'd'].map(nameOf));
    expect(unexplained[0].message).toBe('did not run');
    expect(both).toEqual([nameOf('e')]);
  });

  test('an explained test that passes, or is none, is reported', () => {
    const comparison = compareResults(own, own, explain(['a', 'e', 'gone']));
    expect(comparison.needless).toEqual([nameOf('a'), nameOf('e'), nameOf('gone')]);
    expect(describeComparison(comparison)).toEqual([
      '4 pass, 1 fail, 1 are skipped; with bson itself 4 pass',
      `fails with bson itself, too: ${nameOf('e')}`,
      ...['a', 'e', 'gone'].map((title) => `explained, but does not fail: ${nameOf(title)}`),
    ]);
  });

  test('what it says names every failure and its reason', () => {
    const other = read({
      passes: [],
      failures: ['a', 'b'].map((title) => makeTest(title, `no ${title}`)),
    });
    const lines = describeComparison(compareResults(own, other, explain(['b'])));
    expect(lines).toContain(`fails: ${nameOf('a')}\n    no a`);
    expect(lines).toContain(`fails, explained: ${nameOf('b')}\n    known`);
  });
});
