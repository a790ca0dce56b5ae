import { describeStep, listWaiting, makeFollowStudy, openReader, planNext } from './follow.js';
import { readFollowing } from './following.js';
import { hashOf, makeFollowed, REFERENCE } from './test-support/records.js';
import { runStudy } from '../study.js';

/** @import { FollowedPurpose } from '../../formats/types.ts' */
/** @import { FollowedRecord } from './chain.js' */
/** @import { FollowState, FollowStepTask } from './follow.js' */

const CELLS = ['serialize flat', 'serialize deep'];
const EQUAL = Object.fromEntries(CELLS.map((id) => [id, 1]));

let minutes = 0;
/** @type {(purpose: FollowedPurpose, before: number | null, after: number, more?: Partial<Parameters<typeof makeFollowed>[0]>) => FollowedRecord} */
function record(purpose, before, after, more = {}) {
  minutes += 1;
  const step = { purpose, before, after, cells: EQUAL, at: minutes, ...more };
  return /** @type {FollowedRecord} */ (makeFollowed(step));
}

/** A branch of ten commits. @type {(changes?: Partial<FollowState>) => FollowState} */
function open(changes = {}) {
  const line = Array.from({ length: 10 }, (_, number) => ({
    ...{ revision: hashOf(number), subject: `Subject ${number}` },
    date: new Date(Date.UTC(2026, 0, 1 + number)).toISOString(),
  }));
  return {
    ...{ branch: 'main', reference: REFERENCE, line, releases: [], first: 9, isEach: false },
    ...{ isNightly: false, level: 0.01 },
    ...{ records: [], read: openReader(), cellIds: CELLS, skipped: [], unchanged: [] },
    ...changes,
  };
}

/** @type {(state: FollowState) => [string, number | null, number] | null} with numbers of commits */
function plan(state) {
  const task = planNext(state);
  if (task === null) return null;
  const numberOf = (/** @type {string} */ hash) =>
    state.line.findIndex(({ revision }) => revision === hash);
  const { purpose, before, after } = task;
  return [purpose, before === null ? null : numberOf(before), numberOf(after)];
}

const skip = (/** @type {number[]} */ ...numbers) =>
  numbers.map((number) => ({ revision: hashOf(number), reason: 'it does not build' }));

test.each(
  /** @type {[string, Partial<FollowState>, ReturnType<typeof plan>][]} */ ([
    ['nothing is recorded: the point of the last commit', {}, ['point', null, 9]],
    ['the first one wanted', { first: 4 }, ['point', null, 4]],
    ['the first does not build', { first: 4, skipped: skip(4) }, ['point', null, 9]],
    ['and each is wanted', { first: 4, isEach: true, skipped: skip(4, 5) }, ['point', null, 6]],
    ['none of them builds', { first: 9, skipped: skip(9) }, null],
    ['the last commit is measured', { records: [record('point', null, 9)] }, null],
    ['commits since: all at once', { records: [record('point', null, 6)] }, ['merge', 6, 9]],
    ['each of them', { records: [record('point', null, 6)], isEach: true }, ['merge', 6, 7]],
    [
      'one that does not build is left to the next',
      { records: [record('point', null, 6)], isEach: true, skipped: skip(7) },
      ['merge', 6, 8],
    ],
    [
      'one that is built to the same code, too',
      { records: [record('point', null, 6)], isEach: true, unchanged: [hashOf(7)] },
      ['merge', 6, 8],
    ],
    [
      'the last is built to the same code',
      { records: [record('point', null, 6)], unchanged: [hashOf(9)] },
      null,
    ],
    [
      'a merge without its point',
      { records: [record('point', null, 6), record('merge', 6, 8)] },
      ['point', null, 8],
    ],
    [
      'a point that cannot be measured holds nothing up',
      { records: [record('point', null, 6), record('merge', 6, 8)], skipped: skip(8) },
      ['merge', 6, 9],
    ],
    [
      'the last measured commit no longer builds: an earlier one takes its place',
      {
        records: [record('point', null, 6), record('merge', 6, 8), record('point', null, 8)],
        skipped: skip(8),
      },
      ['merge', 6, 9],
    ],
    [
      'none of the measured ones builds',
      { records: [record('point', null, 8)], skipped: skip(8) },
      ['point', null, 9],
    ],
    [
      'the last measured commit is no longer on the branch',
      { records: [record('point', null, 5), record('merge', 5, 40)] },
      ['merge', 5, 9],
    ],
    ['none of the measured ones is', { records: [record('point', null, 40)] }, ['point', null, 9]],
  ]),
)('what comes next where %s', (_, changes, expected) => {
  expect(plan(open(changes))).toEqual(expected);
});

