import { describe, expect, test } from '@jest/globals';
import { explainCell, explainRun } from './explain-cell.js';
import { bothArms, makeEvidence, makeProcesses, makeProfile } from './fixtures/make-evidence.js';
import { readRecorded, readRecordedControl } from './fixtures/read-recorded.js';

/** @import { CellExplanation } from '../../formats/types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { CellEvidence } from './types.ts' */

const SHARED = 'js writeElement codec/write-element.js';
const FLAT = [
  'A document takes 27.5 µs instead of 12.2 µs: 15.3 µs more (+125 %).',
  "More time goes into Object.entries (13.7 µs, 90 % of the difference, only the candidate runs it), the variants' own functions (2.40 µs, 16 %), garbage collection (832 ns, 5.4 %), resuming generators (501 ns, 3.3 %, only the candidate runs it) and array iterators (422 ns, 2.8 %, only the candidate runs it).",
  'Less time goes into Object.keys (2.09 µs, only the baseline runs it) and property reads that V8 did not inline (891 ns).',
  "Within the variants' own functions: in the candidate, writeDocument 3.62 µs and generateFields 848 ns; in the baseline, writeFields 2.36 µs.",
  "V8 keeps the only object as a hash table (dictionary mode; the largest has 145 keys), for which Object.entries and Object.keys cannot take V8's fast path.",
  'Together that is 98 % of the difference; the remaining 371 ns is spread over changes that are each too small or too uncertain to name.',
  'Garbage collection runs 13 times per 1000 documents instead of 1.5 (pauses of 0.15 ms instead of 0.35 ms) and takes 6.8 % of the time instead of 4.4 %.',
].join('\n');
const NOTHING = 'No function takes measurably more or less time than in the baseline.';

/** @param {Profile[]} baseline @param {Profile[]} candidate */
function perfOf(baseline, candidate) {
  return { perf: { baseline, candidate }, 'v8-cpu-profile': bothArms([]) };
}

/** @param {CellExplanation} explanation */
function textOf({ paragraph }) {
  return paragraph.join('\n').replaceAll('\u00a0', ' ');
}

/** @param {CellExplanation} explanation @param {string} name */
function causeOf({ causes }, name) {
  return causes.find((cause) => cause.name.startsWith(name));
}

describe('a builtin that only the candidate calls', () => {
  const explanation = explainCell(
    makeEvidence(
      {},
      {
        // Profiled at another pace than timed: 500 and 1000 ns against 1000 and 2000 ns.
        stacks: perfOf(
          makeProcesses({ [SHARED]: 400, 'builtin ObjectKeys': 100 }),
          makeProcesses({ [SHARED]: 400, 'builtin ObjectEntries': 500, 'gc (gc)': 100 }),
        ),
      },
    ),
  );

  test('is scaled to the timed nanoseconds and named as in JavaScript', () => {
    expect(causeOf(explanation, 'Object.entries')?.change.estimate).toBeCloseTo(1000, -1);
    expect(causeOf(explanation, 'Object.keys')?.change.estimate).toBeCloseTo(-200, -1);
    expect(causeOf(explanation, 'garbage collection')?.share).toBeCloseTo(0.2, 1);
    expect(explanation.profiled.baseline).toBeCloseTo(500, 0);
    expect(textOf(explanation)).toContain(
      'Object.entries (1.00 µs, 100 % of the difference, only the candidate runs it)',
    );
  });

  test('leaves changes that sum to the timed difference', () => {
    const { functions, rest, causes, measured } = explanation;
    const ofFunctions = functions.reduce((sum, { self }) => sum + self.estimate, rest.selfNs);
    const ofCauses = causes.reduce((sum, { change }) => sum + change.estimate, 0);
    expect(measured).toMatchObject({ estimate: 1000, low: 960, high: 1040 });
    expect(ofFunctions).toBeCloseTo(1000, 6);
    expect(ofCauses).toBeCloseTo(1000, 6);
  });

  test('has no figure of the baseline in the table of functions', () => {
    const entries = explanation.functions.find(({ name }) => name === 'ObjectEntries');
    expect(entries?.baseline).toBeNull();
    expect(entries?.self.low).toBeGreaterThan(900);
  });
});

