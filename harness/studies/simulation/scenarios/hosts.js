import { omitUndefined } from '../../../lib/records.js';
import { scheduleOf } from '../../../stats/schedule.js';
import { drawUniform } from '../../../stats/random.js';
import { describePlayed, makeQuestion, playFigures } from '../looks.js';
import { drawNormal } from '../noise.js';
import { NOISE, PAIR_NOISE, SCHEDULES } from './times.js';

/** @import { Scenario } from '../scenario.js' */
/** @import { Question, SimulationLimits } from '../../../formats/types.ts' */

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
 * @param {SimulationLimits} limits
 * @returns {Scenario}
 */
function makeScenario({ hosts, spread, ratio, schedule }, limits) {
  const differ = spread === 0 ? 'alike' : `effects differ by ${100 * spread} %`;
  const effect = ratio === 1 ? 'equal' : `${Math.round(100 * (ratio - 1))} % slower`;
  return {
    group: 'hosts',
    name: `${hosts} ${schedule === undefined ? 'one at a time' : 'in pairs'}, ${differ}, ${effect}`,
    limits,
    play(random) {
      const truth = Math.log(ratio);
      const drawHost = () => ({
        level: SPEEDS * drawNormal(random),
        effect: truth + spread * drawNormal(random),
      });
      const all = Array.from({ length: hosts }, drawHost);
      const question = makeQuestion(1, random.next(), omitUndefined({ schedule }));
      // Two blocks are two hosts at most.
      if (hosts > 1) delete question.earlyLook;
      const { comparesPairs } = scheduleOf(question);
      const draw = (comparesPairs ? PAIR_NOISE.pairs : NOISE.normal)(random);
      /** @type {Map<number, number>} */
      const owners = new Map();
      const ownerOf = (/** @type {number} */ block) => {
        const known = owners.get(block) ?? Math.floor(drawUniform(random) * hosts);
        owners.set(block, known);
        return known;
      };
      const played = playFigures(
        question,
        (job) => {
          const { level, effect: own } = all[ownerOf(job.block)];
          return level + (draw(job) ?? 0) + (job.arm === 'candidate' ? own : 0);
        },
        ({ block }) => String(ownerOf(block)),
      );
      return { cells: describePlayed(played, () => truth) };
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
    const known = { ...EQUAL, falselyEquivalent: 0.01, ...(isEnough ? { overlooked: 0.1 } : {}) };
    const between = isEnough ? { wrong: 0.03, missed: 0.03 } : {};
    return [
      makeScenario({ ...world, spread: 0, ratio: 1 }, EQUAL),
      makeScenario({ ...world, spread: 0, ratio: 1.03 }, known),
      makeScenario({ ...world, spread: 0.01, ratio: 1 }, between),
      makeScenario({ ...world, spread: 0.03, ratio: 1 }, between),
    ];
  }),
);
