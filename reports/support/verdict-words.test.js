import { expect, test } from '@jest/globals';
import { makeCell, makeEmptyCell, makeVerdict } from './fixtures.js';
import {
  endLabel,
  failedJobLabel,
  hasFigures,
  measuredLabel,
  processesLabel,
  verdictLabel,
} from './verdict-words.js';

const base = makeCell({
  operation: 'serialize',
  corpus: 'flat',
  verdict: 'faster',
  ratio: [0.8, 0.9, 0.95],
});

test('a verdict says whether it is strong, from screen mode, or without data', () => {
  expect(verdictLabel({ ...base, strong: true }, 'default')).toBe('faster, strong');
  expect(verdictLabel(base, 'screen')).toBe('screen: faster');
  const empty = makeEmptyCell('serialize', 'flat', 'inconclusive');
  expect(verdictLabel(empty, 'default')).toBe('inconclusive, no data');
});

test('processes are one figure when equal, three when not, none when nothing ran', () => {
  expect(processesLabel(base)).toBe('12');
  const uneven = { baseline: 24, candidate: 24, control: 23 };
  expect(processesLabel({ ...base, processes: uneven })).toBe('24/24/23');
  expect(processesLabel(makeEmptyCell('serialize', 'flat', 'refused'))).toBe('–');
});

test('an inconclusive cell says how many processes would settle it, where that is known', () => {
  const open = { ...base, verdict: /** @type {const} */ ('inconclusive') };
  expect(processesLabel({ ...open, processesNeeded: 40.2 })).toBe('12 of ~41');
  expect(processesLabel(open)).toBe('12 of ?');
});

test('an end before its time says why and how to go on', () => {
  const verdict = makeVerdict([{ ...base, verdict: 'inconclusive' }]);
  expect(endLabel(verdict, 'runs/x')).toBeNull();
  expect(endLabel({ ...verdict, ended: 'budget' }, 'runs/x')).toMatch(/budget ran out after 36/);
  expect(endLabel({ ...verdict, ended: 'failed' }, 'runs/x')).toMatch(/notes say why/);
  expect(endLabel({ ...verdict, ended: 'interrupted' }, 'runs/x')).toMatch(/--resume runs\/x$/);
});

test('a budget that ran out is told only where it left something open', () => {
  const settled = makeVerdict([base], { ended: 'budget' });
  expect(endLabel(settled, 'runs/x')).toBeNull();
  const warnings = [{ number: 1, kind: 'memory-incomplete', text: 'Memory was not measured.' }];
  const memory = { cells: [], corpora: [], warnings };
  expect(endLabel({ ...settled, memory }, 'runs/x')).toMatch(/, before memory was measured/);
  const open = makeVerdict([{ ...base, verdict: 'inconclusive' }], { ended: 'budget', memory });
  expect(endLabel(open, 'runs/x')).toMatch(/before every cell was settled and before memory/);
});

test('tells how much of the time went into workers, and when there was nothing to measure', () => {
  const verdict = makeVerdict([base]);
  expect(measuredLabel(verdict).replaceAll('\u00a0', ' ')).toBe(
    '36 processes in 6.66 s, 92 % of it inside workers',
  );
  const empty = makeVerdict([makeEmptyCell('serialize', 'flat', 'inconclusive')]);
  expect(measuredLabel(empty)).toMatch(/^nothing in /);
  expect([hasFigures(verdict), hasFigures(empty)]).toEqual([true, false]);
});

test('says of a failed job how it ended and what became of it', () => {
  const failure = {
    reason: /** @type {const} */ ('signal'),
    detail: 'ended by SIGKILL',
    lastLines: [],
  };
  const job = { jobId: 'serialize flat/000/1/candidate', failure };
  expect(failedJobLabel({ ...job, failedAttempts: 3, measured: false })).toBe(
    'serialize flat/000/1/candidate: ended by SIGKILL; 3 attempts failed, given up',
  );
  expect(failedJobLabel({ ...job, failedAttempts: 1, measured: true })).toContain(
    '1 attempt failed, then it measured',
  );
});