describe("a program of the family's own", () => {
  const explanation = explainCell(
    makeEvidence(
      {},
      {
        loop: ['run_passes'],
        stacks: perfOf(
          makeProcesses({
            'code worker::run_passes': 100,
            'code codec::next_event': 300,
            'code codec::peek': 100,
          }),
          makeProcesses({
            'code worker::run_passes': 120,
            'code codec::next_event': 700,
            'code codec::clone': 180,
          }),
        ),
      },
    ),
  );

  test('is explained by its functions and its loop', () => {
    expect(explanation.causes.map(({ name }) => name)).toEqual([
      'codec::next_event',
      'functions run by only one arm (codec::peek → codec::clone)',
      'the measured loop, including code inlined into it',
      'other functions (small or unclear)',
    ]);
    expect(causeOf(explanation, 'codec::next_event')?.share).toBeCloseTo(0.8, 1);
    expect(explanation.functions[0]).toMatchObject({ name: 'codec::next_event', kind: 'code' });
  });

  test('is explained without terms of JavaScript', () => {
    const text = textOf(explanation);
    expect(text).toContain('Within functions run by only one arm (including inlined code)');
    expect(text).not.toMatch(/V8|JavaScript|builtin|collector|hidden class/i);
    expect(explanation.collections).toEqual(bothArms(null));
  });
});

describe('functions in files that only one arm runs', () => {
  const explanation = explainCell(
    makeEvidence(
      {},
      {
        stacks: perfOf(
          makeProcesses({ 'js writeFields a/recursive.js': 700, [SHARED]: 300 }),
          makeProcesses({
            'js writeDocument a/generator.js': 1000,
            'js generateFields a/generator.js': 700,
            [SHARED]: 300,
          }),
        ),
      },
    ),
  );

  test('share one heading', () => {
    const own = causeOf(explanation, "the variants' own functions");
    expect(own?.name).toContain('(writeFields → writeDocument, generateFields)');
    expect(own?.change.estimate).toBeCloseTo(1000, -1);
    expect(causeOf(explanation, 'generateFields')).toBeUndefined();
    expect(textOf(explanation)).toContain(
      'in the candidate, writeDocument 1.00 µs and generateFields 700 ns',
    );
  });

  test('exclude those of the operation, which V8 inlines in the other arm', () => {
    const reader = 'js readGetters experiments/url/operations/support/read-getters.js';
    const { causes } = explainCell(
      makeEvidence(
        {},
        {
          stacks: perfOf(
            makeProcesses({ 'js takeParts a/callback.js': 700, [SHARED]: 300 }),
            makeProcesses({ [reader]: 900, [SHARED]: 1100 }),
          ),
        },
      ),
    );
    expect(causes.map(({ name }) => name)).toContain(
      "the variants' own functions (takeParts → none)",
    );
  });
});

test('a function in a file of both arms is its own cause', () => {
  const explanation = explainCell(
    makeEvidence(
      {},
      {
        stacks: perfOf(
          makeProcesses({ [SHARED]: 400, 'js checkKey codec/check-key.js': 600 }),
          makeProcesses({ [SHARED]: 1400, 'js checkKey codec/check-key.js': 600 }),
        ),
      },
    ),
  );
  expect(causeOf(explanation, 'writeElement')?.change.estimate).toBeCloseTo(1000, -1);
  expect(causeOf(explanation, 'other functions (small or unclear)')?.change.estimate).toBeCloseTo(
    0,
    -2,
  );
});

test('functions beyond the fortieth are summed up', () => {
  const names = Array.from({ length: 60 }, (_, index) => `js f${index} codec/many.js`);
  const explanation = explainCell(
    makeEvidence(
      {},
      {
        stacks: perfOf(
          makeProcesses(Object.fromEntries(names.map((name) => [name, 10]))),
          makeProcesses(Object.fromEntries(names.map((name) => [name, 20]))),
        ),
      },
    ),
  );
  const { functions, rest } = explanation;
  expect(functions.length + rest.functions).toBe(61);
  expect(functions).toHaveLength(40);
  const listed = functions.reduce((sum, { self }) => sum + self.estimate, 0);
  expect(listed + rest.selfNs).toBeCloseTo(1000, 6);
});

test('changes too small to name are no cause', () => {
  const names = Array.from({ length: 60 }, (_, index) => `js f${index} codec/many.js`);
  /** @param {number} each @param {Record<string, number>} others */
  const spread = (each, others) =>
    makeProcesses({ ...Object.fromEntries(names.map((name) => [name, each])), ...others });
  const { paragraph } = explainCell(
    makeEvidence(
      {},
      { stacks: perfOf(spread(16, { [SHARED]: 40 }), spread(30, { 'builtin ObjectKeys': 200 })) },
    ),
  );
  const [, unexplained, causes] = paragraph.map((text) => text.replaceAll('\u00a0', ' '));
  expect(unexplained).toMatch(
    /^Only 1\d % of the difference can be attributed; the other \d+ ns is/,
  );
  expect(causes).toBe(
    'More time goes into Object.keys (200 ns, 20 % of the difference, only the candidate runs it).',
  );
  expect(paragraph.join(' ')).not.toContain('other functions');
});

