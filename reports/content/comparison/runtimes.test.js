import { displayWidth } from '../../../harness/lib/columns.js';
import { renderTerminal } from '../../fixtures/render.js';
import { makeCell, makeEmptyCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { recordedRun } from '../../fixtures/runs.js';
import { arrangeByRuntime } from './runtimes.js';

/**
 * @param {string} corpus
 * @param {string} [runtime] name and exact version
 */
function cellUnder(corpus, runtime) {
  return makeCell({
    operation: 'serialize',
    corpus,
    verdict: 'faster',
    ratio: [0.4, 0.5, 0.6],
    ...(runtime === undefined ? {} : { runtime }),
  });
}

describe('the matrix by runtime', () => {
  test('has a row an operation and corpus and versions in the order of their numbers', () => {
    const { manifest, verdict } = recordedRun('runtimes');
    verdict.cells.reverse();
    const matrix = arrangeByRuntime(manifest, verdict);
    expect(matrix?.runtimes).toEqual(['Node 20.20.2', 'Node 22.11.0', 'Node 24.1.0']);
    expect(matrix?.rows.map(({ operation, corpus }) => `${operation} ${corpus}`)).toEqual([
      'deserialize deep',
      'deserialize flat',
      'serialize deep',
      'serialize flat',
    ]);
    expect(matrix?.rows.map(({ entries }) => entries.map((one) => one?.cell.runtime))).toEqual(
      Array(4).fill(['node@20.20.2', 'node@22.11.0', 'node@24.1.0']),
    );
  });

  test('sorts 9 before 10', () => {
    const verdict = makeVerdict([
      cellUnder('flat', 'node@20.10.0'),
      cellUnder('flat', 'node@20.9.0'),
    ]);
    expect(arrangeByRuntime(makeManifest(), verdict)?.runtimes).toEqual([
      'Node 20.9.0',
      'Node 20.10.0',
    ]);
  });

  test('takes a cell without a runtime for one of the Node that ran Assay', () => {
    const verdict = makeVerdict([cellUnder('flat', 'node@22.11.0'), cellUnder('flat')]);
    const matrix = arrangeByRuntime(makeManifest(), verdict);
    expect(matrix?.runtimes).toEqual(['Node 20.20.2', 'Node 22.11.0']);
    expect(matrix?.rows[0]?.entries.map((one) => one?.cell.runtime)).toEqual([
      undefined,
      'node@22.11.0',
    ]);
  });

  test('leaves a place empty that was not measured', () => {
    const cells = [cellUnder('flat', 'node@20.20.2'), cellUnder('deep', 'node@22.11.0')];
    const rows = arrangeByRuntime(makeManifest(), makeVerdict(cells))?.rows;
    expect(rows?.map(({ entries }) => entries.map((one) => one === null))).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('is not there for one version, nor without any ratio', () => {
    const one = makeVerdict([cellUnder('flat', 'node@22.11.0'), cellUnder('deep', 'node@22.11.0')]);
    expect(arrangeByRuntime(makeManifest(), one)).toBeNull();
    const empty = ['20.20.2', '22.11.0'].map((node) => {
      const comparison = makeEmptyCell('serialize', 'flat', 'inconclusive');
      return { ...comparison, cell: { ...comparison.cell, node } };
    });
    expect(arrangeByRuntime(makeManifest(), makeVerdict(empty))).toBeNull();
  });
});

describe('the table by runtime', () => {
  test('continues below with a fourth runtime', () => {
    const run = recordedRun('runtimes');
    const added = run.verdict.cells
      .filter(({ cell }) => cell.runtime === 'node@24.1.0')
      .map((comparison) => ({ ...comparison, cell: { ...comparison.cell, runtime: 'bun@1.4.5' } }));
    const cells = [...run.verdict.cells, ...added];
    const text = renderTerminal({ ...run, verdict: { ...run.verdict, cells } });
    expect(text).toContain('\ncorpus  Node 24.1.0\nserialize\n flat   ▼ 0.680 0.656–0.704\n');
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });
});
