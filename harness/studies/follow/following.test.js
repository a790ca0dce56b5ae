import { readFollowing } from './following.js';
import { REFERENCE, hashOf, makeFollowed } from './test-support/records.js';

/** @import { ComparisonRecord, FollowedPurpose, Following } from '../../formats/types.ts' */

const FLAT = 'serialize flat';
const DEEP = 'serialize deep';

/**
 * Records, each one minute after the last: purpose, commits, and ratios by cell.
 *
 * @param {[FollowedPurpose, number | null, number, Parameters<typeof makeFollowed>[0]['cells'], object?][]} steps
 * @returns {ComparisonRecord[]}
 */
function record(steps) {
  return steps.map(([purpose, before, after, cells, more = {}], at) =>
    makeFollowed({ purpose, before, after, cells, at, ...more }),
  );
}

/** @type {(records: ComparisonRecord[], acknowledgements?: string) => Following} */
function read(records, acknowledgements = '') {
  const following = readFollowing(records, { acknowledgements });
  if (following === null) throw new Error('nothing is followed');
  return following;
}

/** @type {(following: Following) => string[]} */
function summarize({ changes }) {
  return changes.map(({ state, direction, before, after, commits, cells }) => {
    const names = cells.map(({ cellId, ratio }) => `${cellId} ${ratio.estimate.toFixed(2)}`);
    const [from, to] = [before, after].map((hash) => Number(hash.slice(0, 4)) - 1);
    return `${state} ${direction} ${from}..${to} of ${commits}: ${names.join(', ')}`;
  });
}

const SLOWER = { ratio: 1.2 };

test('a store without a followed branch has none', () => {
  expect(readFollowing([], {})).toBeNull();
  const { followed, ...other } = makeFollowed({
    ...{ purpose: 'merge', before: 0, after: 1, cells: {}, at: 0 },
  });
  expect(followed).toBeDefined();
  expect(readFollowing([other], {})).toBeNull();
});

test('commits are in the order of the branch, and points are ratios to the reference', () => {
  const records = record([
    ['point', null, 0, { [FLAT]: 1 }],
    ['point', null, 3, { [FLAT]: 1.01 }, { followed: { unchanged: [hashOf(2)] } }],
    [
      'merge',
      0,
      3,
      { [FLAT]: 1.01 },
      { followed: { releases: [{ name: 'v2', revision: hashOf(3) }] } },
    ],
    ['point', null, 4, { [FLAT]: 1 }],
  ]);
  const { commits, cells, reference, changes } = read(records.toReversed());
  expect(commits.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4].map(hashOf));
  expect(commits.map(({ isUnchanged }) => isUnchanged)).toEqual([false, false, true, false, false]);
  expect(commits[3].releases).toEqual(['v2']);
  expect(commits[3].comparisons.map(({ purpose }) => purpose)).toEqual(['point', 'merge']);
  expect(reference).toBe(REFERENCE);
  expect(changes).toEqual([]);
  expect(cells).toHaveLength(1);
  const [{ points }] = cells;
  expect(points.map(({ revision }) => revision)).toEqual([0, 3, 4].map(hashOf));
  expect(points[1]).toMatchObject({ ratio: { estimate: expect.closeTo(1.01) }, ns: 1010 });
  expect(new Set(points.map(({ level }) => level)).size).toBe(1);
});

test('a direction is suspected, and open once a confirmation agrees', () => {
  const merge = /** @type {const} */ (['merge', 0, 1, { [FLAT]: SLOWER, [DEEP]: 1 }]);
  expect(summarize(read(record([[...merge]])))).toEqual([
    'suspected slower 0..1 of 1: serialize flat 1.20',
  ]);
  const causes = [{ cellId: FLAT, text: 'more bytes are copied' }];
  const following = read(
    record([
      [...merge],
      ['confirmation', 0, 1, { [FLAT]: { ratio: 1.18, placed: 1.16 } }, { followed: { causes } }],
    ]),
  );
  expect(summarize(following)).toEqual(['open slower 0..1 of 1: serialize flat 1.16']);
  const [{ cells, runIds, reproduce, id }] = following.changes;
  expect(cells[0]).toMatchObject({ cause: 'more bytes are copied', suspected: { estimate: 1.2 } });
  expect(runIds).toEqual(['run-0', 'run-1']);
  expect(reproduce).toContain(`compare git:.@${hashOf(0)} git:.@${hashOf(1)}`);
  expect(id).toBe(`${hashOf(0).slice(0, 12)}..${hashOf(1).slice(0, 12)}`);
});