test('a change in the loop is attributed to it even if V8 inlines it in some processes', () => {
  const loop = 'js run experiments/js-bson/operations/serialize.js';
  const explanation = explainCell(
    makeEvidence(
      {},
      {
        stacks: perfOf(
          [0, 20, 25, 15].map((self) => makeProfile({ [SHARED]: 1000 - self, [loop]: self })),
          makeProcesses({ [SHARED]: 1000, [loop]: 1000 }),
        ),
      },
    ),
  );
  expect(explanation.causes[0].name).toBe('the measured loop and unattributed inlined code');
  expect(explanation.causes[0].share).toBeGreaterThan(0.9);
  expect(textOf(explanation)).toContain('More time goes into the measured loop and unattributed');
});

describe('a candidate that is faster', () => {
  const stacks = perfOf(
    makeProcesses({ [SHARED]: 400, 'builtin ObjectEntries': 1600 }),
    makeProcesses({ [SHARED]: 400, 'builtin ObjectKeys': 600 }),
  );
  const times = { baselineNs: 2000, candidateNs: 1000, verdict: /** @type {const} */ ('faster') };
  const evidence = makeEvidence(times, { stacks });

  test('is explained by its savings first', () => {
    expect(explainCell(evidence).paragraph.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      'A document takes 1.00 µs instead of 2.00 µs: 1.00 µs less (−50 %).',
      'Less time goes into Object.entries (1.60 µs, 160 % of the difference, only the baseline runs it).',
      'More time goes into Object.keys (600 ns, only the candidate runs it).',
      'Together that is the whole difference, to within 1 %.',
    ]);
  });

  test('is described by the figure of the cell', () => {
    const cell = { ...evidence.cell.cell, figure: 'server CPU time per request' };
    const explained = explainCell({ ...evidence, cell: { ...evidence.cell, cell } });
    expect(explained.paragraph[0]).toMatch(/^The figure \(server CPU time per request\) is 1/);
  });
});

describe('without perf', () => {
  const stacks = {
    perf: { baseline: [], candidate: makeProcesses({ [SHARED]: 1 }) },
    'v8-cpu-profile': {
      baseline: makeProcesses({ [SHARED]: 400, 'js checkKey codec/check-key.js': 600 }),
      candidate: makeProcesses({ [SHARED]: 1400, 'js checkKey codec/check-key.js': 600 }),
    },
  };

  test("V8's own profiler is used, and the paragraph states what it hides", () => {
    const explanation = explainCell(makeEvidence({}, { stacks }));
    expect(explanation.source).toBe('v8-cpu-profile');
    expect(textOf(explanation)).toContain('does not show builtins');
  });
});

describe('without profiles', () => {
  test('times and the lack of profiles are reported', () => {
    const explanation = explainCell(makeEvidence());
    expect(explanation.source).toBeNull();
    expect(explanation.functions).toEqual([]);
    expect(textOf(explanation)).toBe(
      'A document takes 2.00 µs instead of 1.00 µs: 1.00 µs more (+100 %).\n' +
        'Too few processes were profiled to say which functions differ.',
    );
  });
});

describe('a cell that does not differ', () => {
  const same = makeProcesses({ [SHARED]: 600, 'builtin ObjectKeys': 400 }, 4);
  const times = { candidateNs: 1010, verdict: /** @type {const} */ ('equivalent') };

  test('gets one sentence', () => {
    const evidence = makeEvidence(times, { stacks: perfOf(same, same) });
    expect(explainCell(evidence).paragraph).toEqual([NOTHING]);
  });

  test('names a change that is beyond doubt', () => {
    const other = makeProcesses({ [SHARED]: 500, 'builtin ObjectEntries': 500 });
    const text = textOf(explainCell(makeEvidence(times, { stacks: perfOf(same, other) })));
    expect(text).toContain('The timed difference is inconclusive (+1.0 %');
    expect(text).toContain('Object.entries (505 ns, only the candidate runs it)');
    expect(text).not.toContain('of the difference');
  });

  test('reports instructions if it is inconclusive', () => {
    const counts = { counts: [], kind: /** @type {const} */ ('instructions') };
    const evidence = makeEvidence(
      { ...times, verdict: 'inconclusive' },
      {
        stacks: perfOf(same, same),
        figures: {
          instructions: {
            baseline: { ...counts, perDocument: 10_000 },
            candidate: { ...counts, perDocument: 10_500 },
          },
          wholeProcess: bothArms(null),
        },
      },
    );
    const explanation = explainCell(evidence);
    expect(explanation.instructions?.ratio).toBeCloseTo(1.05);
    expect(textOf(explanation)).toContain('10 500 instructions instead of 10 000 (ratio 1.050)');
  });
});

