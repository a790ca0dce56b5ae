import { describeStep, makeFollowStudy, planNext } from './follow.js';
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
    ...{ records: [], cellIds: CELLS, skipped: [], unchanged: [] },
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
      ['merge', 8, 9],
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
  const { state } = await runStudy(study, opened, { signal, save: () => {} });
  return { state, tasks };
}

test('each commit is compared with the one before and with the reference, by another seed each', async () => {
  const { state, tasks } = await simulate(open({ first: 6, isEach: true }));
  expect(tasks.map(({ purpose }) => purpose)).toEqual(
    'point merge point merge point merge point'.split(' '),
  );
  expect(tasks.map(({ seed }) => seed)).toEqual([7, 8, 9, 10, 11, 12, 13]);
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
    ['merge', 40],
  ]);
});

test('an interruption ends the call, and another one goes on', async () => {
  const known = [record('point', null, 8)];
  const { state } = await simulate(open({ records: known }), { alter: () => null });
  expect(state.records).toEqual(known);
  expect(plan(state)).toEqual(['merge', 8, 9]);
});
