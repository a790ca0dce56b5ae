import { makeManifest } from '../../reports/fixtures/build.js';
import { collectWarnings, noteCells } from './notes.js';

/** @import { Capability, CellComparison, Environment, HostNoise, Question, RunPart } from '../formats/types.ts' */

const { question } = makeManifest();

/** @param {RunPart[]} parts of a merged run */
function noteOfParts(parts) {
  return collectWarnings(question, [], {
    ended: 'complete',
    environment: null,
    hostNoise: null,
    parts,
  });
}

/** @type {(shard: number, environment?: Partial<Environment>, hostNoise?: Partial<HostNoise>) => RunPart} */
function makePart(shard, environment = {}, hostNoise = {}) {
  return {
    runId: `shard-${shard}`,
    shard,
    cellIds: [],
    environment: { ...makeManifest().environment, ...environment },
    hostNoise: { stealShare: null, othersShare: null, throttledMs: null, ...hostNoise },
  };
}

test('machines of one kind have no note, whatever their load', () => {
  const parts = [makePart(1), makePart(2, { runnableProcesses: 9 })];
  expect(noteOfParts(parts)).toEqual([]);
});

test.each([
  ['processor', { cpuModel: 'Other CPU' }],
  ['number of processors', { cpuCount: 4 }],
  ['memory', { memoryBytes: 16 * 2 ** 30 }],
  ['kernel', { kernel: '6.12.0' }],
  ['Node', { node: 'v22.1.0' }],
])('another %s is another kind of machine', (_name, environment) => {
  const [note] = noteOfParts([makePart(1), makePart(2, environment), makePart(3)]);
  expect(note.kind).toBe('several-hosts');
  expect(note.text).toMatch(/^Measured on 2 kinds of machine: Parts 1, 3: AMD.*; Part 2: /);
});

test('notes of one kind on several parts are one note', () => {
  const notes = noteOfParts([
    makePart(1),
    makePart(2, {}, { stealShare: 0.2 }),
    makePart(4, {}, { stealShare: 0.3 }),
  ]);
  expect(notes).toEqual([
    {
      number: 1,
      kind: 'steal',
      text: 'Part 2: the hypervisor gave 20 % of the CPU time to other machines while jobs were timed. Part 4: the hypervisor gave 30 % of the CPU time to other machines while jobs were timed.',
    },
  ]);
});

test('documents that an import changed are named once, with how many values', () => {
  const [orders, users] = [
    { name: 'orders', changedValues: 3 },
    { name: 'users', changedValues: 1 },
  ];
  const context = /** @type {const} */ ({ ended: 'complete', environment: null, hostNoise: null });
  const noteOf = (/** @type {{ name: string, changedValues?: number }[]} */ ...corpora) =>
    collectWarnings(question, [], { ...context, corpora }).map(({ text }) => text);
  expect(noteOf({ name: 'flat' })).toEqual([]);
  expect(noteOf(orders, { name: 'flat' }, orders, users)).toEqual([
    expect.stringMatching(/files: 3 values of orders and 1 value of users changed when /),
  ]);
});

describe('what a runtime cannot provide', () => {
  const bun = {
    runtime: 'bun@1.4.5',
    lacks: /** @type {Capability[]} */ (['collections', 'v8-log', 'heap-profile']),
  };
  const noteOf = (/** @type {Partial<Question>} */ changes, runtimes = [bun]) =>
    collectWarnings({ ...question, ...changes }, [], {
      ended: 'complete',
      environment: null,
      hostNoise: null,
      runtimes,
    });

  test('is one note, as far as the run would have it', () => {
    const [note, ...others] = noteOf({ explain: 'none', recorders: [], memory: 'none' });
    expect(others).toEqual([]);
    expect(note.kind).toBe('runtime-lacks');
    expect(note.text).toMatch(/^Bun 1\.4\.5 has no times of garbage collections: .* the mean of/);
    const [explained] = noteOf({ explain: 'differing' });
    expect(explained.text).toContain(
      'times of garbage collections, deoptimisations and allocation sites: ',
    );
  });

  test('is no note for a version of Node', () => {
    expect(noteOf({}, [{ runtime: 'node@24.21.0', lacks: [] }])).toEqual([]);
  });
});

test('a note on many cells names the first of them', () => {
  const kind = {
    kind: 'slow',
    figure: (/** @type {{ comparison: CellComparison }} */ { comparison: { cell } }) =>
      cell.corpus === 'flat' ? '' : '9 %',
    text: (/** @type {string} */ cells) => `Slow: ${cells}. Why.`,
  };
  const noteOf = (/** @type {number} */ count) => {
    const cells = Array.from({ length: count }, (_, index) => {
      const cell = { id: `cell ${index}`, operation: 'serialize', corpus: index ? 'deep' : 'flat' };
      const comparison = /** @type {CellComparison} */ (
        /** @type {unknown} */ ({ cell, warnings: [] })
      );
      return { comparison };
    });
    const [note] = noteCells([kind], cells, 3);
    expect(cells.every(({ comparison }) => comparison.warnings[0] === 3)).toBe(true);
    return note;
  };
  expect(noteOf(1)).toMatchObject({ text: 'Slow: cell 0. Why.' });
  expect(noteOf(1).short).toBeUndefined();
  const two = { text: 'Slow: cell 0, cell 1 (9 %). Why.', short: 'Slow: cell 0, cell 1' };
  expect(noteOf(2)).toMatchObject(two);
  expect(noteOf(12).text).toMatch(/cell 10 \(9 %\), cell 11 \(9 %\)\. Why\.$/);
  expect(noteOf(12).short).toBe('Slow: cell 0 and 11 other cells');
  expect(noteOf(56).text).toMatch(/^Slow: cell 0, .*, cell 5 \(9 %\) and 50 other cells\. Why\.$/);
});

test('a note whose kind counts names no cells of many', () => {
  const kind = {
    ...{
      kind: 'blind',
      text: (/** @type {string} */ of) => `Blind: ${of}.`,
      countsMany: /** @type {const} */ (true),
    },
    figure: (/** @type {any} */ { comparison }) => comparison.cell.unchecked ?? null,
  };
  const noteOf = (/** @type {(string | undefined)[]} */ ...figures) => {
    const cells = figures.map((unchecked, index) => ({
      comparison: /** @type {CellComparison} */ (
        /** @type {unknown} */ ({ cell: { id: `cell ${index}`, unchecked }, warnings: [] })
      ),
    }));
    return noteCells([kind], cells, 1)[0];
  };
  expect(noteOf('dark', 'dark', undefined).text).toBe('Blind: cell 0 (dark), cell 1 (dark).');
  expect(noteOf('dark', 'dark', 'dark', 'dark').text).toBe('Blind: all 4 cells (dark).');
  expect(noteOf('dark', 'fog', 'dark', 'fog', 'dark', undefined)).toEqual({
    ...{ number: 1, kind: 'blind' },
    text: 'Blind: 5 of 6 cells (3: dark; 2: fog).',
  });
});