describe('recorded processes of recursive and generator', () => {
  test('flat: Object.entries on an object in dictionary mode', () => {
    const explanation = explainCell(readRecorded('flat'));
    expect(explanation.causes[0].name).toBe('Object.entries');
    expect(explanation.causes[0].share).toBeGreaterThan(0.8);
    expect(textOf(explanation)).toBe(FLAT);
  });

  test('entries for keys and look-ups agree with the ablations', () => {
    // NODE-7606.md: the generator without entries takes 0.611 of its time with them.
    const explanation = explainCell(readRecorded('flat'));
    const names = ['Object.entries', 'Object.keys', 'property reads'];
    const net = names.reduce(
      (sum, name) => sum + (causeOf(explanation, name)?.change.estimate ?? 0),
      0,
    );
    expect(net / (27_509 * (1 - 0.611))).toBeCloseTo(1, 1);
  });

  test('deep: the generator, its protocol and garbage collection', () => {
    const explanation = explainCell(readRecorded('deep'));
    const names = ['the variants', 'resuming', 'array iterators', 'iterator results', 'garbage'];
    const share = names.reduce((sum, name) => sum + (causeOf(explanation, name)?.share ?? 0), 0);
    expect(explanation.causes[0].name).toMatch(/^the variants' own functions \(writeFields/);
    expect(share).toBeGreaterThan(0.8);
    expect(textOf(explanation)).not.toContain('dictionary');
  });

  test('against itself nothing is mentioned', () => {
    expect(explainCell(readRecordedControl()).paragraph).toEqual([NOTHING]);
  });
});

const WRITE = 'js write codec/write.js';

/** @param {Profile[]} baseline @param {Profile[]} candidate */
function stacksOf(baseline, candidate) {
  return { perf: { baseline, candidate }, 'v8-cpu-profile': bothArms([]) };
}

/** @param {Partial<CellEvidence>} rest */
function warningsOf(rest) {
  return explainRun([makeEvidence({}, rest)], 7).warnings;
}

/** @param {number[]} weights */
function processesOf(weights) {
  return weights.map((weight) => makeProfile({ [WRITE]: weight }));
}

describe('a run without cells to explain', () => {
  test('has no cells and no warnings', () => {
    expect(explainRun([], 1)).toEqual({ cells: [], warnings: [] });
  });
});

describe('warnings', () => {
  test('are absent if the profiled ratio agrees with the timed one', () => {
    const stacks = stacksOf(processesOf([500, 510, 490]), processesOf([1000, 1010, 990]));
    expect(warningsOf({ stacks })).toEqual([]);
  });

  test('report a recorder that changes the ratio, from the given number on', () => {
    const stacks = stacksOf(processesOf([500, 510, 490]), processesOf([1500, 1510, 1490]));
    expect(warningsOf({ stacks })).toEqual([
      {
        number: 7,
        kind: 'profile-slows',
        text: expect.stringContaining('serialize flat (ratio 3.000 instead of 2.000)'),
      },
    ]);
  });

  test('report an arm whose processes vary', () => {
    const stacks = stacksOf(processesOf([500, 510, 490]), processesOf([500, 1000, 2000]));
    const [warning] = warningsOf({ stacks });
    expect(warning.kind).toBe('profile-noisy');
    expect(warning.text).toContain('serialize flat (candidate 69');
  });

  test("report once that V8's own profiler is used instead of perf, and why", () => {
    const profiles = makeProcesses({ [WRITE]: 500 });
    const twice = makeProcesses({ [WRITE]: 1000 });
    const evidence = makeEvidence(
      {},
      {
        stacks: {
          perf: bothArms([]),
          'v8-cpu-profile': { baseline: profiles, candidate: twice },
        },
        missing: [{ recorder: 'perf', reason: 'perf is not installed' }],
      },
    );
    const { warnings } = explainRun([evidence, evidence], 1);
    expect(warnings.map(({ kind }) => kind)).toEqual(['perf-missing']);
    expect(warnings[0].text).toContain('(perf is not installed): serialize flat, serialize flat.');
  });

  test('repeat the message of a failed recorder with cell and arm', () => {
    const failures = [
      { recorder: 'deopts', arm: /** @type {const} */ ('candidate'), detail: 'no log' },
    ];
    const kinds = warningsOf({ failures });
    expect(kinds.map(({ kind }) => kind)).toEqual(['recorder-failed', 'few-profiles']);
    expect(kinds[0].text).toBe("The recorder 'deopts' failed: no log (serialize flat, candidate).");
  });

  test('do not report missing profiles if none were requested', () => {
    const { cells, warnings } = explainRun([makeEvidence({}, { isProfiled: false })], 1);
    expect(warnings).toEqual([]);
    const text = cells[0].paragraph.join(' ');
    expect(text).toContain('Functions were not profiled');
    expect(text).not.toContain('Too few');
  });

  test('count other messages of a recorder', () => {
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

describe('other evidence', () => {
  test('allocation is compared by function and reported with its largest change', () => {
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
    const figures = { instructions: bothArms(null), wholeProcess };
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
