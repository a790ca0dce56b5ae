import { toRatios } from '../../../stats/means.js';
import { forEachArm } from '../../../stats/plan.js';
import { readStatement } from '../../claims/claims.js';
import { judgeClaim, NO_EVIDENCE } from '../../claims/judge.js';
import { judgeReplay, listBands } from '../../replay/judge.js';
import { makeQuestion, playFigures, RULE } from '../looks.js';
import { drawNormal } from '../noise.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { CellComparison, Claim, Question, RatioBand } from '../../../formats/types.ts' */
/** @import { CellJudgement } from '../../../stats/decision-rule.js' */
/** @import { Statement } from '../../claims/claims.js' */
/** @import { Scenario, SimulatedRun } from '../scenario.js' */

const CELL = { id: '0', operation: 'serialize', corpus: 'flat' };

/**
 * @typedef {object} Truth
 * @property {number} ratio candidate / baseline
 * @property {number} spread standard deviation between processes, log scale
 */

/** @typedef {{ judgement: CellJudgement, processes: number }} PlayedCell */

/**
 * Measures one cell look by look until it is decided.
 * @type {(truth: Truth, bands: RatioBand[], random: RandomGenerator) => PlayedCell}
 */
function playCell({ ratio, spread }, bands, random) {
  const center = { baseline: 0, candidate: Math.log(ratio), control: 0 };
  const question = makeQuestion(1, random.next(), { bands: { 0: bands } });
  const [{ judgement, samples }] = playFigures(
    question,
    ({ arm }) => center[arm] + spread * drawNormal(random),
  );
  return { judgement, processes: samples.at(-1)?.size ?? 0 };
}

/** @type {(played: PlayedCell) => CellComparison} with the figures that a judgement of claims and replays reads */
function describePlayed({ judgement: { verdict, effect }, processes }) {
  return /** @type {CellComparison} */ (
    /** @type {unknown} */ ({
      cell: CELL,
      verdict,
      effect: effect === null ? null : { ratio: toRatios(effect.interval) },
      processes: forEachArm(() => processes),
      processesNeeded: null,
    })
  );
}

/**
 * @param {PlayedCell} played
 * @param {Truth} truth
 * @param {RatioBand | undefined} band undefined for a report without a result
 * @param {string} answer
 * @returns {SimulatedRun}
 */
function conclude({ judgement, processes }, { ratio }, band, answer) {
  const { verdict, effect } = judgement;
  const isTrue = band !== undefined && ratio >= band.low && ratio <= (band.high ?? Infinity);
  return {
    cells: [{ truth: Math.log(ratio), verdict, interval: effect?.interval ?? null, processes }],
    isWrong: answer === 'reproduced' && !isTrue,
  };
}

/**
 * @param {{ percent: number, tolerance: number }} claimed more time, in per cent
 * @param {Truth} truth
 * @returns {Scenario}
 */
function makeClaimScenario({ percent, tolerance }, truth) {
  const claim = /** @type {Claim} */ ({ figure: { formula: 'time-percent', percent }, tolerance });
  const { band } = /** @type {Statement} */ (readStatement(claim, RULE.minimumEffect));
  return {
    group: 'claims',
    name: `claimed ${1 + percent / 100} ÷× ${tolerance}, ${describeTruth(truth)}`,
    limits: { wrong: 0.02 },
    play(random) {
      const played = playCell(truth, [band], random);
      const evidence = { ...NO_EVIDENCE, minimumEffect: RULE.minimumEffect };
      const { verdict } = judgeClaim(claim, { ...evidence, cell: describePlayed(played) });
      return conclude(played, truth, band, verdict);
    },
  };
}

/**
 * @param {number} ratio true one on the host of the report
 * @param {Truth} truth on this host
 * @returns {Scenario}
 */
function makeReplayScenario(ratio, truth) {
  return {
    group: 'claims',
    name: `report of ${ratio}, ${describeTruth(truth)}`,
    limits: { wrong: 0.02 },
    play(random) {
      const { verdict, effect } = describePlayed(playCell({ ...truth, ratio }, [], random));
      const results = [{ cellId: CELL.id, verdict, ratio: effect?.ratio ?? null }];
      const record = {
        question: /** @type {Question} */ ({ ...RULE, cells: [CELL] }),
        results,
      };
      const bands = listBands(record)[CELL.id] ?? [];
      const played = playCell(truth, bands, random);
      const { answer } = judgeReplay(record, { cells: [describePlayed(played)] }, []);
      return conclude(played, truth, bands[0], answer);
    },
  };
}

/** @param {Truth} truth */
function describeTruth({ ratio, spread }) {
  return `true ${ratio}, spread ${(spread * 100).toFixed(1)} %`;
}

/** Spreads on a quiet host, a shared host and a loaded host. */
const SPREADS = [0.0105, 0.042, 0.168];

/** With true ratios far from the band, just below it and in it. */
const CLAIMS = [
  { claimed: { percent: 50, tolerance: 1.1 }, ratios: [1.05, 1.1, 1.2, 1.3, 1.36, 1.5] },
  { claimed: { percent: 20, tolerance: 1.05 }, ratios: [1.05, 1.1, 1.14, 1.2, 1.3, 1.5] },
  { claimed: { percent: 50, tolerance: 1.2 }, ratios: [1.1, 1.15, 1.2, 1.3] },
];

/** True ratios on the host of the report, and here. @type {[number, number[]][]} */
const REPLAYS = [
  [1.5, [1.2, 1.3, 1.5]],
  [1.1, [1, 1.03, 1.1]],
  [1, [1, 1.05]],
];

/** A run is wrong if the claim, or the report, is reproduced although the true ratio is outside its band. */
export const CLAIM_SCENARIOS = SPREADS.flatMap((spread) => [
  ...CLAIMS.flatMap(({ claimed, ratios }) =>
    ratios.map((ratio) => makeClaimScenario(claimed, { ratio, spread })),
  ),
  ...REPLAYS.flatMap(([reported, ratios]) =>
    ratios.map((ratio) => makeReplayScenario(reported, { ratio, spread })),
  ),
]);
