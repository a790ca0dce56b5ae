import { omitUndefined } from '../../../lib/records.js';
import { averageEffects } from '../../../stats/compare.js';
import { scheduleOf } from '../../../stats/schedule.js';
import { drawUniform } from '../../../stats/random.js';
import { describePlayed, makeQuestion, playFigures } from '../looks.js';
import { drawNormal } from '../noise.js';
import { NOISE, PAIR_NOISE, SCHEDULES } from './times.js';

/** @import { Scenario } from '../scenario.js' */
/** @import { PlannedJob, Question, SimulationLimits } from '../../../formats/types.ts' */

/** Speeds of hosts differ by so much, log scale. */
const SPEEDS = 0.3;

/**
 * A run whose blocks are measured on random hosts, which are drawn anew for each run. The truth is the mean effect over
 * all hosts.
 *
 * @param {object} world
 * @param {number} world.hosts
 * @param {number} world.spread standard deviation of the effect between hosts, log scale
 * @param {number} world.ratio candidate / baseline
 * @param {Question['schedule']} [world.schedule]
 * @param {number} [world.cells] that have the same effect on a host; of more than one the geometric mean is judged
 * @param {SimulationLimits} limits
 * @returns {Scenario}
 */
function makeScenario({ hosts, spread, ratio, schedule, cells = 1 }, limits) {
  const differ = spread === 0 ? 'alike' : `effects differ by ${100 * spread} %`;
  const effect = ratio === 1 ? 'equal' : `${Math.round(100 * (ratio - 1))} % slower`;
  return {
    group: 'hosts',
    name: `${cells === 1 ? '' : `geometric mean of ${cells} cells, `}${hosts} ${schedule === undefined ? 'one at a time' : 'in pairs'}, ${differ}, ${effect}`,
    limits,
    play(random) {
      const truth = Math.log(ratio);
      const drawHost = () => ({
        level: SPEEDS * drawNormal(random),
        effect: truth + spread * drawNormal(random),
      });
      const all = Array.from({ length: hosts }, drawHost);
      const question = makeQuestion(cells, random.next(), omitUndefined({ schedule }));
      // Two blocks are two hosts at most.
      if (hosts > 1) delete question.earlyLook;
      const { comparesPairs } = scheduleOf(question);
      const draw = (comparesPairs ? PAIR_NOISE.pairs : NOISE.normal)(random);
      /** @type {Map<string, number>} */
      const owners = new Map();
      const ownerOf = (/** @type {PlannedJob} */ { block, cellId }) => {
        const key = `${cellId} ${block}`;
        const known = owners.get(key) ?? Math.floor(drawUniform(random) * hosts);
        owners.set(key, known);
        return known;
      };
      const played = playFigures(
        question,
        (job) => {
          const { level, effect: own } = all[ownerOf(job)];
          return level + (draw(job) ?? 0) + (job.arm === 'candidate' ? own : 0);
        },
        (job) => String(ownerOf(job)),
      );
      const judged = describePlayed(played, () => truth);
      if (cells === 1) return { cells: judged };
      const effects = played.flatMap(({ judgement }) => judgement.effect ?? []);
      const interval = averageEffects(effects, question);
      return { cells: [{ ...judged[0], verdict: 'inconclusive', interval }] };
    },
  };
}

const COUNTS = [1, 2, 5, 20, 100];
const EQUAL = { wrong: 0.02, missed: 0.02 };

/** Fewer hosts do not show how much hosts differ in general, and a difference between them costs power. */
const ENOUGH_HOSTS = 20;

export const HOST_SCENARIOS = SCHEDULES.flatMap((schedule) =>
  COUNTS.flatMap((hosts) => {
    const isEnough = hosts >= ENOUGH_HOSTS;
    const world = { hosts, ...omitUndefined({ schedule }) };
    const known = { ...EQUAL, falselyEquivalent: 0.01, ...(isEnough ? { overlooked: 0.25 } : {}) };
    const between = isEnough ? { wrong: 0.03, missed: 0.03 } : {};
    return [
      makeScenario({ ...world, spread: 0, ratio: 1 }, EQUAL),
      makeScenario({ ...world, spread: 0, ratio: 1.03 }, known),
      makeScenario({ ...world, spread: 0.01, ratio: 1 }, between),
      makeScenario({ ...world, spread: 0.03, ratio: 1 }, between),
      ...[0, 0.03].map((spread) =>
        makeScenario(
          { ...world, cells: 6, spread, ratio: 1 },
          hosts === 1 && spread > 0 ? {} : between,
        ),
      ),
    ];
  }),
);
