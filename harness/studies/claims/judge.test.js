import { describe, expect, test } from '@jest/globals';
import { makeClaim } from '../../../reports/content/test-support/make-reproduction.js';
import { makeCell, makeManifest, makeVerdict } from '../../../reports/fixtures/build.js';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { gatherEvidence, judgeClaim } from './judge.js';

/** @import { CellComparison, Claim, ClaimResult, ContractRow, ReportedFigure, VerdictWord } from '../../formats/types.ts' */

const NOTHING = {
  cell: null,
  retained: null,
  contract: null,
  isSameOutput: null,
  minimumEffect: 0.03,
  processMs: 200,
  failure: null,
};

/**
 * @param {ReportedFigure} figure
 * @param {Partial<Claim>} [changes]
 * @returns {Claim}
 */
function makeRatioClaim(figure, changes = {}) {
  return {
    id: 'TICKET-1/flat',
    source: 'TICKET-1',
    statement: 'It is so.',
    baseline: 'a',
    candidate: 'b',
    operation: 'serialize',
    corpus: 'flat',
    figure,
    tolerance: 1.2,
    ...changes,
  };
}

/**
 * @param {VerdictWord} verdict
 * @param {[number, number, number]} ratio
 * @returns {CellComparison}
 */
function measure(verdict, ratio) {
  return makeCell({ operation: 'serialize', corpus: 'flat', baselineNs: 1000, verdict, ratio });
}

/**
 * @param {ReportedFigure} figure
 * @param {VerdictWord} verdict
 * @param {[number, number, number]} ratio
 * @returns {ClaimResult['verdict']}
 */
function judge(figure, verdict, ratio) {
  return judgeClaim(makeRatioClaim(figure), { ...NOTHING, cell: measure(verdict, ratio) }).verdict;
}

/** @type {ReportedFigure} */
const HALVED = { formula: 'throughput-percent', percent: -50 };
/** @type {ReportedFigure} */
const UNCHANGED = { formula: 'throughput-percent', percent: 0.5 };

describe('a reported ratio of 2', () => {
  test.each(
    /** @type {[string, VerdictWord, [number, number, number], ClaimResult['verdict']][]} */ ([
      ['the interval meets it', 'slower', [1.9, 2.1, 2.3], 'reproduced'],
      ['the interval touches its tolerance', 'slower', [1.4, 1.55, 1.7], 'reproduced'],
      ['the interval is wider than its tolerance', 'slower', [1.154, 2.2, 4.142], 'inconclusive'],
      ['there is less of it', 'slower', [1.2, 1.3, 1.4], 'direction-only'],
      ['there is more of it', 'slower', [3, 3.5, 4], 'direction-only'],
      ['it goes the other way', 'faster', [0.5, 0.6, 0.7], 'not-reproduced'],
      ['there is nothing', 'equivalent', [0.98, 1, 1.02], 'not-reproduced'],
      ['anything may be', 'inconclusive', [0.8, 1.5, 2.8], 'inconclusive'],
      ['the control failed', 'untrusted', [1.9, 2.1, 2.3], 'inconclusive'],
      ['a side was refused', 'refused', [1.9, 2.1, 2.3], 'inconclusive'],
    ]),
  )('%s', (_what, verdict, ratio, expected) => {
    expect(judge(HALVED, verdict, ratio)).toBe(expected);
  });
});

test('a reported effect of the size of the minimum is one', () => {
  /** @type {ReportedFigure} */
  const small = { formula: 'throughput-percent', percent: 3 };
  expect(judge(small, 'faster', [0.92, 0.95, 0.98])).toBe('reproduced');
  expect(judge(small, 'inconclusive', [0.8, 0.97, 1.1])).toBe('inconclusive');
  // Within the tolerance, and yet the other way.
  expect(judge(small, 'slower', [1.05, 1.1, 1.15])).toBe('not-reproduced');
});

