import { renderTerminal } from '../document/terminal.js';
import { makeManifest } from '../fixtures/build.js';
import { describeReplay } from './replay.js';

/** @import { ReplayResult } from '../../harness/formats/types.ts' */

const { formatVersion, assay, environment } = makeManifest();

/** @type {ReplayResult} */
const RESULT = {
  formatVersion,
  runId: '20261121-120000-generator-vs-linked-list',
  createdAt: '2026-11-21T12:00:00.000Z',
  command: 'just replay report.html',
  report: {
    runId: '20250612-101502-generator-linked-list-7f3a',
    createdAt: '2025-06-12T10:15:02.417Z',
    assay,
    baseline: 'generator',
    candidates: ['linked-list'],
    environment,
  },
  assay,
  environment,
  ended: 'complete',
  answer: 'environment-differs',
  cells: [
    {
      cellId: 'serialize flat',
      recorded: { verdict: 'faster', ratio: { estimate: 0.4231, low: 0.41, high: 0.436 } },
      here: { verdict: 'faster', ratio: { estimate: 0.43, low: 0.42, high: 0.44 } },
      answer: 'reproduced',
      reason: null,
    },
    {
      cellId: 'deserialize nested-documents:1000@deserialized node 22.11.0',
      recorded: { verdict: 'faster', ratio: { estimate: 0.8133, low: 0.79, high: 0.835 } },
      here: { verdict: 'equivalent', ratio: { estimate: 1.002, low: 0.99, high: 1.014 } },
      answer: 'not-reproduced',
      reason: 'the intervals do not meet',
    },
  ],
  differences: [{ part: 'processor', recorded: 'AMD EPYC 7B13', here: 'Intel Xeon \u001b[2J' }],
  notes: ['memory is not replayed: the record holds no figures of it'],
};

describe('what a replay prints', () => {
  const text = renderTerminal(describeReplay(RESULT, 'reports/runs/x'), { width: 120 });

  test('begins with the answer', () => {
    expect(text.split('\n')[0]).toBe(
      'Not reproduced; the environment differs: 1 of 2 cells reproduced, 1 not reproduced.',
    );
  });

  test('has both figures of a cell in one row', () => {
    expect(text).toMatch(
      /serialize flat +reproduced +0\.423 +0\.410–0\.436 +0\.430 +0\.420–0\.440/,
    );
  });

  test('groups the candidates of a cell if there are several', () => {
    const [first, second] = RESULT.cells;
    const cells = [
      { ...first, cellId: 'serialize flat linked-list' },
      { ...second, cellId: 'serialize flat path:../there' },
    ];
    const report = { ...RESULT.report, candidates: ['linked-list', 'path:../there'] };
    const several = renderTerminal(describeReplay({ ...RESULT, report, cells }, 'x'), {
      width: 80,
    });
    expect(several).toMatch(/^candidate +answer .*\nserialize.flat\n linked-list +reproduced/m);
    expect(several).toMatch(/^ path:\.\.\/there +not reproduced/m);
    const moved = { ...report, candidates: ['linked-list', 'path:../here'] };
    expect(
      renderTerminal(describeReplay({ ...RESULT, report: moved, cells }, 'x'), { width: 120 }),
    ).toMatch(/^serialize.flat.path:\.\.\/there\n – +not reproduced/m);
  });

  test('names what differs between the hosts, and what was done otherwise', () => {
    expect(text).toContain('processor: AMD EPYC 7B13 in the report, Intel Xeon');
    expect(text).toContain('memory is not replayed');
  });
});
