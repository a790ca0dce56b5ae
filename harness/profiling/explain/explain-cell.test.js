import { explainCells } from './explain-cell.js';
import {
  bothArms,
  makeEvidence,
  makeProcesses,
  makeProfile,
  readRecorded,
  readRecordedControl,
} from './fixtures/evidence.js';

/** @import { CellExplanation } from '../../formats/types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { CellEvidence } from './types.ts' */

/** @typedef {Record<string, number>} Weights */

const SHARED = 'writeElement@codec/write-element.js';
const CHECK = 'checkKey@codec/check-key.js';
const WRITE = 'write@codec/write.js';
const FLAT = [
  'A document takes 27.5 µs instead of 12.2 µs: 15.3 µs more (+125 %).',
  "More time goes into Object.entries (13.7 µs, 90 % of the difference, only the candidate runs it), the variants' own functions (2.40 µs, 16 %), garbage collection (832 ns, 5.4 %), resuming generators (501 ns, 3.3 %, only the candidate runs it) and array iterators (422 ns, 2.8 %, only the candidate runs it).",
  'Less time goes into Object.keys (2.09 µs, only the baseline runs it) and property reads that V8 did not inline (891 ns).',
  'Together that is 98 % of the difference; the remaining 371 ns is spread over changes that are each too small or too uncertain to attribute.',
  "Within the variants' own functions: in the candidate, writeDocument 3.62 µs and generateFields 848 ns; in the baseline, writeFields 2.36 µs.",
  "V8 keeps the only object as a hash table (dictionary mode; the largest has 145 keys), for which Object.entries and Object.keys cannot take V8's fast path.",
  'Garbage collection runs 13 times per 1000 documents instead of 1.5 (pauses of 0.15 ms instead of 0.35 ms) and takes 6.8 % of the time instead of 4.4 %.',
];
const NOTHING = 'No function takes measurably more or less time than in the baseline.';

/** @param {Profile[]} baseline @param {Profile[]} candidate */
function perfOf(baseline, candidate) {
  return { perf: { baseline, candidate }, 'v8-cpu-profile': bothArms([]) };
}

/** @param {CellEvidence} evidence */
function explainCell(evidence) {
  return explainCells([evidence], 1).cells[0];
}

/**
 * Explains a cell of 1 µs and 2 µs per document from the stacks of four processes per arm.
 *
 * @param {Weights} baseline
 * @param {Weights} candidate
 * @param {Partial<CellEvidence>} [rest]
 */
function explain(baseline, candidate, rest) {
  const stacks = perfOf(makeProcesses(baseline), makeProcesses(candidate));
  return explainCell(makeEvidence({}, { stacks, ...rest }));
}

/** @param {Pick<CellExplanation, 'paragraph'>} explanation */
function linesOf({ paragraph }) {
  return paragraph.map((text) => text.replaceAll('\u00a0', ' '));
}

/** @param {CellExplanation} explanation */
function textOf(explanation) {
  return linesOf(explanation).join('\n');
}

/** @param {CellExplanation} explanation @param {string} name */
function causeOf({ causes }, name) {
  return causes.find((cause) => cause.name.startsWith(name));
}