test('a record keeps all commits that it covers, those with the same code, and tags since the first', () => {
  const releases = [1, 2, 5, 8].map((number) => ({
    name: `v${number}`,
    revision: hashOf(number),
  }));
  const records = [record('point', null, 3)];
  const state = open({ records, releases, unchanged: [hashOf(5), hashOf(9)] });
  const task = { purpose: /** @type {const} */ ('merge'), cellIds: CELLS };
  const step = describeStep({ ...task, before: hashOf(3), after: hashOf(6) }, state);
  expect(step.commits.map(({ subject }) => subject)).toEqual([
    'Subject 4',
    'Subject 5',
    'Subject 6',
  ]);
  expect(step.unchanged).toEqual([hashOf(5)]);
  expect(step.releases.map(({ name }) => name)).toEqual(['v2', 'v5', 'v8']);
  const point = { ...task, purpose: /** @type {const} */ ('point'), before: null };
  expect(describeStep({ ...point, after: hashOf(6) }, state).commits).toHaveLength(1);
});

/**
 * Measures with records that take a minute each.
 *
 * @param {FollowState} opened
 * @param {{ budgetSeconds?: number, alter?: (task: FollowStepTask) => object | null }} [settings]
 */
async function simulate(opened, { budgetSeconds = Infinity, alter = () => ({}) } = {}) {
  /** @type {FollowStepTask[]} */
  const tasks = [];
  const numberOf = (/** @type {string} */ hash) => Number(hash.slice(0, 4)) - 1;
  const study = makeFollowStudy(
    async (task) => {
      tasks.push(task);
      const { purpose, before, after } = task;
      const own = record(purpose, before === null ? null : numberOf(before), numberOf(after));
      const changes = alter(task);
      return changes && { record: own, sessionSeconds: 60, ...changes };
    },
    { seed: 7, budgetSeconds },
  );
  const { signal } = new AbortController();
  /** @type {string[]} */
  const lines = [];
  const say = (/** @type {string} */ line) => lines.push(line);
  const { state } = await runStudy(study, opened, { signal, save: () => {}, say });
  return { state, tasks, lines };
}

test('each commit is compared with the one before and with the reference, by another seed each', async () => {
  const { state, tasks } = await simulate(open({ first: 6, isEach: true }));
  expect(tasks.map(({ purpose }) => purpose)).toEqual(
    'point merge point merge point merge point'.split(' '),
  );
  expect(new Set(tasks.map(({ seed }) => seed)).size).toBe(7);
  expect(planNext(state)).toBeNull();
  expect((await simulate(state)).tasks).toEqual([]);
});

test('what is skipped is covered by the next', async () => {
  const { state, tasks } = await simulate(open({ first: 7, isEach: true }), {
    alter: ({ after }) => (after === hashOf(8) ? { record: null, reason: 'wrong bytes' } : {}),
  });
  expect(state.skipped).toEqual([{ revision: hashOf(8), reason: 'wrong bytes' }]);
  expect(tasks.at(-2)).toMatchObject({ purpose: 'merge', before: hashOf(7), after: hashOf(9) });
});

test('the budget is shared, and keeps what the point will take', async () => {
  const known = [record('point', null, 5), record('merge', 5, 6), record('point', null, 6)];
  const { tasks } = await simulate(open({ records: known, isEach: true }), { budgetSeconds: 200 });
  expect(tasks.map(({ purpose, budgetSeconds }) => [purpose, budgetSeconds])).toEqual([
    ['merge', 140],
    ['point', 140],
  ]);
  // What a call begins with is measured as far as it goes.
  expect((await simulate(open({ records: known }), { budgetSeconds: 20 })).tasks).toMatchObject([
    { purpose: 'merge', budgetSeconds: 10 },
  ]);
});

test('an interruption ends the call, and another one goes on', async () => {
  const known = [record('point', null, 8)];
  const { state } = await simulate(open({ records: known }), { alter: () => null });
  expect(state.records).toEqual(known);
  expect(plan(state)).toEqual(['merge', 8, 9]);
});