test.each([
  ['without a difference', { ratio: 1.01 }],
  ['in the other direction', { ratio: 0.8 }],
])('a confirmation %s refutes', (_, cell) => {
  const records = record([
    ['merge', 0, 1, { [FLAT]: SLOWER }],
    ['confirmation', 0, 1, { [FLAT]: cell }],
    // A second one does not try again.
    ['confirmation', 0, 1, { [FLAT]: SLOWER }],
  ]);
  expect(read(records).changes.map(({ state }) => state)).toEqual(['refuted']);
});

test('a confirmation at a higher error rate than its level confirms nothing', () => {
  const records = record([
    ['merge', 0, 1, { [FLAT]: SLOWER }],
    ['confirmation', 0, 1, { [FLAT]: SLOWER }, { question: { alpha: 0.02 } }],
  ]);
  expect(read(records).changes.map(({ state }) => state)).toEqual(['refuted']);
});

test.each(/** @type {const} */ (['untrusted', 'inconclusive']))(
  'a confirmation that is %s has another attempt, and no third one',
  (verdict) => {
    const disturbed = { [FLAT]: { ratio: 1.2, verdict } };
    /** @type {Parameters<typeof record>[0]} */
    const steps = [
      ['merge', 0, 1, { [FLAT]: SLOWER }],
      ['confirmation', 0, 1, disturbed],
    ];
    const stateOf = (/** @type {Parameters<typeof record>[0]} */ some) =>
      read(record(some)).changes.map(({ state }) => state);
    expect(stateOf(steps)).toEqual(['suspected']);
    expect(stateOf([...steps, ['confirmation', 0, 1, disturbed]])).toEqual(['refuted']);
    expect(stateOf([...steps, ['confirmation', 0, 1, { [FLAT]: SLOWER }]])).toEqual(['open']);
  },
);

test('so has one without a figure', () => {
  const make = (/** @type {FollowedPurpose} */ purpose, /** @type {number} */ at) =>
    makeFollowed({ purpose, before: 0, after: 1, cells: { [FLAT]: SLOWER }, at });
  const empty = (/** @type {number} */ at) => {
    const one = make('confirmation', at);
    const cells = one.cells.map((cell) => ({ ...cell, ratio: null }));
    return /** @type {ComparisonRecord} */ ({ ...one, cells });
  };
  const stateOf = (/** @type {ComparisonRecord[]} */ ...confirmations) =>
    read([make('merge', 0), ...confirmations]).changes.map(({ state }) => state);
  expect(stateOf(empty(1))).toEqual(['suspected']);
  expect(stateOf(empty(1), empty(2))).toEqual(['refuted']);
  expect(stateOf(empty(1), make('confirmation', 2))).toEqual(['open']);
});

test('what a merge leaves open, more processes may settle', () => {
  const open = { [FLAT]: { ratio: 1.05, verdict: /** @type {const} */ ('inconclusive') } };
  const records = record([
    ['merge', 0, 1, open],
    ['more', 0, 1, { [FLAT]: { ratio: 1.05 } }],
  ]);
  expect(summarize(read(records))).toEqual(['suspected slower 0..1 of 1: serialize flat 1.05']);
});

test('a change of several commits is replaced by that of the commit that a search finds', () => {
  /** @type {Parameters<typeof record>[0]} */
  const steps = [
    ['merge', 0, 4, { [FLAT]: SLOWER, [DEEP]: SLOWER }, { followed: { unchanged: [hashOf(1)] } }],
    ['confirmation', 0, 4, { [FLAT]: SLOWER, [DEEP]: SLOWER }],
    ['search', 0, 2, { [FLAT]: 1 }],
    ['search', 2, 3, { [FLAT]: SLOWER }],
  ];
  expect(summarize(read(record(steps.slice(0, 3))))).toEqual([
    'open slower 1..4 of 3: serialize flat 1.20, serialize deep 1.20',
  ]);
  expect(summarize(read(record(steps)))).toEqual([
    'suspected slower 2..3 of 1: serialize flat 1.20',
    'open slower 1..4 of 3: serialize flat 1.20, serialize deep 1.20',
  ]);
  expect(
    summarize(
      read(record([...steps, ['confirmation', 2, 3, { [FLAT]: { ratio: 1.19 }, [DEEP]: SLOWER }]])),
    ),
  ).toEqual(['open slower 2..3 of 1: serialize flat 1.19, serialize deep 1.20']);
});