/** @param {number[]} values */
function sumOf(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

/** @param {number} each @param {Weights} [others] */
function spreadOverMany(each, others) {
  const names = Array.from({ length: 60 }, (_, index) => `f${index}@codec/many.js`);
  return { ...Object.fromEntries(names.map((name) => [name, each])), ...others };
}

describe('a builtin that only the candidate calls', () => {
  // Profiled at half the timed speed: 500 and 1000 ns, timed 1000 and 2000 ns.
  const explanation = explain(
    { [SHARED]: 400, 'builtin:ObjectKeys': 100 },
    { [SHARED]: 400, 'builtin:ObjectEntries': 500, 'gc:(gc)': 100 },
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

  test('has changes of functions and causes that sum to the timed difference', () => {
    const { functions, rest, causes, measured } = explanation;
    expect(measured).toMatchObject({ estimate: 1000, low: 960, high: 1040 });
    const ofFunctions = functions.map(({ self }) => self.estimate);
    expect(sumOf(ofFunctions) + rest.selfNs).toBeCloseTo(1000, 6);
    expect(sumOf(causes.map(({ change }) => change.estimate))).toBeCloseTo(1000, 6);
  });

  test('has no figure for the baseline in the table of functions', () => {
    const entries = explanation.functions.find(({ name }) => name === 'ObjectEntries');
    expect(entries?.baseline).toBeNull();
    expect(entries?.self.low).toBeGreaterThan(900);
  });
});

test("a family's own program is explained by its functions and its loop, without terms of JavaScript", () => {
  const explanation = explain(
    { 'code:worker::run_passes': 100, 'code:codec::next_event': 300, 'code:codec::peek': 100 },
    { 'code:worker::run_passes': 120, 'code:codec::next_event': 700, 'code:codec::clone': 180 },
    { loop: ['run_passes'] },
  );
  expect(explanation.causes.map(({ name }) => name)).toEqual([
    'codec::next_event',
    'functions run by only one arm (codec::peek → codec::clone)',
    'the measured loop, including code inlined into it',
    'other functions (small or unclear)',
  ]);
  expect(causeOf(explanation, 'codec::next_event')?.share).toBeCloseTo(0.8, 1);
  expect(explanation.functions[0]).toMatchObject({ name: 'codec::next_event', kind: 'code' });
  const text = textOf(explanation);
  expect(text).toContain('Within functions run by only one arm (including inlined code)');
  expect(text).not.toMatch(/V8|JavaScript|builtin|collector|hidden class/i);
  expect(explanation.collections).toEqual(bothArms(null));
});

describe('functions in files that only one arm runs', () => {
  test('share one heading', () => {
    const explanation = explain(
      { 'writeFields@a/recursive.js': 700, [SHARED]: 300 },
      {
        'writeDocument@a/generator.js': 1000,
        'generateFields@a/generator.js': 700,
        [SHARED]: 300,
      },
    );
    const own = causeOf(explanation, "the variants' own functions");
    expect(own?.name).toContain('(writeFields → writeDocument, generateFields)');
    expect(own?.change.estimate).toBeCloseTo(1000, -1);
    expect(causeOf(explanation, 'generateFields')).toBeUndefined();
    expect(textOf(explanation)).toContain(
      'in the candidate, writeDocument 1.00 µs and generateFields 700 ns',
    );
  });

  test('exclude those of the operation, which V8 inlines in the other arm', () => {
    const { causes } = explain(
      { 'takeParts@a/callback.js': 700, [SHARED]: 300 },
      {
        'readGetters@experiments/url/operations/support/read-getters.js': 900,
        [SHARED]: 1100,
      },
    );
    expect(causes.map(({ name }) => name)).toContain(
      "the variants' own functions (takeParts → none)",
    );
  });
});

test('a function in a file that both arms run is a cause', () => {
  const explanation = explain({ [SHARED]: 400, [CHECK]: 600 }, { [SHARED]: 1400, [CHECK]: 600 });
  const others = causeOf(explanation, 'other functions (small or unclear)');
  expect(causeOf(explanation, 'writeElement')?.change.estimate).toBeCloseTo(1000, -1);
  expect(others?.change.estimate).toBeCloseTo(0, -2);
});

describe('functions that two revisions have differently', () => {
  /** @param {Weights} weights @param {(name: string) => boolean | undefined} isEdited */
  function mark(weights, isEdited) {
    return makeProcesses(weights).map(({ frames, ...profile }) => ({
      ...profile,
      frames: frames.map((frame) => {
        const edited = isEdited(frame.name);
        return { ...frame, line: 7, ...(edited === undefined ? {} : { edited }) };
      }),
    }));
  }

  /** @param {(name: string) => boolean | undefined} isEdited in the candidate */
  function explainEdits(isEdited) {
    const baseline = mark({ [SHARED]: 400, [CHECK]: 100 }, () => false);
    const candidate = mark({ [SHARED]: 900, [CHECK]: 100 }, isEdited);
    return explainCell(makeEvidence({}, { stacks: perfOf(baseline, candidate) }));
  }

  test('are marked and named with their lines', () => {
    const explanation = explainEdits((name) => name === 'writeElement');
    expect(explanation.functions[0]).toMatchObject({ name: 'writeElement', edited: true });
    expect(explanation.summary).toContain('; edited: writeElement (codec/write-element.js:7)');
    expect(linesOf(explanation)).toContain(
      'Edited between the two revisions: writeElement (codec/write-element.js:7).',
    );
  });

  test('may be those that only one revision has', () => {
    const baseline = mark({ [SHARED]: 400, [CHECK]: 600 }, () => false);
    const candidate = mark({ [SHARED]: 400, [WRITE]: 1600 }, (name) => name === 'write');
    const explanation = explainCell(makeEvidence({}, { stacks: perfOf(baseline, candidate) }));
    expect(linesOf(explanation)[1]).toBe(
      'Edited between the two revisions: write (codec/write.js:7).',
    );
    expect(textOf(explanation).match(/Edited/g)).toHaveLength(1);
  });

  test('may be none of those that take time', () => {
    const explanation = explainEdits(() => false);
    expect(explanation.functions[0]).toMatchObject({ edited: false });
    expect(textOf(explanation)).toContain(
      'Between the two revisions no function was edited that takes 1 %',
    );
  });

  test('are unknown for other variants', () => {
    const stacks = { [SHARED]: 400 };
    const explanation = explain(stacks, stacks);
    expect(explanation.functions[0]).not.toHaveProperty('edited');
    expect(textOf(explanation)).not.toContain('revisions');
  });
});

test('functions beyond the limit of 40 are summed', () => {
  const { functions, rest } = explain(spreadOverMany(10), spreadOverMany(20));
  expect(functions.length + rest.functions).toBe(61);
  expect(functions).toHaveLength(40);
  const listed = sumOf(functions.map(({ self }) => self.estimate));
  expect(listed + rest.selfNs).toBeCloseTo(1000, 6);
});

test('small changes are not named as causes', () => {
  const explanation = explain(
    spreadOverMany(16, { [SHARED]: 40 }),
    spreadOverMany(30, { 'builtin:ObjectKeys': 200 }),
  );
  const [, unexplained, causes] = linesOf(explanation);
  expect(unexplained).toMatch(
    /^Only 1\d % of the difference can be attributed; the other \d+ ns is/,
  );
  expect(causes).toBe(
    'More time goes into Object.keys (200 ns, 20 % of the difference, only the candidate runs it).',
  );
  expect(textOf(explanation)).not.toContain('other functions');
});

test('a change that may be the whole difference is named, though its interval includes none', () => {
  const withCollections = (/** @type {number} */ gc) =>
    makeProfile({ [SHARED]: 1000, 'gc:(gc)': gc });
  const stacks = perfOf(
    makeProcesses({ [SHARED]: 1000, 'builtin:ObjectKeys': 200 }),
    [0, 3000, 200, 2800].map(withCollections),
  );
  const explanation = explainCell(makeEvidence({}, { stacks }));
  expect(causeOf(explanation, 'garbage collection')?.share).toBeGreaterThan(0.5);
  const [, missing, uncertain, ...others] = linesOf(explanation);
  expect(missing).toMatch(/^The profiles do not show where the difference lies: the changes that/);
  expect(uncertain).toMatch(
    /^The largest uncertain change is that of garbage collection: \+.* between −.* and \+/,
  );
  expect(others.join(' ')).not.toContain('Together');
});

test('a change of the loop is attributed to it even if V8 inlines it in some processes', () => {
  const loop = 'run@experiments/js-bson/operations/serialize.js';
  const baseline = [0, 20, 25, 15].map((self) =>
    makeProfile({ [SHARED]: 1000 - self, [loop]: self }),
  );
  const stacks = perfOf(baseline, makeProcesses({ [SHARED]: 1000, [loop]: 1000 }));
  const explanation = explainCell(makeEvidence({}, { stacks }));
  expect(explanation.causes[0].name).toBe('the measured loop and unattributed inlined code');
  expect(explanation.causes[0].share).toBeGreaterThan(0.9);
  expect(textOf(explanation)).toContain('More time goes into the measured loop and unattributed');
});

describe('a faster candidate', () => {
  const stacks = perfOf(
    makeProcesses({ [SHARED]: 400, 'builtin:ObjectEntries': 1600 }),
    makeProcesses({ [SHARED]: 400, 'builtin:ObjectKeys': 600 }),
  );
  const times = { baselineNs: 2000, candidateNs: 1000, verdict: /** @type {const} */ ('faster') };
  const evidence = makeEvidence(times, { stacks });

  test('is explained by its savings first', () => {
    expect(linesOf(explainCell(evidence))).toEqual([
      'A document takes 1.00 µs instead of 2.00 µs: 1.00 µs less (−50 %).',
      'Less time goes into Object.entries (1.60 µs, more than the difference, only the baseline runs it).',
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

test("without perf, V8's own profiler is used, and its limits are stated", () => {
  const stacks = {
    perf: { baseline: [], candidate: makeProcesses({ [SHARED]: 1 }) },
    'v8-cpu-profile': {
      baseline: makeProcesses({ [SHARED]: 400, [CHECK]: 600 }),
      candidate: makeProcesses({ [SHARED]: 1400, [CHECK]: 600 }),
    },
  };
  const explanation = explainCell(makeEvidence({}, { stacks }));
  expect(explanation.source).toBe('v8-cpu-profile');
  expect(textOf(explanation)).toContain('does not show builtins');
});

test('without profiles, the times and the lack of profiles are reported', () => {
  const explanation = explainCell(makeEvidence());
  expect(explanation.source).toBeNull();
  expect(explanation.functions).toEqual([]);
  expect(linesOf(explanation)).toEqual([
    'A document takes 2.00 µs instead of 1.00 µs: 1.00 µs more (+100 %).',
    'Too few processes were profiled to say which functions differ.',
  ]);
});

describe('a cell that does not differ', () => {
  const same = makeProcesses({ [SHARED]: 600, 'builtin:ObjectKeys': 400 }, 4);
  const times = { candidateNs: 1010, verdict: /** @type {const} */ ('equivalent') };

  test('gets one sentence', () => {
    const evidence = makeEvidence(times, { stacks: perfOf(same, same) });
    expect(explainCell(evidence).paragraph).toEqual([NOTHING]);
    expect(explainCell(evidence).summary).toBeUndefined();
  });

  test('names a significant change', () => {
    const other = makeProcesses({ [SHARED]: 500, 'builtin:ObjectEntries': 500 });
    const text = textOf(explainCell(makeEvidence(times, { stacks: perfOf(same, other) })));
    expect(text).toContain('The timed difference is inconclusive (+1.0 %');
    expect(text).toContain('Object.entries (505 ns, only the candidate runs it)');
    expect(text).not.toContain('of the difference');
  });

  test('reports instructions if it is inconclusive', () => {
    const counts = { counts: [], kind: /** @type {const} */ ('instructions') };
    const instructions = {
      baseline: { ...counts, perDocument: 10_000 },
      candidate: { ...counts, perDocument: 10_500 },
    };
    const figures = { instructions, wholeProcess: bothArms(null) };
    const explanation = explainCell(
      makeEvidence({ ...times, verdict: 'inconclusive' }, { stacks: perfOf(same, same), figures }),
    );
    expect(explanation.instructions?.ratio).toBeCloseTo(1.05);
    expect(textOf(explanation)).toContain('10 500 instructions instead of 10 000 (ratio 1.050)');
  });
});

describe('recorded processes of recursive and generator', () => {
  test('flat: Object.entries on an object in dictionary mode', () => {
    const explanation = explainCell(readRecorded('flat'));
    expect(explanation.causes[0].name).toBe('Object.entries');
    expect(explanation.causes[0].share).toBeGreaterThan(0.8);
    expect(linesOf(explanation)).toEqual(FLAT);
    expect(explanation.summary).toBe(
      '+15.3 µs: Object.entries +13.7 µs, own functions +2.40 µs; 145 keys in a hash table, where V8 has no fast path',
    );
  });

  test('flat: enumeration of properties agrees with the ablations', () => {
    // NODE-7606.md: the generator without Object.entries takes 0.611 of the time.
    const explanation = explainCell(readRecorded('flat'));
    const changes = ['Object.entries', 'Object.keys', 'property reads'].map(
      (name) => causeOf(explanation, name)?.change.estimate ?? 0,
    );
    expect(sumOf(changes) / (27_509 * (1 - 0.611))).toBeCloseTo(1, 1);
  });

  test('deep: the generator, its protocol and garbage collection', () => {
    const explanation = explainCell(readRecorded('deep'));
    const names = ['the variants', 'resuming', 'array iterators', 'iterator results', 'garbage'];
    expect(explanation.causes[0].name).toMatch(/^the variants' own functions \(writeFields/);
    expect(sumOf(names.map((name) => causeOf(explanation, name)?.share ?? 0))).toBeGreaterThan(0.8);
    expect(textOf(explanation)).not.toContain('dictionary');
  });

  test('a control does not differ', () => {
    expect(explainCell(readRecordedControl()).paragraph).toEqual([NOTHING]);
  });
});

describe('warnings', () => {
  /** @param {number[]} baseline @param {number[]} candidate time of each process */
  function processesOf(baseline, candidate) {
    const [before, after] = [baseline, candidate].map((weights) =>
      weights.map((weight) => makeProfile({ [WRITE]: weight })),
    );
    return { stacks: perfOf(before, after) };
  }

  /** @param {string[]} details @returns {Partial<CellEvidence>} */
  function failuresOf(...details) {
    return {
      failures: details.map((detail) => ({ recorder: 'deopts', arm: 'candidate', detail })),
    };
  }

  /** @type {{ name: string, evidence: Partial<CellEvidence>, expected: [kind: string, text: string][] }[]} */
  const CASES = [
    {
      name: 'nothing if the profiled ratio agrees with the timed one',
      evidence: processesOf([500, 510, 490], [1000, 1010, 990]),
      expected: [],
    },
    {
      name: 'a profiler that changes the ratio',
      evidence: processesOf([500, 510, 490], [1500, 1510, 1490]),
      expected: [['profile-slows', 'serialize flat (ratio 3.000 instead of 2.000)']],
    },
    {
      name: 'an arm whose processes vary',
      evidence: processesOf([500, 510, 490], [500, 1000, 2000]),
      expected: [['profile-noisy', 'serialize flat (candidate 69']],
    },
    {
      name: 'a failed recorder with message, cell and arm',
      evidence: failuresOf('no log'),
      expected: [
        ['recorder-failed', "The recorder 'deopts' failed: no log (serialize flat, candidate)."],
        ['few-profiles', 'serialize flat'],
      ],
    },
    {
      name: 'the first message of a recorder and the number of others',
      evidence: failuresOf('no a', 'no b', 'no c'),
      expected: [
        ['recorder-failed', 'failed: no a, and 2 more failures (serialize flat, candidate).'],
        ['few-profiles', 'serialize flat'],
      ],
    },
    {
      name: 'no missing profiles if none were requested',
      evidence: { isProfiled: false },
      expected: [],
    },
  ];

  test.each(CASES)('report $name', ({ evidence, expected }) => {
    expect(explainCells([makeEvidence({}, evidence)], 7).warnings).toEqual(
      expected.map(([kind, text], index) => ({
        number: 7 + index,
        kind,
        text: expect.stringContaining(text),
      })),
    );
  });

  test("report once that V8's own profiler is used instead of perf, and why", () => {
    const evidence = makeEvidence(
      {},
      {
        stacks: {
          perf: bothArms([]),
          'v8-cpu-profile': {
            baseline: makeProcesses({ [WRITE]: 500 }),
            candidate: makeProcesses({ [WRITE]: 1000 }),
          },
        },
        missing: [{ recorder: 'perf', reason: 'perf is not installed' }],
      },
    );
    const { warnings } = explainCells([evidence, evidence], 1);
    expect(warnings.map(({ kind }) => kind)).toEqual(['perf-missing']);
    expect(warnings[0].text).toContain('(perf is not installed): serialize flat, serialize flat.');
  });
});

test('without cells there is no explanation', () => {
  expect(explainCells([], 1)).toEqual({ cells: [], warnings: [] });
});

test('a cell that was not to be profiled says so', () => {
  const text = textOf(explainCell(makeEvidence({}, { isProfiled: false })));
  expect(text).toContain('Functions were not profiled');
  expect(text).not.toContain('Too few');
});

test('allocation is compared by function, and its largest change is reported', () => {
  const bytes = /** @type {const} */ ({ unit: 'bytes', source: 'v8-heap-profile' });
  /** @param {number} more */
  const heapsOf = (more) =>
    [990, 1000, 1010].map((base) =>
      makeProfile({ [WRITE]: base, 'fields@codec/fields.js': more + base / 10 }, bytes),
    );
  const allocations = { baseline: heapsOf(0), candidate: heapsOf(500) };
  const cell = explainCell(makeEvidence({}, { allocations }));
  expect(cell.allocations).toEqual([
    expect.objectContaining({ name: 'fields', file: 'codec/fields.js', line: 1 }),
  ]);
  expect(cell.allocations[0].change.estimate).toBeCloseTo(500, 6);
  expect(textOf(cell)).toContain(
    'A document allocates 1 600 bytes instead of 1 100 bytes (+45 %); the largest part is fields with 500 bytes more.',
  );
});

test('collections are summed over the processes', () => {
  const window = { documents: 500, wallMs: 100, collections: { scavenge: { count: 2, ms: 5 } } };
  const collections = { baseline: [window, window], candidate: [] };
  expect(explainCell(makeEvidence({}, { collections })).collections).toEqual({
    baseline: { perThousand: { scavenge: 4 }, timeShare: 0.05 },
    candidate: null,
  });
});

test('times of whole processes have a ratio with an interval', () => {
  /** @param {number[]} timesMs */
  const describeTimes = (timesMs) => ({
    kind: /** @type {const} */ ('whole-process'),
    meanMs: sumOf(timesMs) / timesMs.length,
    standardDeviationMs: 1,
    timesMs,
  });
  const wholeProcess = {
    baseline: describeTimes([100, 102, 98, 101]),
    candidate: describeTimes([110, 112, 108, 111]),
  };
  const figures = { instructions: bothArms(null), wholeProcess };
  const cell = explainCell(makeEvidence({}, { figures }));
  expect(cell.wholeProcess?.ratio.estimate).toBeCloseTo(1.1, 2);
  expect(cell.wholeProcess?.ratio.low).toBeGreaterThan(1.05);
});

test.each([
  ['ObjectEntries', 'Object.entries'],
  ['GeneratorPrototypeNext', 'resuming generators'],
  ['ResumeGeneratorTrampoline', 'resuming generators'],
  ['CreateIterResultObject', 'iterator results'],
  ['ArrayIteratorPrototypeNext', 'array iterators'],
  ['KeyedLoadIC_Megamorphic', 'property reads that V8 did not inline'],
  ['LoadICTrampoline', 'property reads that V8 did not inline'],
  ['KeyedStoreIC', 'property writes that V8 did not inline'],
  ['KeyedHasIC', 'property existence checks'],
  ['FindOrderedHashSetEntry', 'Map and Set'],
  ['SetPrototypeAdd', 'Map and Set'],
  ['RegExpExecAtom', 'regular expressions'],
  ['StringIndexOf', 'String.prototype.indexOf'],
  ['CEntry_Return1_ArgvOnStack_NoBuiltinExit', "calls into V8's C++"],
  ['MathHypot', 'MathHypot'],
])('the builtin %s is the cause: %s', (name, cause) => {
  const { causes } = explain({ [SHARED]: 1000 }, { [SHARED]: 1000, [`builtin:${name}`]: 1000 });
  expect(causes[0].name).toBe(cause);
});