const [FLAT, DEEP] = CELLS;

describe('a suspicion', () => {
  const point = record('point', null, 0);
  const whole = [point, record('merge', 0, 9, { cells: { [FLAT]: 1.3, [DEEP]: 1 } })];
  const measured = [...whole, record('point', null, 9)];

  test('is confirmed on its cells alone, at the level that was fixed before', () => {
    expect(planNext(open({ records: measured }))).toEqual({
      ...{ purpose: 'confirmation', before: hashOf(0), after: hashOf(9) },
      ...{ cellIds: [FLAT], level: 0.01 },
    });
  });

  test('is dropped when it is refuted', () => {
    const refuted = record('confirmation', 0, 9, { cells: { [FLAT]: 1 } });
    expect(planNext(open({ records: [...measured, refuted] }))).toBeNull();
  });

  test.each(/** @type {const} */ (['untrusted', 'inconclusive']))(
    'is asked about twice where nothing but %s comes back',
    (verdict) => {
      const cells = { [FLAT]: { ratio: 1.3, verdict } };
      const records = [...measured, record('confirmation', 0, 9, { cells })];
      const again = planNext(open({ records }));
      expect(again?.purpose).toBe('confirmation');
      records.push(record('confirmation', 0, 9, { cells }));
      expect(planNext(open({ records }))).toBeNull();
    },
  );

  test('whose confirmation the budget cut short is asked about again with a larger one, not for ever', async () => {
    const cells = { [FLAT]: { ratio: 1.3, verdict: /** @type {const} */ ('inconclusive') } };
    const question = { budgetSeconds: 100 };
    const cut = () => ({
      ...record('confirmation', 0, 9, { cells, question }),
      ended: /** @type {const} */ ('budget'),
    });
    const records = [...measured, cut(), cut(), cut()];
    expect(listWaiting(open({ records }))).toEqual([{ after: hashOf(9), needs: 150 }]);
    expect(planNext(open({ records }), 149)).toBeNull();
    expect(planNext(open({ records }), 150)?.purpose).toBe('confirmation');
    // A budget that never suffices is spent on it once.
    const { tasks } = await simulate(open({ records: measured }), {
      budgetSeconds: 100,
      alter: () => ({ record: cut(), sessionSeconds: 60 }),
    });
    expect(tasks).toHaveLength(1);
    const settled = [...records, record('confirmation', 0, 9, { cells: { [FLAT]: 1.3 } })];
    expect(listWaiting(open({ records: settled }))).toEqual([]);
    // Another change has explained it since, its commits have left the branch, or its cell is no longer measured.
    const explained = [
      ...records,
      record('merge', 0, 1, { cells: { [FLAT]: 1.3 } }),
      record('confirmation', 0, 1, { cells: { [FLAT]: 1.3 } }),
    ];
    expect(listWaiting(open({ records: explained }))).toEqual([]);
    expect(listWaiting(open({ records, line: open().line.slice(0, 9) }))).toEqual([]);
    expect(listWaiting(open({ records, cellIds: [DEEP] }))).toEqual([]);
  });

  test('of many cells is confirmed in parts, the largest differences first', async () => {
    const ratios = Array.from({ length: 8 }, (_, index) => [
      `serialize c${index}`,
      1.1 + index / 50,
    ]);
    const cells = Object.fromEntries(ratios);
    const { tasks, state } = await simulate(
      open({
        records: [record('point', null, 8), record('merge', 8, 9, { cells }), measured[2]],
        cellIds: Object.keys(cells),
      }),
      {
        alter: ({ cellIds }) => ({
          record: record('confirmation', 8, 9, {
            cells: Object.fromEntries(cellIds.map((id) => [id, cells[id]])),
          }),
        }),
      },
    );
    expect(tasks.map(({ cellIds }) => cellIds)).toEqual([
      [7, 6, 5, 4, 3, 2].map((index) => `serialize c${index}`),
      ['serialize c1', 'serialize c0'],
    ]);
    expect(readFollowing(state.records)?.changes).toMatchObject([{ state: 'open' }]);
    expect(readFollowing(state.records)?.changes[0].cells).toHaveLength(8);
  });

  test('of many cells of several commits is searched for once', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `serialize c${index}`);
    const make = (/** @type {number} */ ratio, /** @type {string[]} */ own = ids) =>
      Object.fromEntries(own.map((id) => [id, ratio]));
    const records = [point, record('merge', 0, 3, { cells: make(1.3) }), record('point', null, 3)];
    const opened = open({ records, cellIds: ids });
    const { tasks } = await simulate(
      { ...opened, line: opened.line.slice(0, 4) },
      {
        alter({ purpose, before, after, cellIds }) {
          const [from, to] = [before ?? '', after].map((hash) => Number(hash.slice(0, 4)) - 1);
          const cells = make(from < 2 && to >= 2 ? 1.3 : 1, cellIds);
          return { record: record(purpose, from, to, { cells }) };
        },
      },
    );
    expect(tasks.map(({ purpose, cellIds }) => `${purpose} of ${cellIds.length}`)).toEqual([
      'confirmation of 6',
      'confirmation of 2',
      'search of 1',
      'search of 1',
      'confirmation of 6',
      'confirmation of 2',
    ]);
  });

  test('of several commits is searched by another cell where the clearest one leads beside the change', async () => {
    const all = { [FLAT]: 1.4, [DEEP]: 1.3 };
    const records = [point, record('merge', 0, 2, { cells: all }), record('point', null, 2)];
    const opened = open({ records });
    const { tasks, state } = await simulate(
      { ...opened, line: opened.line.slice(0, 3) },
      {
        alter({ purpose, before, after, cellIds }) {
          const [from, to] = [before ?? '', after].map((hash) => Number(hash.slice(0, 4)) - 1);
          // The build of the commit between is slow on one cell, but not in other placements.
          const isMisled = purpose === 'search' && cellIds.includes(FLAT);
          const cells = cellIds.map((id) => [id, to === 2 || isMisled ? all[id] : 1]);
          return { record: record(purpose, from, to, { cells: Object.fromEntries(cells) }) };
        },
      },
    );
    expect(
      tasks.map(({ purpose, before, after, cellIds }) => [purpose, before, after, cellIds]),
    ).toEqual([
      ['confirmation', hashOf(0), hashOf(2), [FLAT, DEEP]],
      ['search', hashOf(0), hashOf(1), [FLAT]],
      ['confirmation', hashOf(0), hashOf(1), [FLAT]],
      ['search', hashOf(0), hashOf(1), [DEEP]],
      ['confirmation', hashOf(1), hashOf(2), [FLAT, DEEP]],
    ]);
    const found = readFollowing(state.records)?.changes.filter(({ state: is }) => is === 'open');
    expect(found).toMatchObject([{ after: hashOf(2), commits: 1 }]);
  });

  test('of a cell that is no longer measured is left alone, and so is a search of it', () => {
    expect(planNext(open({ records: measured, cellIds: [DEEP] }))).toBeNull();
    const confirmed = record('confirmation', 0, 9, { cells: { [FLAT]: 1.3 } });
    const records = [...measured, confirmed];
    expect(planNext(open({ records }))?.purpose).toBe('search');
    expect(planNext(open({ records, cellIds: [DEEP] }))).toBeNull();
  });

  test('is left alone where its commit no longer builds', () => {
    expect(planNext(open({ records: measured, skipped: skip(9) }))).toBeNull();
  });

  test.each([
    ['slower', 1.3],
    ['faster', 0.7],
  ])('of several commits that became %s ends with the one commit', async (_, ratio) => {
    const unusable = [4];
    /** @type {FollowStepTask[]} */
    const tasks = [];
    const culprit = 6;
    const { state } = await simulate(
      open({
        records: [point, record('merge', 0, 9, { cells: { [FLAT]: ratio } }), measured[2]],
      }),
      {
        alter(task) {
          tasks.push(task);
          const { purpose, before, after, cellIds } = task;
          const [from, to] = [before ?? '', after].map((hash) => Number(hash.slice(0, 4)) - 1);
          if (unusable.includes(to)) return { record: null, reason: 'it does not build' };
          const found = from < culprit && to >= culprit ? ratio : 1;
          const cells = Object.fromEntries(cellIds.map((id) => [id, found]));
          // As the first confirmation finds out.
          const unchanged = from === 0 && to === 9 ? [hashOf(7), hashOf(8)] : [];
          const followed = unchanged.length === 0 ? {} : { unchanged };
          return { record: record(purpose, from, to, { cells, followed }), unchanged };
        },
      },
    );
    expect(tasks.map(({ purpose, after }) => [purpose, Number(after.slice(0, 4)) - 1])).toEqual([
      ['confirmation', 9],
      ['search', 4],
      ['search', 3],
      ['search', 6],
      ['search', 5],
      ['confirmation', 6],
    ]);
    expect(tasks[1].rule?.boundary).toBeCloseTo(Math.sqrt(ratio), 6);
    expect(planNext(state)).toBeNull();
    const { changes = [] } = readFollowing(state.records) ?? {};
    expect(changes.filter(({ state: is }) => is === 'open')).toMatchObject([
      { before: hashOf(5), after: hashOf(6), commits: 1 },
    ]);
  });
});

