import { SILENCE_MS } from './broker.js';
import { openRoster } from './roster.js';

function open() {
  let nowMs = 0;
  const roster = openRoster(() => nowMs);
  return { ...roster, pass: (/** @type {number} */ ms) => void (nowMs += ms) };
}

/** @param {ReturnType<typeof open>} roster */
function statesOf(roster) {
  return roster.list().map(({ host, state }) => `${host} ${state}`);
}

test('a host measures from when it is heard to when it answers', () => {
  const roster = open();
  roster.join('one');
  expect(statesOf(roster)).toEqual(['one waiting']);
  roster.hear('one');
  expect(statesOf(roster)).toEqual(['one measuring']);
  roster.pass(2_000);
  roster.answer('one', 1);
  roster.hear('one');
  roster.answer('one', 2);
  roster.pass(500);
  expect(roster.list()).toEqual([
    { host: 'one', state: 'waiting', blocks: 2, failed: 3, quietSeconds: 0.5 },
  ]);
});

test('a host is silent if it has a block and is not heard', () => {
  const roster = open();
  for (const host of ['one', 'two']) roster.join(host);
  roster.hear('two');
  roster.pass(SILENCE_MS);
  expect(statesOf(roster)).toEqual(['one waiting', 'two measuring']);
  roster.pass(1);
  expect(statesOf(roster)).toEqual(['one waiting', 'two silent']);
  roster.hear('two');
  expect(statesOf(roster)).toEqual(['one waiting', 'two measuring']);
});

test('a host that refuses may prepare for the run again, and measure it after all', () => {
  const roster = open();
  roster.hear('one');
  expect(roster.list()).toEqual([]);
  roster.refuse('one', 'sources differ');
  roster.hear('one');
  expect(roster.list()).toMatchObject([{ state: 'refused', reason: 'sources differ' }]);
  roster.join('one');
  roster.hear('one');
  expect(statesOf(roster)).toEqual(['one measuring']);
});

test('there is news when a host joins, is silent, is heard again or refuses', () => {
  const roster = open();
  expect(roster.hasNews()).toBe(false);
  roster.join('one');
  expect(roster.hasNews()).toBe(true);
  roster.hear('one');
  expect(roster.hasNews()).toBe(false);
  roster.answer('one', 0);
  roster.hear('one');
  expect(roster.hasNews()).toBe(false);
  roster.pass(SILENCE_MS + 1);
  expect(roster.hasNews()).toBe(true);
  roster.hear('one');
  expect(roster.hasNews()).toBe(true);
  roster.refuse('two', 'no');
  expect(roster.hasNews()).toBe(true);
  expect(roster.hasNews()).toBe(false);
});
