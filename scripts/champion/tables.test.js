import { writeTables } from './tables.js';

/** @import { Section } from './tables.js' */

/** @type {Section} */
const HELD_BACK = {
  name: 'held-back',
  title: 'Documents from elsewhere, held back',
  corpora: ['a', 'b'],
  least: 1.2,
};
/** @type {Section} */
const USED = {
  name: 'development',
  title: 'Documents from elsewhere, used',
  corpora: ['c'],
  least: 1.2,
};
/** @type {Section} */
const COLD = { name: 'cold', title: 'Without a warm-up', corpora: ['a'], least: 0.95 };

/** @type {(estimate: number) => { estimate: number, low: number, high: number }} of time */
function ratio(estimate) {
  return { estimate, low: estimate / 2, high: estimate * 2 };
}

/** @type {(section: Section, operation: string, node: string, times: Record<string, number | null>, more?: object) => any} */
function part(section, operation, node, times, more = {}) {
  const known = Object.values(times).filter((time) => time !== null);
  const mean = Math.exp(known.reduce((sum, time) => sum + Math.log(time), 0) / known.length);
  return {
    ...{ section, operation, node },
    verdict: {
      cells: Object.entries(times).map(([corpus, time]) => ({
        cell: { id: `${operation} ${corpus}`, operation, corpus, ...more },
        verdict: time === null ? 'refused' : 'faster',
        effect: time === null ? null : { ratio: ratio(time) },
      })),
      summaries: [{ operation, cellCount: known.length, ratio: ratio(mean), ...more }],
    },
  };
}

test('a row for each corpus, with throughput instead of time', () => {
  const text = writeTables([part(HELD_BACK, 'serialize', '20', { a: 0.5, b: 1 })], [HELD_BACK]);
  expect(text).toContain('## Documents from elsewhere, held back');
  expect(text).toContain('| a | ×2.00 (1.00–4.00) | – | – | – |');
  expect(text).toContain('Below ×1.2: 1 of 2 cells (serialize b, Node 20: ×1.00 (0.50–2.00)).');
});

test('a cell without an effect is empty, and no miss', () => {
  const text = writeTables([part(HELD_BACK, 'serialize', '24', { a: 0.5, b: null })], [HELD_BACK]);
  expect(text).toContain('| b | – | – | – | – |');
  expect(text).toContain(
    'None of 1 cells is below ×1.2. 1 more have no figure. Refused for their output: serialize b.',
  );
});

test('means of several runs count each cell once, and have as many of each Node', () => {
  const parts = [
    part(HELD_BACK, 'deserialize', '20', { a: 0.25, b: 0.25 }),
    part(USED, 'deserialize', '20', { c: 2 }),
    part(USED, 'deserialize', '24', { c: 0.125 }),
  ];
  const text = writeTables(parts, [HELD_BACK, USED]);
  const [row] = text.split('\n').filter((line) => line.startsWith('| All documents'));
  expect(row).toBe(
    '| All documents from elsewhere | – | – | – | ×2.00 (1.00–4.00) | ×8.00 (4.00–16.00) | – |',
  );
});

test('of many cells that miss the aim, the lowest are named', () => {
  const times = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`c${index}`, index + 1]),
  );
  const text = writeTables([part(USED, 'serialize', '20', times)], [USED]);
  expect(text).toContain('9 of 9 cells (the lowest: serialize c8, Node 20: ×0.11 (0.06–0.22); ');
  expect(text).not.toContain('serialize c0');
});

test('without a warm-up, a row for each number of calls, and no part of the means', () => {
  const parts = [
    part(COLD, 'serialize', '20', { a: 2 }, { cold: { calls: 1, withLoad: true } }),
    part(COLD, 'serialize', '20', { a: 1 }, { cold: { calls: 1, withLoad: false } }),
  ];
  const text = writeTables(parts, [COLD]);
  expect(text).toContain('| load and first call | ×0.50 (0.25–1.00) | – | – | – |');
  expect(text).toContain('| first call | ×1.00 (0.50–2.00) | – | – | – |');
  expect(text).toContain('serialize a, load and first call, Node 20: ×0.50');
  expect(text.startsWith('## Without a warm-up')).toBe(true);
});