test('a later change of the other direction restores', () => {
  /** @type {(commit: number, ratio: number) => Parameters<typeof record>[0]} */
  const change = (commit, ratio) => [
    ['merge', commit - 1, commit, { [FLAT]: { ratio } }],
    ['confirmation', commit - 1, commit, { [FLAT]: { ratio } }],
  ];
  const [first, second] = read(record([...change(1, 1.2), ...change(2, 0.84)])).changes;
  expect(first).toMatchObject({ state: 'restored', restoredBy: hashOf(2) });
  expect(second).toMatchObject({ state: 'open', direction: 'faster' });
  const [half] = read(record([...change(1, 1.2), ...change(2, 0.9)])).changes;
  expect(half.state).toBe('open');
  const [better] = read(record([...change(1, 2.05), ...change(2, 0.44)])).changes;
  expect(better.state).toBe('restored');
});

test('a later change restores what it took back, whatever it did to other cells', () => {
  /** @type {(commit: number, cells: Record<string, number>) => Parameters<typeof record>[0]} */
  const change = (commit, cells) => [
    ['merge', commit - 1, commit, cells],
    ['confirmation', commit - 1, commit, cells],
  ];
  const [mixed, both] = read(
    record([...change(1, { [FLAT]: 1.2 }), ...change(2, { [FLAT]: 0.84, [DEEP]: 1.1 })]),
  ).changes;
  expect(mixed).toMatchObject({ state: 'restored', restoredBy: hashOf(2) });
  expect(both).toMatchObject({ state: 'open', direction: 'slower' });
  const [traded] = read(
    record([...change(1, { [FLAT]: 1.2, [DEEP]: 0.8 }), ...change(2, { [FLAT]: 0.84 })]),
  ).changes;
  expect(traded).toMatchObject({ state: 'restored', restoredBy: hashOf(2) });
  const small = { [FLAT]: { ratio: 1.02, verdict: /** @type {const} */ ('slower') } };
  const [other] = read(
    record([['merge', 0, 1, small], ['confirmation', 0, 1, small], ...change(2, { [DEEP]: 0.8 })]),
  ).changes;
  expect(other.state).toBe('open');
});

describe('of two changes that made a cell slower, a repair takes back', () => {
  /** @type {(...ratios: number[]) => string[]} states of changes, one for each commit */
  const statesOf = (...ratios) =>
    read(
      record(
        ratios.flatMap((ratio, commit) => [
          ['merge', commit, commit + 1, { [FLAT]: { ratio } }],
          ['confirmation', commit, commit + 1, { [FLAT]: { ratio } }],
        ]),
      ),
    ).changes.map(({ state, restoredBy }) =>
      restoredBy === undefined ? state : `restored by ${Number(restoredBy.slice(0, 4)) - 1}`,
    );

  test.each(
    /** @type {[string, number[], string[]][]} */ ([
      ['the larger one, that came first', [1.2, 1.05, 0.84], ['restored by 3', 'open', 'open']],
      ['the larger one, that came last', [1.05, 1.2, 0.84], ['open', 'restored by 3', 'open']],
      ['the smaller one', [1.2, 1.05, 0.95], ['open', 'restored by 3', 'open']],
      ['the newer of equal ones', [1.1, 1.1, 0.91], ['open', 'restored by 3', 'open']],
      ['both', [1.2, 1.05, 0.79], ['restored by 3', 'restored by 3', 'open']],
      ['neither', [1.2, 1.1, 0.96], ['open', 'open', 'open']],
      [
        'one after the other',
        [1.2, 1.05, 0.84, 0.95],
        ['restored by 3', 'restored by 4', 'open', 'open'],
      ],
      ['one, in parts', [1.2, 0.92, 0.9], ['restored by 3', 'open', 'open']],
    ]),
  )('%s', (_, ratios, expected) => {
    expect(statesOf(...ratios)).toEqual(expected);
  });

  test('nothing that came after it', () => {
    expect(statesOf(0.8, 1.2)).toEqual(['open', 'open']);
  });
});

test('a line of the file acknowledges a change, if it names all slower cells', () => {
  const records = record([
    ['merge', 0, 1, { [FLAT]: SLOWER, [DEEP]: { ratio: 0.8 } }],
    ['confirmation', 0, 1, { [FLAT]: SLOWER, [DEEP]: { ratio: 0.8 } }],
  ]);
  const commit = hashOf(1).slice(0, 8);
  const [known] = read(
    records,
    `# ours\n${commit} serialize/flat expected: it checks more`,
  ).changes;
  expect(known).toMatchObject({
    state: 'acknowledged',
    acknowledged: { answer: 'expected', reason: 'it checks more', line: 2 },
  });
  expect(read(records, `${commit} serialize/deep wontfix: x`).changes[0].state).toBe('open');
  expect(read(records, `${commit} * wontfix: x`).changes[0].state).toBe('acknowledged');
});

