import { makeClaim } from '../../../reports/content/test-support/make-reproduction.js';
import { makeCell, makeManifest, makeVerdict } from '../../../reports/fixtures/build.js';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { countReproduced, sketchCell } from '../test-support/sketch-intervals.js';
import { gatherEvidence, judgeClaim, NO_EVIDENCE } from './judge.js';

/** @import { CellComparison, Claim, ClaimDirection, ClaimResult, ContractRow, MemoryMetric, MemoryWord, Question, ReportedFigure, VerdictWord } from '../../formats/types.ts' */
/** @import { SketchedInterval } from '../test-support/sketch-intervals.js' */
/** @import { ClaimEvidence } from './judge.js' */

const EVIDENCE = {
  ...NO_EVIDENCE,
  minimumEffect: 0.03,
  processMs: 200,
  remedies: {
    compare: (/** @type {Pick<Question, 'looks'>} */ { looks }) =>
      `compare with ${looks.join()} processes`,
    reproduce: (/** @type {number} */ minutes) => `reproduce for ${minutes}m`,
  },
};

/**
 * @param {ReportedFigure} figure
 * @param {Partial<ClaimEvidence>} evidence
 * @param {Partial<Claim>} [changes] of the claim
 */
function judge(figure, evidence, changes) {
  return judgeClaim(makeClaim('flat', { figure, ...changes }), { ...EVIDENCE, ...evidence });
}

/** @typedef {[number, number, number]} Ratio low, estimate, high */

/**
 * @param {VerdictWord} verdict
 * @param {Ratio} ratio
 * @param {Partial<CellComparison>} [changes]
 * @returns {{ cell: CellComparison }}
 */
function measure(verdict, ratio, changes = {}) {
  const place = { operation: 'serialize', corpus: 'flat', baselineNs: 1000 };
  return { cell: { ...makeCell({ ...place, verdict, ratio }), ...changes } };
}

/** @type {(percent: number) => ReportedFigure} */
const throughput = (percent) => ({ formula: 'throughput-percent', percent });
/** @type {(direction: ClaimDirection) => ReportedFigure} */
const direction = (word) => ({ formula: 'direction', direction: word });

describe('a claimed ratio', () => {
  /** @type {[string, number, VerdictWord, Ratio, ClaimResult['verdict']][]} */
  const cases = [
    ['2: the interval is within the tolerance', -50, 'slower', [1.9, 2.1, 2.3], 'reproduced'],
    ['2: it reaches below', -50, 'slower', [1.4, 1.7, 2], 'size-open'],
    ['2: it reaches above', -50, 'slower', [2.2, 2.38, 2.6], 'size-open'],
    ['2: it is wider than the tolerance', -50, 'slower', [1.15, 2.2, 4.1], 'size-open'],
    ['2: a smaller effect', -50, 'slower', [1.2, 1.3, 1.4], 'direction-only'],
    ['2: a larger effect', -50, 'slower', [3, 3.5, 4], 'direction-only'],
    ['2: the opposite direction', -50, 'faster', [0.5, 0.6, 0.7], 'not-reproduced'],
    ['2: no effect', -50, 'equivalent', [0.98, 1, 1.02], 'not-reproduced'],
    ['2: an interval around 1', -50, 'inconclusive', [0.8, 1.5, 2.8], 'inconclusive'],
    ['2: a withdrawn direction', -50, 'inconclusive', [1.9, 2.1, 2.3], 'inconclusive'],
    ['2: the control failed', -50, 'untrusted', [1.9, 2.1, 2.3], 'inconclusive'],
    ['2: an arm was refused', -50, 'refused', [1.9, 2.1, 2.3], 'inconclusive'],
    ['1: the interval is within the tolerance', 0.5, 'equivalent', [0.98, 1, 1.02], 'reproduced'],
    ['1: a difference within the tolerance', 0.5, 'slower', [1.04, 1.06, 1.08], 'reproduced'],
    ['1: the interval is too wide', 0.5, 'inconclusive', [0.7, 1, 1.4], 'inconclusive'],
    ['1: twice as much', 0.5, 'slower', [1.9, 2, 2.1], 'not-reproduced'],
    ['0.93: an effect', 8, 'faster', [0.92, 0.94, 0.96], 'reproduced'],
    ['0.93: perhaps below the minimum effect', 8, 'faster', [0.92, 0.95, 0.98], 'size-open'],
    ['0.93: below the minimum effect', 8, 'equivalent', [0.972, 0.98, 0.99], 'not-reproduced'],
    ['0.93: too wide', 8, 'inconclusive', [0.8, 0.97, 1.1], 'inconclusive'],
    ['0.93: opposite within the tolerance', 8, 'slower', [1.05, 1.07, 1.1], 'not-reproduced'],
  ];

  test.each(cases)('of %s', (_, percent, verdict, ratio, expected) => {
    expect(judge(throughput(percent), measure(verdict, ratio)).verdict).toBe(expected);
  });
});