test('records are read once, whatever asks for what they say', async () => {
  let descriptions = 0;
  const read = openReader({ formatReproduction: () => `command ${++descriptions}` });
  const records = [
    record('point', null, 0),
    record('merge', 0, 8, { cells: { [FLAT]: 1.3 } }),
    record('point', null, 8),
  ];
  const { state, tasks, lines } = await simulate(open({ records, read }), {
    alter: ({ purpose, after }) =>
      purpose === 'merge' && after === hashOf(9) ? { record: null, isUnchanged: true } : {},
  });
  expect(tasks.map(({ purpose }) => purpose)).toEqual(['merge', 'confirmation']);
  expect(lines).toEqual([
    `merge ${hashOf(9).slice(0, 12)} Subject 9`,
    'nothing is measured: its built code is that of the commit before',
    `confirmation ${hashOf(8).slice(0, 12)} Subject 8`,
  ]);
  expect(descriptions).toBe(2);
  expect(planNext(state)).toBeNull();
  expect(listWaiting(state)).toEqual([]);
  expect(state.read(state.records)?.changes).toMatchObject([
    { state: 'refuted', reproduce: 'command 2' },
  ]);
});

test('a change is named after its only commit that changed any code', () => {
  const unchanged = [hashOf(7), hashOf(9)];
  const records = [
    record('point', null, 6),
    record('merge', 6, 9, { cells: { [FLAT]: 1.3 } }),
    record('point', null, 9),
    record('confirmation', 6, 9, { cells: { [FLAT]: 1.3 }, followed: { unchanged } }),
  ];
  expect(planNext(open({ records }))).toBeNull();
  expect(readFollowing(records)?.changes).toMatchObject([
    { state: 'open', before: hashOf(7), after: hashOf(8), commits: 1 },
  ]);
});