test('an answer to a change of several commits stays one when its commit is found', () => {
  const wide = [
    ['merge', 0, 3, { [FLAT]: SLOWER }],
    ['confirmation', 0, 3, { [FLAT]: SLOWER }],
  ];
  const narrow = [
    ['search', 0, 1, { [FLAT]: SLOWER }],
    ['confirmation', 0, 1, { [FLAT]: SLOWER }],
  ];
  const records = record(/** @type {Parameters<typeof record>[0]} */ ([...wide, ...narrow]));
  const answer = `${hashOf(3).slice(0, 12)} * expected: x`;
  expect(read(records, answer).changes).toMatchObject([
    { after: hashOf(1), state: 'acknowledged' },
  ]);
  const other = `${hashOf(2).slice(0, 12)} * expected: x`;
  expect(read(records, other).changes).toMatchObject([{ after: hashOf(1), state: 'open' }]);
});

test('another reference begins other points, and changes stay what they are', () => {
  const other = { followed: { reference: 'npm:codec@2.0.0' } };
  const records = record([
    ['point', null, 0, { [FLAT]: 1 }],
    ['merge', 0, 1, { [FLAT]: SLOWER }],
    ['confirmation', 0, 1, { [FLAT]: SLOWER }],
    ['point', null, 1, { [FLAT]: 1.1 }, other],
  ]);
  const { reference, changes, cells, notes } = read(records);
  expect(reference).toBe('npm:codec@2.0.0');
  expect(changes).toMatchObject([{ state: 'open', after: hashOf(1) }]);
  expect(cells[0].points.map(({ revision }) => revision)).toEqual([hashOf(1)]);
  expect(notes).toEqual(['1 comparison of another branch, reference or family left out']);
});

test('lines that are wrong or name no commit or cell of the branch are notes', () => {
  const records = record([['merge', 0, 1, { [FLAT]: 1 }]]);
  const lines = ['abc', `${hashOf(9)} * expected: x`, `${hashOf(1)} */flat,write/flt expected: x`];
  const { notes } = read(records, lines.join('\n'));
  expect(notes).toEqual([
    expect.stringMatching(/^answers, line 1: 'abc' is not of the form/),
    `answers, line 2: '${hashOf(9)}' is no commit of the branch`,
    "answers, line 3: 'write/flt' is no cell that was measured",
  ]);
});

test('after a forced push the newest records say what the branch is', () => {
  const records = record([
    ['merge', 0, 1, { [FLAT]: 1 }],
    ['merge', 1, 2, { [FLAT]: SLOWER }],
    [
      'merge',
      1,
      3,
      { [FLAT]: 1 },
      {
        followed: { commits: [{ revision: hashOf(3), subject: '', date: '2026-01-04T00:00:00Z' }] },
      },
    ],
  ]);
  const { commits, changes, notes } = read(records);
  expect(commits.map(({ revision }) => revision)).toEqual([0, 1, 3].map(hashOf));
  expect(changes).toEqual([]);
  expect(notes).toEqual(['1 comparison of commits that are no longer on the branch left out']);
});

test('an older commit that is measured after a newer one does not hide that', () => {
  const records = record([
    ['merge', 0, 3, { [FLAT]: SLOWER }],
    ['confirmation', 0, 3, { [FLAT]: SLOWER }],
    ['merge', 0, 2, { [FLAT]: 1 }],
    ['point', null, 2, { [FLAT]: 1 }],
  ]);
  const following = read(records);
  expect(following.commits.map(({ revision }) => revision)).toEqual([0, 1, 2, 3].map(hashOf));
  expect(summarize(following)).toEqual(['open slower 0..3 of 3: serialize flat 1.20']);
});

test('records of another branch are left out, with a note', () => {
  const other = { followed: { branch: 'old' } };
  const { notes, commits } = read(
    record([
      ['merge', 0, 1, { [FLAT]: SLOWER }, other],
      ['merge', 1, 2, { [FLAT]: 1 }],
    ]),
  );
  expect(commits).toHaveLength(2);
  expect(notes).toEqual(['1 comparison of another branch, reference or family left out']);
});

