import { describe, expect, test } from '@jest/globals';
import { displayWidth } from '../../../harness/lib/columns.js';
import { renderHtml, renderTerminal } from '../../fixtures/render.js';
import { makeCell, makeEmptyCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { recordedRun } from '../../fixtures/runs.js';
import { arrangeByNode } from './runtimes.js';

/**
 * @param {string} corpus
 * @param {string} [node] exact version
 */
function cellUnder(corpus, node) {
  return makeCell({
    operation: 'serialize',
    corpus,
    verdict: 'faster',
    ratio: [0.4, 0.5, 0.6],
    ...(node === undefined ? {} : { node }),
  });
}

describe('the matrix by version of Node', () => {
  test('has a row an operation and corpus and versions in the order of their numbers', () => {
    const { manifest, verdict } = recordedRun('runtimes');
    verdict.cells.reverse();
    const matrix = arrangeByNode(manifest, verdict);
    expect(matrix?.versions).toEqual(['20.20.2', '22.11.0', '24.1.0']);
    expect(matrix?.rows.map(({ operation, corpus }) => `${operation} ${corpus}`)).toEqual([
      'deserialize deep',
      'deserialize flat',
      'serialize deep',
      'serialize flat',
    ]);
    expect(matrix?.rows.map(({ entries }) => entries.map((one) => one?.cell.node))).toEqual(
      Array(4).fill(['20.20.2', '22.11.0', '24.1.0']),
    );
  });

  test('sorts 9 before 10', () => {
    const verdict = makeVerdict([cellUnder('flat', '20.10.0'), cellUnder('flat', '20.9.0')]);
    expect(arrangeByNode(makeManifest(), verdict)?.versions).toEqual(['20.9.0', '20.10.0']);
  });

  test('takes a cell without a version for one of the Node that ran Assay', () => {
    const verdict = makeVerdict([cellUnder('flat', '22.11.0'), cellUnder('flat')]);
    const matrix = arrangeByNode(makeManifest(), verdict);
    expect(matrix?.versions).toEqual(['20.20.2', '22.11.0']);
    expect(matrix?.rows[0]?.entries.map((one) => one?.cell.node)).toEqual([undefined, '22.11.0']);
  });

  test('leaves a place empty that was not measured', () => {
    const cells = [cellUnder('flat', '20.20.2'), cellUnder('deep', '22.11.0')];
    const rows = arrangeByNode(makeManifest(), makeVerdict(cells))?.rows;
    expect(rows?.map(({ entries }) => entries.map((one) => one === null))).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('is not there for one version, nor without any ratio', () => {
    const one = makeVerdict([cellUnder('flat', '22.11.0'), cellUnder('deep', '22.11.0')]);
    expect(arrangeByNode(makeManifest(), one)).toBeNull();
    const empty = ['20.20.2', '22.11.0'].map((node) => {
      const comparison = makeEmptyCell('serialize', 'flat', 'inconclusive');
      return { ...comparison, cell: { ...comparison.cell, node } };
    });
    expect(arrangeByNode(makeManifest(), makeVerdict(empty))).toBeNull();
  });
});

describe('the table by version of Node', () => {
  test('shows ratio and interval of three versions within 80 columns of a terminal', () => {
    const text = renderTerminal(recordedRun('runtimes'));
    expect(text).toContain(
      ' flat   ▼ 0.420 0.405–0.435  ▼ 0.550 0.531–0.569  ▼ 0.680 0.656–0.704\n',
    );
    expect(text).toContain('\n▼ faster, ? inconclusive.\n');
  });

  test('continues below with a fourth version', () => {
    const run = recordedRun('runtimes');
    const added = run.verdict.cells
      .filter(({ cell }) => cell.node === '24.1.0')
      .map((comparison) => ({ ...comparison, cell: { ...comparison.cell, node: '26.0.0' } }));
    const cells = [...run.verdict.cells, ...added];
    const text = renderTerminal({ ...run, verdict: { ...run.verdict, cells } });
    expect(text).toContain('\ncorpus  26.0.0\nserialize\n flat   ▼ 0.680 0.656–0.704\n');
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });

  test('has headers for its columns and rows on a page', () => {
    const page = renderHtml(recordedRun('runtimes'));
    const table = /<table class="cells runtimes">[^]*?<\/table>/.exec(page)?.[0] ?? '';
    expect(table.match(/<th scope="col">Node [\d.]+<\/th>/g)).toHaveLength(3);
    expect(table.match(/<th scope="row"/g)).toHaveLength(4);
    expect(table.match(/class="badge/g)).toHaveLength(12);
  });
});
