import { describe, expect, test } from '@jest/globals';
import { explainRun } from './explain-run.js';
import { bothSides, makeEvidence, makeProcesses, makeProfile } from './fixtures/make-evidence.js';

/** @import { CellEvidence } from './types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */

const WRITE = 'js write codec/write.js';

/** @param {Profile[]} baseline @param {Profile[]} candidate */
function stacksOf(baseline, candidate) {
  return { perf: { baseline, candidate }, 'v8-cpu-profile': bothSides([]) };
}

/** @param {Partial<CellEvidence>} rest */
function warningsOf(rest) {
  return explainRun([makeEvidence({}, rest)], 7).warnings;
}

/** @param {number[]} weights */
function processesOf(weights) {
  return weights.map((weight) => makeProfile({ [WRITE]: weight }));
}

describe('a run without anything to explain', () => {
  test('has no cells and no notes', () => {
    expect(explainRun([], 1)).toEqual({ cells: [], warnings: [] });
  });
});

describe('the notes', () => {
  test('are silent where the profiled ratio agrees with the timed one', () => {
    const stacks = stacksOf(processesOf([500, 510, 490]), processesOf([1000, 1010, 990]));
    expect(warningsOf({ stacks })).toEqual([]);
  });

  test('name a recorder that changes the ratio, numbered from the number given', () => {
    const stacks = stacksOf(processesOf([500, 510, 490]), processesOf([1500, 1510, 1490]));
    expect(warningsOf({ stacks })).toEqual([
      {
        number: 7,
        kind: 'profile-slows',
        text: expect.stringContaining('serialize flat (ratio 3.000 instead of 2.000)'),
      },
    ]);
  });

  test('name a side whose processes differ', () => {
    const stacks = stacksOf(processesOf([500, 510, 490]), processesOf([500, 1000, 2000]));
    const [warning] = warningsOf({ stacks });
    expect(warning.kind).toBe('profile-noisy');
    expect(warning.text).toContain('serialize flat (candidate 69');
  });

  test("say once that V8's own profile stands in for perf, and why", () => {
    const profiles = makeProcesses({ [WRITE]: 500 });
    const twice = makeProcesses({ [WRITE]: 1000 });
    const evidence = makeEvidence(
      {},
      {
        stacks: {
          perf: bothSides([]),
          'v8-cpu-profile': { baseline: profiles, candidate: twice },
        },
        missing: [{ recorder: 'perf', reason: 'perf is not installed' }],
      },
    );
    const { warnings } = explainRun([evidence, evidence], 1);
    expect(warnings.map(({ kind }) => kind)).toEqual(['perf-missing']);
    expect(warnings[0].text).toContain('(perf is not installed): serialize flat, serialize flat.');
  });

  test('repeat what a failed recorder said, with the cell and the side', () => {
    const failures = [
      { recorder: 'deopts', arm: /** @type {const} */ ('candidate'), detail: 'no log' },
    ];
    const kinds = warningsOf({ failures });
    expect(kinds.map(({ kind }) => kind)).toEqual(['recorder-failed', 'few-profiles']);
    expect(kinds[0].text).toBe("The recorder 'deopts' failed: no log (serialize flat, candidate).");
  });

  test('miss no profiles where none were asked for', () => {
    const { cells, warnings } = explainRun([makeEvidence({}, { isProfiled: false })], 1);
    expect(warnings).toEqual([]);
    const text = cells[0].paragraph.join(' ');
    expect(text).toContain('Functions were not profiled');
    expect(text).not.toContain('Too few');
  });

  test('count what else a recorder said', () => {
    const failures = ['no a', 'no b', 'no c'].map((detail) => ({
      recorder: 'deopts',
      arm: /** @type {const} */ ('candidate'),
      detail,
    }));
    expect(warningsOf({ failures })[0].text).toBe(
      "The recorder 'deopts' failed: no a, and 2 more failures (serialize flat, candidate).",
    );
  });
});

describe('beside the functions', () => {
  test('allocation is compared by function, and told with its largest change', () => {
    const bytes = /** @type {const} */ ({ unit: 'bytes', source: 'v8-heap-profile' });
    /** @param {number} more */
    const heapsOf = (more) =>
      [990, 1000, 1010].map((base) =>
        makeProfile({ [WRITE]: base, 'js fields codec/fields.js': more + base / 10 }, bytes),
      );
    const [cell] = explainRun(
      [makeEvidence({}, { allocations: { baseline: heapsOf(0), candidate: heapsOf(500) } })],
      1,
    ).cells;
    expect(cell.allocations).toHaveLength(1);
    expect(cell.allocations[0]).toMatchObject({ name: 'fields', file: 'codec/fields.js', line: 7 });
    expect(cell.allocations[0].change.estimate).toBeCloseTo(500, 6);
    expect(cell.paragraph.join(' ').replaceAll('\u00a0', ' ')).toContain(
      'A document allocates 1 600 bytes instead of 1 100 bytes (+45 %); the largest part is fields with 500 bytes more.',
    );
  });

  test('collections are summed over the processes', () => {
    const window = { documents: 500, wallMs: 100, collections: { scavenge: { count: 2, ms: 5 } } };
    const [cell] = explainRun(
      [makeEvidence({}, { collections: { baseline: [window, window], candidate: [] } })],
      1,
    ).cells;
    expect(cell.collections).toEqual({
      baseline: { perThousand: { scavenge: 4 }, timeShare: 0.05 },
      candidate: null,
    });
  });

  test('whole processes get a ratio with an interval', () => {
    const wholeProcess = {
      baseline: describeTimes([100, 102, 98, 101]),
      candidate: describeTimes([110, 112, 108, 111]),
    };
    const figures = { instructions: bothSides(null), wholeProcess };
    const [cell] = explainRun([makeEvidence({}, { figures })], 1).cells;
    expect(cell.wholeProcess?.ratio.estimate).toBeCloseTo(1.1, 2);
    expect(cell.wholeProcess?.ratio.low).toBeGreaterThan(1.05);
  });
});

/** @param {number[]} timesMs */
function describeTimes(timesMs) {
  const kind = /** @type {const} */ ('whole-process');
  const meanMs = timesMs.reduce((sum, timeMs) => sum + timeMs, 0) / timesMs.length;
  return { kind, meanMs, standardDeviationMs: 1, timesMs };
}
