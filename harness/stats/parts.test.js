import { makeManifest } from '../../reports/fixtures/build.js';
import { partitionCells } from './parts.js';

const { question } = makeManifest();
const { cells } = question;

describe('the parts of a plan', () => {
  test.each([1, 2, 3, 4, 5, 6])('have every cell once, evenly: %i parts', (count) => {
    const parts = partitionCells(question, count);
    const idsOf = (/** @type {typeof cells} */ list) => list.map(({ id }) => id).sort();
    expect(idsOf(parts.flat())).toEqual(idsOf(cells));
    for (const wanted of [cells, cells.slice(0, 3), cells.slice(3)]) {
      const counts = parts.map((part) => part.filter((cell) => wanted.includes(cell)).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  });

  test('are in the order of the plan', () => {
    const [first] = partitionCells(question, 2);
    expect(first.map(({ id }) => id)).toEqual([
      'serialize flat',
      'serialize full',
      'deserialize deep',
    ]);
  });

  test('keep the cells of a corpus together if memory is measured', () => {
    for (const memory of /** @type {const} */ (['too', 'only'])) {
      const parts = partitionCells({ ...question, memory }, 2);
      expect(parts.map((part) => [...new Set(part.map(({ corpus }) => corpus))])).toEqual([
        ['flat', 'full'],
        ['deep'],
      ]);
      expect(() => partitionCells({ ...question, memory }, 4)).toThrow(
        /4 shards are too many for 3 corpora, whose cells stay together for their memory/,
      );
    }
  });

  test('keep cells that differ only in their runtime together', () => {
    const runtimes = ['node@20.20.0', 'node@22.11.0', 'bun@1.4.5'];
    const under = cells.flatMap((cell) =>
      runtimes.map((runtime) => ({ ...cell, id: `${cell.id} ${runtime}`, runtime })),
    );
    for (const part of partitionCells({ ...question, cells: under }, 3)) {
      expect(part.map(({ runtime }) => runtime)).toEqual([...runtimes, ...runtimes]);
    }
    expect(() => partitionCells({ ...question, cells: under }, 7)).toThrow(
      /7 shards are too many for 6 pairs of operation and corpus/,
    );
  });

  test('are refused if there are more than cells', () => {
    expect(() => partitionCells(question, 7)).toThrow(/7 shards are too many for 6 cells/);
  });
});
