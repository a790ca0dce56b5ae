import { makeCell, makeManifest } from '../../reports/fixtures/build.js';
import { makeAnnouncer, makeProgressPrinter } from './progress.js';

/** @import { Progress } from '../formats/types.ts' */

const SETTLED = /** @type {const} */ ('settled');
const MEASURING = /** @type {const} */ ('measuring');

/** @param {boolean} isTerminal  @param {Record<string, string>} [environment] */
function openPrinter(isTerminal, environment = {}) {
  let nowMs = 0;
  /** @type {string[]} */
  const written = [];
  const stderr = {
    write: (/** @type {string} */ text) => written.push(text),
    ...(isTerminal
      ? {
          isTTY: true,
          columns: 100,
          showStatus: (/** @type {string[]} */ lines) => void written.push(lines.join('\n')),
        }
      : {}),
  };
  const io = { stderr, environment: { NO_COLOR: '1', ...environment } };
  const print = makeProgressPrinter(io, false, () => nowMs);
  return {
    /**
     * What is written for progress at a time.
     * @param {number} seconds  @param {Progress} progress  @param {boolean} [isNews]
     */
    show(seconds, progress, isNews) {
      nowMs = seconds * 1000;
      print(() => progress, isNews);
      return written.splice(0);
    },
    /** Whether progress is described at all at a time. @param {number} seconds */
    asks(seconds) {
      nowMs = seconds * 1000;
      let isAsked = false;
      print(() => {
        isAsked = true;
        return makeProgress('asked', 0);
      });
      return isAsked;
    },
  };
}

/**
 * @param {string} step
 * @param {number} settled number of the two cells that are settled
 * @returns {Progress}
 */
function makeProgress(step, settled) {
  const { question } = makeManifest();
  const rows = ['flat', 'deep'].map((corpus, index) => {
    const comparison = makeCell({
      operation: 'serialize',
      corpus,
      verdict: 'faster',
      ratio: [0.5, 0.6, 0.7],
      processes: 16,
    });
    const state = index < settled ? SETTLED : MEASURING;
    return { cell: comparison.cell, state, processes: 16, lastJob: 47, comparison };
  });
  return { step, comparison: { question, rows } };
}

const FLAT = 'serialize flat · faster · ratio 0.600 (95 % interval 0.500–0.700) · 16 processes';

describe('in a log', () => {
  test('a cell has a line when it is settled, and otherwise a minute has one', () => {
    const { show, asks } = openPrinter(false);
    expect(show(0, makeProgress('a', 0))).toEqual(['0 of 2 cells settled · a\n']);
    expect(asks(59)).toBe(false);
    expect(show(59, makeProgress('b', 0), true)).toEqual([]);
    expect(show(60, makeProgress('c', 0))).toEqual(['0 of 2 cells settled · c\n']);
    expect(show(62, makeProgress('d', 1), true)).toEqual([`${FLAT} · 1 of 2 cells settled\n`]);
    expect(asks(121)).toBe(false);
    expect(show(121, makeProgress('e', 1), true)).toEqual([]);
    expect(show(122, makeProgress('f', 1))).toEqual(['1 of 2 cells settled · f\n']);
  });

  test('a verdict that changes later has another line, and so has the next comparison', () => {
    const { show } = openPrinter(false);
    const progress = makeProgress('a', 1);
    expect(show(0, progress)).toHaveLength(1);
    const [row, other] = progress.comparison?.rows ?? [];
    const comparison = /** @type {NonNullable<typeof row.comparison>} */ (row.comparison);
    const changed = { ...row, comparison: { ...comparison, verdict: 'inconclusive' } };
    const { question } = makeManifest();
    const later = { step: 'b', comparison: { question, rows: [changed, other] } };
    expect(show(1, /** @type {Progress} */ (later), true)).toEqual([
      'serialize flat · inconclusive · ratio 0.600 (95 % interval 0.500–0.700) · 16 of ? processes · 0 of 2 cells settled, 1 inconclusive\n',
    ]);
    expect(show(2, makeProgress('c', 0), true)).toEqual([]);
    expect(show(3, makeProgress('d', 1), true)).toEqual([`${FLAT} · 1 of 2 cells settled\n`]);
  });
});

test('a log has a line when a host joins and when it is silent, each once', () => {
  const { show } = openPrinter(false);
  const host = { host: 'one', blocks: 0, failed: 0, quietSeconds: 1 };
  const progress = (/** @type {import('../formats/types.ts').HostProgress['state']} */ state) => ({
    ...makeProgress('a', 0),
    hosts: [{ ...host, state }],
  });
  show(0, makeProgress('a', 0));
  expect(show(1, progress('waiting'), true)).toEqual(['host one measures\n']);
  expect(show(2, progress('measuring'), true)).toEqual([]);
  expect(show(3, makeProgress('between passes', 0), true)).toEqual([]);
  expect(show(4, progress('measuring'), true)).toEqual([]);
  expect(show(20, progress('silent'), true)).toEqual(['host one is silent\n']);
  expect(show(24, progress('measuring'), true)).toEqual(['host one measures\n']);
});

test('a terminal is drawn once a second, and at once what is new', () => {
  const { show, asks } = openPrinter(true);
  expect(show(0, makeProgress('a', 0))).toEqual([expect.stringMatching(/measuring\.\n\na$/)]);
  expect(asks(0.9)).toBe(false);
  expect(show(1, makeProgress('c', 0))).toHaveLength(1);
  expect(show(1.1, makeProgress('d', 1), true)).toEqual([
    expect.stringMatching(/▼ 0\.600 [^]* … 0\.600 [^]*\n\nd$/),
  ]);
  expect(asks(2)).toBe(false);
});

test.each([{ CI: 'true' }, { TERM: 'dumb' }])(
  'with %j a terminal is written to as a log',
  (environment) => {
    const { show } = openPrinter(true, environment);
    expect(show(0, makeProgress('a', 0))).toEqual(['0 of 2 cells settled · a\n']);
  },
);

test('--quiet shows nothing', () => {
  /** @type {string[]} */
  const written = [];
  const stderr = { write: (/** @type {string} */ text) => written.push(text) };
  makeProgressPrinter({ stderr, environment: {} }, true)(() => makeProgress('a', 1), true);
  makeAnnouncer({ stderr }, true)('1 of 4: a and b');
  expect(written).toEqual([]);
  makeAnnouncer({ stderr })('1 of 4: a and b');
  expect(written).toEqual(['1 of 4: a and b\n']);
});