describe('a level that changes without a merge that showed it', () => {
  /** Twenty-four commits, of which five make the cells slower by 1.5 % each. @type {Parameters<typeof record>[0]} */
  const steps = Array.from({ length: 24 }, (_, commit) => {
    const level = 1.015 ** Math.min(5, Math.max(0, commit - 9));
    const cells = { [FLAT]: level * (commit % 2 === 0 ? 1.002 : 0.998), [DEEP]: level };
    /** @type {Parameters<typeof record>[0]} */
    const own = [['point', null, commit, cells]];
    if (commit > 0) own.push(['merge', commit - 1, commit, { [FLAT]: 1, [DEEP]: 1 }]);
    return own;
  }).flat();

  test('is suspected once there are points on either side, as one change of all cells', () => {
    const early = read(record(steps.slice(0, 24)));
    expect(early.changes).toEqual([]);
    const [change, ...others] = read(record(steps)).changes;
    expect(others).toEqual([]);
    expect(change).toMatchObject({ state: 'suspected', direction: 'slower' });
    expect(change.commits).toBeGreaterThan(5);
    expect(change.cells.map(({ cellId }) => cellId).sort()).toEqual([DEEP, FLAT]);
    expect(change.reproduce).toContain(`git:.@${change.before} git:.@${change.after}`);
  });

  test('is asked about once', () => {
    const [{ before, after }] = read(record(steps)).changes;
    const numberOf = (/** @type {string} */ hash) => Number(hash.slice(0, 4)) - 1;
    const answer = (/** @type {number} */ ratio) =>
      read(
        record([
          ...steps,
          ['confirmation', numberOf(before), numberOf(after), { [FLAT]: ratio, [DEEP]: ratio }],
        ]),
      ).changes.map(({ state }) => state);
    expect(answer(1)).toEqual(['refuted']);
    expect(answer(1.07)).toEqual(['open']);
  });
});

test('a confirmation that the budget cut short refutes nothing, and confirms nothing without other placements', () => {
  const merge = makeFollowed({
    purpose: 'merge',
    before: 0,
    after: 1,
    cells: { [FLAT]: 1.2 },
    at: 0,
  });
  const cutShort = (
    /** @type {Parameters<typeof makeFollowed>[0]['cells'][string]} */ cell,
    at = 1,
  ) => ({
    ...makeFollowed({ purpose: 'confirmation', before: 0, after: 1, cells: { [FLAT]: cell }, at }),
    ended: /** @type {const} */ ('budget'),
  });
  /** @type {Parameters<typeof makeFollowed>[0]['cells'][string]} */
  const undecided = { ratio: 1.2, verdict: 'inconclusive' };
  const stateOf = (/** @type {ComparisonRecord[]} */ ...records) =>
    read([merge, ...records]).changes.map(({ state }) => state);
  expect(stateOf(cutShort(undecided), cutShort(undecided, 2), cutShort(undecided, 3))).toEqual([
    'suspected',
  ]);
  expect(stateOf(cutShort(1.2))).toEqual(['suspected']);
  expect(stateOf(cutShort({ ratio: 1.2, placed: 1.18 }))).toEqual(['open']);
  expect(stateOf(cutShort(1))).toEqual(['refuted']);
});

test('changes that end at one commit have names of their own, and those of the same code are one', () => {
  const records = record([
    ['merge', 0, 3, { [FLAT]: 1.2, [DEEP]: 1.3, 'serialize wide': 1.2 }],
    ['confirmation', 0, 3, { [FLAT]: 1.2, [DEEP]: 1.3 }],
    ['confirmation', 1, 3, { [FLAT]: 1.2 }],
  ]);
  const { changes } = read(records);
  expect(changes.map(({ state, id }) => [state, id])).toEqual([
    ['open', `${hashOf(0).slice(0, 12)}..${hashOf(3).slice(0, 12)}`],
    ['suspected', `${hashOf(0).slice(0, 12)}..${hashOf(3).slice(0, 12)}.2`],
    ['open', `${hashOf(1).slice(0, 12)}..${hashOf(3).slice(0, 12)}`],
  ]);
  for (const { followed } of records) {
    if (followed !== undefined) followed.unchanged = [hashOf(1)];
  }
  expect(summarize(read(records))).toEqual([
    'open slower 1..3 of 2: serialize deep 1.30, serialize flat 1.20',
    'suspected slower 0..3 of 2: serialize wide 1.20',
  ]);
});