describe('a reported ratio of 1', () => {
  test.each(
    /** @type {[string, VerdictWord, [number, number, number], ClaimResult['verdict']][]} */ ([
      ['the interval lies within its tolerance', 'equivalent', [0.98, 1, 1.02], 'reproduced'],
      ['the interval is too wide', 'inconclusive', [0.7, 1, 1.4], 'inconclusive'],
      ['it is twice as much', 'slower', [1.9, 2, 2.1], 'not-reproduced'],
    ]),
  )('%s', (_what, verdict, ratio, expected) => {
    expect(judge(UNCHANGED, verdict, ratio)).toBe(expected);
  });
});

describe('a direction', () => {
  test.each(
    /** @type {[import('../../formats/types.ts').ClaimDirection, VerdictWord, [number, number, number], ClaimResult['verdict']][]} */ ([
      ['slower', 'slower', [1.1, 1.2, 1.3], 'reproduced'],
      ['slower', 'equivalent', [0.99, 1, 1.01], 'not-reproduced'],
      ['slower', 'inconclusive', [0.9, 1.1, 1.3], 'inconclusive'],
      ['same', 'equivalent', [0.99, 1, 1.01], 'reproduced'],
      ['same', 'faster', [0.5, 0.6, 0.7], 'not-reproduced'],
      ['not-slower', 'faster', [0.5, 0.6, 0.7], 'reproduced'],
      ['not-slower', 'equivalent', [0.99, 1, 1.01], 'reproduced'],
      ['not-slower', 'inconclusive', [0.9, 0.96, 1.02], 'reproduced'],
      ['not-slower', 'inconclusive', [0.9, 1, 1.1], 'inconclusive'],
      ['not-slower', 'slower', [1.1, 1.2, 1.3], 'not-reproduced'],
    ]),
  )('%s, measured as %s %j', (direction, verdict, ratio, expected) => {
    expect(judge({ formula: 'direction', direction }, verdict, ratio)).toBe(expected);
  });
});

describe('what would settle an inconclusive one', () => {
  test('a figure: processes for an interval that no longer holds 1, and the time of three arms', () => {
    const cell = { ...measure('inconclusive', [0.9, 1.2, 1.6]), processesNeeded: 5 };
    const { verdict, reason } = judgeClaim(makeRatioClaim(HALVED), { ...NOTHING, cell });
    expect(verdict).toBe('not-reproduced');
    expect(reason).toMatch(/no difference/);
    const wider = measure('inconclusive', [0.8, 1.5, 2.8]);
    expect(judgeClaim(makeRatioClaim(HALVED), { ...NOTHING, cell: wider }).reason).toBe(
      '12 processes per arm are not enough, about 142 would be (85.2\u00a0s): just compare a b --op serialize --corpus flat --processes 142',
    );
  });

  test('a direction: the processes that the cell needs, by hand where they are many', () => {
    const cell = { ...measure('inconclusive', [0.97, 1.01, 1.05]), processesNeeded: 140 };
    const claim = makeRatioClaim({ formula: 'direction', direction: 'slower' });
    expect(judgeClaim(claim, { ...NOTHING, cell }).reason).toBe(
      '12 processes per arm are not enough, about 140 would be (84.0\u00a0s): just compare a b --op serialize --corpus flat --processes 140',
    );
  });

  test('an effect smaller than the comparison looked for: one that looks closer', () => {
    const cell = measure('equivalent', [0.992, 1.01, 1.028]);
    const claim = makeRatioClaim(
      { formula: 'throughput-percent', percent: 3 },
      { tolerance: 1.03 },
    );
    const { verdict, reason } = judgeClaim(claim, { ...NOTHING, cell });
    expect(verdict).toBe('inconclusive');
    expect(reason).toMatch(
      /just compare a b --op serialize --corpus flat --processes 192 --mei 1\.5$/,
    );
  });

  test('nothing, where the estimate lies where it would have to be left', () => {
    const cell = { ...measure('inconclusive', [0.9, 1, 1.1]), processesNeeded: null };
    const claim = makeRatioClaim({ formula: 'direction', direction: 'slower' });
    expect(judgeClaim(claim, { ...NOTHING, cell }).reason).toMatch(/no number would be/);
  });
});

test('an interval that holds 1 reproduces no difference, however wide the tolerance', () => {
  /** @type {ReportedFigure} */
  const eight = { formula: 'throughput-percent', percent: 8.32 };
  expect(judge(eight, 'equivalent', [0.97, 1.01, 1.05])).toBe('inconclusive');
});