describe('a claimed direction', () => {
  /** @type {[ClaimDirection, VerdictWord, Ratio, ClaimResult['verdict']][]} */
  const cases = [
    ['slower', 'slower', [1.1, 1.2, 1.3], 'reproduced'],
    ['slower', 'slower', [1.01, 1.04, 1.07], 'size-open'],
    ['slower', 'equivalent', [0.99, 1, 1.01], 'not-reproduced'],
    ['slower', 'inconclusive', [0.9, 1.1, 1.3], 'inconclusive'],
    ['slower', 'inconclusive', [1.1, 1.2, 1.3], 'inconclusive'],
    ['faster', 'faster', [0.5, 0.6, 0.7], 'reproduced'],
    ['same', 'equivalent', [0.99, 1, 1.01], 'reproduced'],
    ['same', 'slower', [1.01, 1.03, 1.05], 'inconclusive'],
    ['same', 'faster', [0.5, 0.6, 0.7], 'not-reproduced'],
    ['not-slower', 'faster', [0.5, 0.6, 0.7], 'reproduced'],
    ['not-slower', 'equivalent', [0.99, 1, 1.01], 'reproduced'],
    ['not-slower', 'inconclusive', [0.9, 0.96, 1.02], 'reproduced'],
    ['not-slower', 'inconclusive', [0.9, 1, 1.1], 'inconclusive'],
    ['not-slower', 'slower', [1.1, 1.2, 1.3], 'not-reproduced'],
  ];

  test.each(cases)('%s, measured as %s %j', (word, verdict, ratio, expected) => {
    expect(judge(direction(word), measure(verdict, ratio)).verdict).toBe(expected);
  });
});

describe('for one estimate', () => {
  const MINIMUM_EFFECT = 0.03;
  /** @type {[string, ReportedFigure, number][]} */
  const claims = [
    ['1.5', { formula: 'time-percent', percent: 50 }, 1.1],
    ['1.2', { formula: 'time-percent', percent: 20 }, 1.2],
    ['0.92, with a tolerance beyond 1', { formula: 'time-percent', percent: -8 }, 1.2],
    ['1.06', { formula: 'time-percent', percent: 6 }, 1.015],
    ['1', { formula: 'time-percent', percent: 0 }, 1.05],
    ['1, within less than the minimum effect', { formula: 'time-percent', percent: 0.5 }, 1.01],
    ['slower', direction('slower'), 1.2],
    ['faster', direction('faster'), 1.2],
    ['same', direction('same'), 1.2],
    ['not slower', direction('not-slower'), 1.2],
  ];

  test.each(claims)('a wider interval never reproduces more: %s', (_, figure, tolerance) => {
    const isReproduced = (/** @type {SketchedInterval} */ interval) =>
      judge(figure, sketchCell(interval, MINIMUM_EFFECT), { tolerance }).verdict === 'reproduced';
    expect(countReproduced(isReproduced)).toBeGreaterThan(20);
  });
});

describe('the reason', () => {
  /** @type {[string, ReportedFigure, { cell: CellComparison }, string][]} */
  const cases = [
    [
      'for a ratio: the processes until the interval leaves the edge, and the time of their jobs',
      throughput(-50),
      measure('inconclusive', [0.8, 1.5, 2.8]),
      '12 processes per variant are not enough, about 425 would be (2\u00a0min 50\u00a0s): compare with 425 processes',
    ],
    [
      'for a ratio that a reproduction can settle: a longer reproduction',
      throughput(-50),
      measure('slower', [1.5, 2, 2.6]),
      '12 processes per variant are not enough, about 28 would be (11.2 s): reproduce for 1m',
    ],
    [
      'for a direction that is held back: the processes that the cell needs',
      direction('slower'),
      measure('inconclusive', [1.04, 1.06, 1.08], { processesNeeded: 140 }),
      '12 processes per variant are not enough, about 140 would be (56.0 s): compare with 140 processes',
    ],
    [
      'for a direction that other placements do not show',
      direction('slower'),
      measure('inconclusive', [1.04, 1.06, 1.08], {
        processesNeeded: null,
        placement: /** @type {any} */ ({}),
      }),
      'other placements of the same code do not show the difference',
    ],
    [
      'where no number of processes would help',
      direction('slower'),
      measure('inconclusive', [0.9, 1.03, 1.1]),
      '12 processes per variant are not enough, and no number would be',
    ],
    [
      'where the interval misses the claim and contains 1',
      throughput(-50),
      measure('inconclusive', [0.9, 1.2, 1.6]),
      'the interval excludes the claim',
    ],
    [
      'where the effect has the claimed direction only',
      throughput(-50),
      measure('slower', [3, 3.5, 4]),
      'the effect is larger than claimed',
    ],
  ];

  test.each(cases)('%s', (_, figure, evidence, reason) => {
    expect(judge(figure, evidence).reason).toBe(reason);
  });

  test.each([throughput(-50), direction('same')])('is the failure of a worker: %j', (figure) => {
    const failure = 'serialize flat/000/0/baseline: ended by SIGKILL';
    expect(judge(figure, { failure })).toMatchObject({ verdict: 'inconclusive', reason: failure });
  });

  test('is that of the claim where it cannot be run', () => {
    const evidence = measure('slower', [1.9, 2.1, 2.3]);
    expect(judge(throughput(-50), evidence, { cannotRun: 'needs a server' })).toMatchObject({
      verdict: 'cannot-run',
      reason: 'needs a server',
    });
  });
});