describe('at night', () => {
  /** @type {import('./test-support/records.js').CellSketch} */
  const undecided = { ratio: 1.01, verdict: 'inconclusive' };
  const records = [
    record('point', null, 5),
    record('merge', 5, 7, { cells: { [FLAT]: undecided, [DEEP]: 1 } }),
    record('point', null, 7),
    record('merge', 7, 9, { cells: { [FLAT]: undecided, [DEEP]: undecided } }),
    record('point', null, 9),
  ];
  const [, narrow, , wide] = records;
  for (const cell of wide.cells) cell.ratio = { estimate: 1.01, low: 0.9, high: 1.1 };
  for (const cell of narrow.cells) cell.ratio = { estimate: 1.01, low: 0.98, high: 1.04 };

  test('what merges left open is measured again, the widest interval first, twice at most', async () => {
    expect(planNext(open({ records }))).toBeNull();
    const { tasks } = await simulate(open({ records, isNightly: true }), {
      alter({ before, after, cellIds, purpose }) {
        const [from, to] = [before ?? '', after].map((hash) => Number(hash.slice(0, 4)) - 1);
        const cells = Object.fromEntries(cellIds.map((id) => [id, undecided]));
        // The first pair gives an answer to one of its cells.
        if (to === 9) cells[DEEP] = { ratio: 1 };
        return { record: record(purpose, from, to, { cells }) };
      },
    });
    expect(tasks.map(({ before, cellIds }) => [before, cellIds])).toEqual([
      [hashOf(7), CELLS],
      [hashOf(5), [FLAT]],
      [hashOf(5), [FLAT]],
      [hashOf(7), [FLAT]],
    ]);
  });
});

