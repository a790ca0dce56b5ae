import { makeManifest } from '../../../reports/fixtures/build.js';
import { groupMemoryJobs, isTooLarge, planMemoryJobs } from './plan.js';

const { question, corpora } = makeManifest();

describe('the memory jobs of a run', () => {
  const jobs = planMemoryJobs(question, corpora);

  test('have unique ids', () => {
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  });

  test('cover cells by operation and corpora by retained memory', () => {
    const subjectsOf = (/** @type {string} */ kind) => [
      ...new Set(jobs.filter((job) => job.kind === kind).map(({ subject }) => subject)),
    ];
    const cellIds = question.cells.map(({ id }) => id);
    const labels = corpora.map(({ label }) => label);
    expect(subjectsOf('allocation')).toEqual(cellIds);
    expect(subjectsOf('collections')).toEqual(cellIds);
    expect(subjectsOf('retained-snapshot')).toEqual(labels);
    expect(subjectsOf('retained-slope')).toEqual(labels);
  });

  test('have only the kinds of the family, in a fixed order', () => {
    const some = planMemoryJobs(
      { ...question, memoryKinds: ['collections', 'allocation'] },
      corpora,
    );
    expect([...new Set(some.map(({ kind }) => kind))]).toEqual(['allocation', 'collections']);
    expect(planMemoryJobs({ ...question, memoryKinds: [] }, corpora)).toEqual([]);
  });

  test('hold only documents of corpora that an operation reads', () => {
    const isAskedFor = ({ id = '' }) => id.startsWith('serialize') || id === 'deserialize deep';
    const cells = question.cells.filter(isAskedFor);
    const held = planMemoryJobs({ ...question, cells }, corpora).filter(({ kind }) =>
      kind.startsWith('retained-'),
    );
    expect(new Set(held.map(({ subject }) => subject))).toEqual(new Set(['deep']));
  });

  test('start and end equally often with each arm', () => {
    const arms = jobs
      .filter(({ kind, subject }) => kind === 'collections' && subject === 'serialize flat')
      .map(({ arm }) => arm);
    const there = ['baseline', 'candidate', 'control'];
    const back = there.toReversed();
    expect(arms).toEqual([...there, ...back, ...there, ...back, ...there, ...back]);
  });

  test('do not run operations on a corpus that takes long to prepare', () => {
    const large = corpora.map((corpus) =>
      corpus.label === 'flat' ? { ...corpus, sizeBytes: 2 ** 28 } : corpus,
    );
    const cell = question.cells.find(({ id }) => id === 'serialize flat');
    expect(isTooLarge(/** @type {import('../../formats/types.ts').Cell} */ (cell), large)).toBe(
      true,
    );
    const kinds = planMemoryJobs(question, large)
      .filter(({ subject }) => subject === 'serialize flat' || subject === 'flat')
      .map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(['retained-snapshot', 'retained-slope']);
  });
});

describe('documents to hold', () => {
  /** @type {[string, number, number, number, number][]} */
  const cases = [
    ['one small document is repeated to full slabs', 1, 300, 2_560, 49_664],
    ['a thousand are repeated whole', 1000, 300_000, 2_000, 48_000],
    ['more than are repeated are held once', 20_000, 5_000_000, 20_000, 49_664],
    ['a million are held all, with the first of them in the snapshot', 1e6, 280e6, 64_000, 1e6],
    ['large documents are few', 1, 2_500_000, 4, 12],
    ['documents as large as anything are still four', 1, 50e6, 4, 4],
  ];
  test.each(cases)('%s', (_, documentCount, sizeBytes, inSnapshot, inSlope) => {
    const jobs = planMemoryJobs(question, [{ ...corpora[0], documentCount, sizeBytes }]);
    const heldIn = (/** @type {string} */ name) => jobs.find(({ kind }) => kind === name);
    expect(heldIn('retained-snapshot')?.documentCount).toBe(inSnapshot);
    expect(heldIn('retained-slope')?.documentCount).toBe(inSlope);
  });
});

describe('memory jobs at the same time', () => {
  /** @type {typeof question} */
  const paired = { ...question, schedule: 'paired' };
  /** @type {(asked: typeof question, of: typeof corpora) => Record<string, number[]>} sizes of groups by kind */
  const sizesOf = (asked, of) => {
    /** @type {Record<string, Set<number>>} */
    const sizes = {};
    for (const group of groupMemoryJobs(planMemoryJobs(asked, of), asked, of)) {
      (sizes[group[0].kind] ??= new Set()).add(group.length);
    }
    return Object.fromEntries(Object.entries(sizes).map(([kind, found]) => [kind, [...found]]));
  };

  test('are two of those that hold documents, and one of those that run an operation', () => {
    expect(sizesOf(paired, corpora)).toEqual({
      allocation: [1],
      collections: [1],
      'retained-snapshot': [2],
      'retained-slope': [2],
    });
  });

  test('are one where the schedule has one at a time, or where large corpora are held', () => {
    expect(Object.values(sizesOf(question, corpora)).flat()).toEqual([1, 1, 1, 1]);
    const large = corpora.map((corpus) => ({ ...corpus, sizeBytes: 2 ** 26 }));
    expect(sizesOf(paired, large)).toEqual({ 'retained-snapshot': [1], 'retained-slope': [1] });
  });
});