/** @param {string} name @param {ContractRow['outcome']} outcome @returns {ContractRow} */
const row = (name, outcome) => ({ theme: 'x', name, promise: 'p', outcome, detail: null });
const contract = [row('deep-equality', 'differs'), row('json', 'holds')];
/** @type {(verdict: MemoryWord, ratio: Ratio) => Partial<ClaimEvidence>} */
const retain = (verdict, [low, estimate, high]) => ({
  retained: /** @type {MemoryMetric} */ ({ verdict, ratio: { low, estimate, high } }),
});
/** @type {ReportedFigure} */
const RETAINED = { formula: 'retained-bytes', of: 'ObjectId', baseline: 128, candidate: 72 };

test.each(
  /** @type {[string, ReportedFigure, Partial<ClaimEvidence>, Partial<ClaimResult>][]} */ ([
    ['retained bytes', RETAINED, retain('smaller', [0.5, 0.5, 0.5]), { verdict: 'reproduced' }],
    [
      'retained bytes with an interval across the tolerance',
      RETAINED,
      retain('smaller', [0.4, 0.5, 0.6]),
      { verdict: 'size-open', reason: 'the interval is too wide' },
    ],
    [
      'retained bytes without a verdict',
      RETAINED,
      retain('inconclusive', [0.5, 0.5, 0.5]),
      { verdict: 'inconclusive' },
    ],
    [
      'more retained bytes',
      RETAINED,
      retain('larger', [1.5, 1.5, 1.5]),
      { verdict: 'not-reproduced', reason: 'it is larger here' },
    ],
    [
      'retained bytes of which the control has others',
      RETAINED,
      retain('untrusted', [0.5, 0.5, 0.5]),
      { verdict: 'inconclusive', reason: 'the control differs from the baseline' },
    ],
    ['bytes that were not measured', RETAINED, {}, { verdict: 'inconclusive' }],
    ['equal output', { formula: 'same-output' }, { isSameOutput: true }, { verdict: 'reproduced' }],
    [
      'other output',
      { formula: 'same-output' },
      { isSameOutput: false },
      { verdict: 'not-reproduced' },
    ],
    ['a failing contract', { formula: 'contract' }, { contract }, { verdict: 'not-reproduced' }],
    [
      'a row that fails as claimed',
      { formula: 'contract-breaks', rows: ['deep-equality'] },
      { contract },
      { verdict: 'reproduced' },
    ],
    [
      'a row that holds',
      { formula: 'contract-breaks', rows: ['json'] },
      { contract },
      { verdict: 'not-reproduced', reason: 'these rows hold: json' },
    ],
  ]),
)('%s', (_, figure, evidence, expected) => {
  expect(judge(figure, evidence)).toMatchObject(expected);
});

describe('the evidence of a run', () => {
  const manifest = makeManifest();
  const { question } = manifest;
  const commands = {
    compare: (/** @type {Question} */ { cells, looks }) => `compare ${cells[0].id} ${looks.join()}`,
    reproduce: (/** @type {string[]} */ ids, minutes = 0) => `reproduce ${ids.join()} ${minutes}`,
  };

  test('has the cell of the claim, whether its output is correct, and the time of a process', () => {
    const { verdict } = recordedRun('refused');
    const timed = { ...verdict, timing: { wallMs: 2000, workerMs: 1800, observations: 9 } };
    const evidence = (/** @type {string} */ corpus) =>
      gatherEvidence(makeClaim('x', { corpus }), { verdict: timed, manifest, question }, commands);
    expect(evidence('flat')).toMatchObject({ isSameOutput: false, processMs: 200 });
    expect(evidence('flat').cell?.cell.id).toBe('serialize flat');
    expect(evidence('deep').isSameOutput).toBe(true);
    const { remedies } = evidence('deep');
    expect(remedies?.compare({ looks: [7] })).toBe('compare serialize deep 7');
    expect(remedies?.reproduce(3)).toBe('reproduce TICKET-1/x 3');
  });

  test('has the reason for a missing figure: a worker that failed for good, or the time', () => {
    const failure = (/** @type {Partial<import('../../formats/types.ts').Verdict>} */ changes) => {
      const verdict = makeVerdict([], changes);
      return gatherEvidence(makeClaim('x'), { verdict, manifest, question }, commands).failure;
    };
    expect(failure({})).toBeNull();
    expect(failure({ ended: 'budget' })).toMatch(/time ran out/);
    const { failedJobs } = recordedRun('mixed').verdict;
    expect(failure({ ended: 'budget', failedJobs })).toMatch(/ended with exit status 1/);
  });
});