test('what drift shows of another cell is asked of a known change within it first, and then is part of that change', () => {
  const step = (/** @type {number} */ commit) => (commit < 5 ? 1 : 1.1);
  const records = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((commit) => {
    const cells = { [FLAT]: step(commit), [DEEP]: step(commit) };
    const known = commit === 5 ? 1.1 : 1;
    return [
      record('point', null, commit, { cells }),
      ...(commit === 0
        ? []
        : [record('merge', commit - 1, commit, { cells: { [FLAT]: known, [DEEP]: 1 } })]),
      ...(commit === 5 ? [record('confirmation', 4, 5, { cells: { [FLAT]: 1.1 } })] : []),
    ];
  });
  expect(readFollowing(records)?.changes.map(({ state }) => state)).toEqual(['open', 'suspected']);
  expect(planNext(open({ records }))).toMatchObject({
    ...{ purpose: 'confirmation', before: hashOf(4), after: hashOf(5), cellIds: [DEEP] },
  });
  const agreeing = [...records, record('confirmation', 4, 5, { cells: { [DEEP]: 1.1 } })];
  expect(readFollowing(agreeing)?.changes).toMatchObject([
    { state: 'open', after: hashOf(5), cells: [{ cellId: FLAT }, { cellId: DEEP }] },
  ]);
  expect(planNext(open({ records: agreeing }))).toBeNull();
  // What the known commit does not have is asked of all of them.
  const refuting = [...records, record('confirmation', 4, 5, { cells: { [DEEP]: 1 } })];
  const next = planNext(open({ records: refuting }));
  expect(next?.cellIds).toEqual([DEEP]);
  expect(next?.after).not.toBe(hashOf(5));
});

test('placements are other ones in each comparison, although a record is lost, and on each host', async () => {
  const records = [
    record('point', null, 8),
    record('merge', 8, 9, { cells: { [FLAT]: 1.3, [DEEP]: 1 } }),
    record('point', null, 9),
  ];
  const seedOf = (/** @type {FollowedRecord[]} */ known, /** @type {number} */ seed) => {
    const study = makeFollowStudy(() => Promise.resolve(null), { seed, budgetSeconds: Infinity });
    const session = { path: '', results: [], elapsedMs: () => 0, isInterrupted: () => false };
    return study.next(open({ records: known }), session)?.seed;
  };
  const confirmation = seedOf(records, 7);
  expect(confirmation).not.toBe(seedOf(records.slice(0, 1), 7));
  // Another record that is lost changes nothing, and is no reason to measure the same again.
  expect(seedOf(records.slice(1), 7)).toBe(confirmation);
  expect(seedOf(records, 8)).not.toBe(confirmation);
});

test('after three commits that can no longer be compared with, the line goes on without them', async () => {
  const suspected = { cells: { [FLAT]: 1.3, [DEEP]: 1 } };
  const known = [
    record('point', null, 3),
    ...[4, 5, 6, 7, 8].flatMap((place) => [
      record('merge', place - 1, place, suspected),
      record('point', null, place),
    ]),
  ];
  const { tasks } = await simulate(open({ records: known, isNightly: true }), {
    alter: ({ before }) =>
      before === null ? {} : { record: null, reason: 'it is refused', isBefore: true },
  });
  expect(tasks.map(({ purpose, before, after }) => [purpose, before, after])).toEqual([
    ...[8, 7, 6].map((place) => ['merge', hashOf(place), hashOf(9)]),
    ['point', null, hashOf(9)],
  ]);
});

test('a commit that can no longer be compared with is not asked for again', async () => {
  const known = [
    record('point', null, 7),
    record('merge', 7, 8, { cells: { [FLAT]: 1.3, [DEEP]: 1 } }),
    record('point', null, 8),
  ];
  const { state, tasks } = await simulate(open({ records: known }), {
    alter: ({ before }) =>
      before === hashOf(8) ? { record: null, reason: 'it is refused', isBefore: true } : {},
  });
  expect(tasks.map(({ purpose, before }) => [purpose, before])).toEqual([
    ['merge', hashOf(8)],
    ['merge', hashOf(7)],
    ['point', null],
  ]);
  expect(state.skipped).toEqual([
    { revision: hashOf(8), reason: 'it is refused', wasMeasured: true },
  ]);
});
