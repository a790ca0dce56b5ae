import { gatherPool } from '../fuzz.js';
import { Draft, FastChance } from './draft.js';
import { VARIATION_NAMES, drawDocument } from './vary.js';

const DOCUMENTS = 30_000;
const pool = gatherPool({ seed: 1, casesPaths: [] });

/** @param {number} first number of the first document */
function* draw(first, count = DOCUMENTS) {
  const [draft, chance] = [new Draft(), new FastChance()];
  for (let number = first; number < first + count; number++) {
    const handling = drawDocument(draft, pool, chance, { seed: 1, number });
    yield { ...handling, hex: draft.bytes.toString('hex', 0, draft.length) };
  }
}

test('every kind occurs, with and without options, also known documents unchanged', () => {
  /** @type {Record<string, { count: number, read: number, written: number, changed: number }>} */
  const kinds = {};
  for (const { kind, readOptions, writeOptions } of draw(0)) {
    const tally = (kinds[kind] ??= { count: 0, read: 0, written: 0, changed: 0 });
    const { change, ...options } = writeOptions;
    tally.count++;
    if (Object.keys(readOptions).length > 0) tally.read++;
    if (Object.keys(options).length > 0) tally.written++;
    if (change !== undefined) tally.changed++;
  }
  const { flood, ...others } = kinds;
  expect(flood.count).toBeGreaterThan(DOCUMENTS / 1_000);
  expect(Object.keys(others).sort()).toEqual(['mutation', 'the same', ...VARIATION_NAMES].sort());
  for (const { count, read, written, changed } of Object.values(others)) {
    expect(count).toBeGreaterThan(DOCUMENTS / 200);
    expect(Math.min(read, written, changed)).toBeGreaterThan(0);
  }
  expect(others['the same'].count).toBeGreaterThan(DOCUMENTS / 10);
});

test('a row repeats its document often enough for an implementation to adapt to it', () => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { kind, hex } of draw(0, 3_000)) {
    if (kind === 'the same') counts.set(hex, (counts.get(hex) ?? 0) + 1);
  }
  expect([...counts.values()].filter((count) => count >= 15).length).toBeGreaterThan(5);
});

test('the same seed and number give the same document, whatever the first one', () => {
  const all = [...draw(1_000, 300)];
  expect([...draw(1_200, 100)]).toEqual(all.slice(200));
});