test('a worker that failed is named as the reason', () => {
  const evidence = { ...NOTHING, failure: 'serialize flat/000/0/baseline: ended by SIGKILL' };
  for (const figure of [
    HALVED,
    /** @type {ReportedFigure} */ ({ formula: 'direction', direction: 'same' }),
  ]) {
    expect(judgeClaim(makeRatioClaim(figure), evidence)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/SIGKILL/),
    });
  }
});

test('what no machine can settle is not tried, and the reason is given', () => {
  const claim = makeRatioClaim(HALVED, { cannotRun: 'needs a server' });
  const cell = measure('slower', [1.9, 2.1, 2.3]);
  expect(judgeClaim(claim, { ...NOTHING, cell })).toMatchObject({
    verdict: 'cannot-run',
    reason: 'needs a server',
  });
});

test('retained bytes are held against the bytes of an instance', () => {
  const claim = makeRatioClaim({
    formula: 'retained-bytes',
    of: 'ObjectId',
    baseline: 128,
    candidate: 72,
  });
  const ratio = { estimate: 0.5, low: 0.5, high: 0.5 };
  const retained = /** @type {any} */ ({ ratio });
  expect(judgeClaim(claim, { ...NOTHING, retained }).verdict).toBe('reproduced');
  expect(judgeClaim(claim, NOTHING).verdict).toBe('inconclusive');
});

describe('what the gate and the contract settle', () => {
  /** @param {string} name @param {ContractRow['outcome']} outcome @returns {ContractRow} */
  const row = (name, outcome) => ({ theme: 'x', name, promise: 'p', outcome, detail: null });
  const contract = [row('deep-equality', 'differs'), row('json', 'holds')];

  test('the same output', () => {
    const claim = makeRatioClaim({ formula: 'same-output' });
    expect(judgeClaim(claim, { ...NOTHING, isSameOutput: true }).verdict).toBe('reproduced');
    expect(judgeClaim(claim, { ...NOTHING, isSameOutput: false }).verdict).toBe('not-reproduced');
  });

  test('a contract that holds, and rows that do not', () => {
    const holds = makeRatioClaim({ formula: 'contract' });
    expect(judgeClaim(holds, { ...NOTHING, contract }).verdict).toBe('not-reproduced');
    const breaks = makeRatioClaim({ formula: 'contract-breaks', rows: ['deep-equality'] });
    expect(judgeClaim(breaks, { ...NOTHING, contract }).verdict).toBe('reproduced');
    const other = makeRatioClaim({ formula: 'contract-breaks', rows: ['json'] });
    expect(judgeClaim(other, { ...NOTHING, contract })).toMatchObject({
      verdict: 'not-reproduced',
      reason: expect.stringMatching(/json/),
    });
  });
});

const manifest = makeManifest();
const { question } = manifest;

test('the cell of the claim, whether its output was right, and what a process takes', () => {
  const { verdict } = recordedRun('refused');
  const timed = { ...verdict, timing: { wallMs: 2000, workerMs: 1800, observations: 9 } };
  const evidence = (/** @type {string} */ corpus) =>
    gatherEvidence(makeClaim('x', { corpus }), { verdict: timed, manifest, question });
  expect(evidence('flat')).toMatchObject({ isSameOutput: false, processMs: 200 });
  expect(evidence('flat').cell?.cell.id).toBe('serialize flat');
  expect(evidence('deep').isSameOutput).toBe(true);
});

test('why there may be no figure: a worker that failed for good, or the time', () => {
  const failure = (/** @type {Partial<import('../../formats/types.ts').Verdict>} */ changes) =>
    gatherEvidence(makeClaim('x'), { verdict: makeVerdict([], changes), manifest, question })
      .failure;
  expect(failure({})).toBeNull();
  expect(failure({ ended: 'budget' })).toMatch(/time ran out/);
  const { failedJobs } = recordedRun('mixed').verdict;
  expect(failure({ ended: 'budget', failedJobs })).toMatch(/ended with exit status 1/);
});
