import { CLAIM_SCENARIOS } from './scenarios/claims.js';
import { CONTINUOUS_SCENARIOS } from './scenarios/continuous.js';
import { HOST_SCENARIOS } from './scenarios/hosts.js';
import { INTERFERENCE_SCENARIOS } from './scenarios/interference.js';
import { MEMORY_SCENARIOS } from './scenarios/memory.js';
import { PLACEMENT_SCENARIOS } from './scenarios/placements.js';
import { RANKING_SCENARIOS } from './scenarios/ranking.js';
import { RESUMED_SCENARIOS } from './scenarios/resumed.js';
import { TIME_SCENARIOS } from './scenarios/times.js';
import { TREND_SCENARIOS } from './scenarios/trends.js';

/** @import { Scenario } from './scenario.js' */

/** @type {readonly Scenario[]} */
export const SCENARIOS = Object.freeze([
  ...TIME_SCENARIOS,
  ...RESUMED_SCENARIOS,
  ...RANKING_SCENARIOS,
  ...INTERFERENCE_SCENARIOS,
  ...HOST_SCENARIOS,
  ...PLACEMENT_SCENARIOS,
  ...MEMORY_SCENARIOS,
  ...CLAIM_SCENARIOS,
  ...TREND_SCENARIOS,
  ...CONTINUOUS_SCENARIOS,
]);

/** @type {(scenario: Scenario) => string} unique: `times: normal, 1 cell` */
export function nameOf({ group, name }) {
  return `${group}: ${name}`;
}

/**
 * @param {string[]} patterns parts of names; none for all
 * @returns {Scenario[]} those with one of them in their name
 */
export function findScenarios(patterns) {
  if (patterns.length === 0) return [...SCENARIOS];
  return SCENARIOS.filter((scenario) =>
    patterns.some((pattern) => nameOf(scenario).includes(pattern)),
  );
}
