/** Simulated runs: how often the decision rules are wrong, against what they promise. */

import { countOf, formatShare } from '../../harness/lib/numbers.js';
import { figureColumns, paragraph, section } from './build.js';

/** @import { Block, Document, Inline, Section } from '../document/model.ts' */
/** @import { Proportion, SimulatedScenario, SimulationLimits, SimulationRates } from '../../harness/formats/types.ts' */

/** Titles of the groups, in their order. @type {Record<string, string>} */
const GROUPS = {
  times: 'Times',
  ranking: 'Rankings',
  interference: 'Times beside a disturbance, with a reference loop',
  hosts: 'Several hosts',
  placements: 'Placements',
  memory: 'Memory',
  claims: 'Claims',
  trends: 'Trends',
  continuous: 'Followed branches',
};

/** The shares with a limit. @type {{ key: keyof SimulationLimits, title: string, hint: string }[]} */
const SHARES = [
  { key: 'wrong', title: 'wrong', hint: 'Runs with a direction that is not the true one' },
  { key: 'missed', title: 'missed', hint: 'Cells whose final interval excludes the truth' },
  {
    key: 'falselyEquivalent',
    title: 'false equality',
    hint: 'Cells called equivalent whose truth is at or beyond the minimum effect',
  },
  {
    key: 'overlooked',
    title: 'overlooked',
    hint: 'Cells with a true difference whose verdict is not its direction',
  },
];

/** @type {(results: SimulatedScenario[], simulation: { command: string, runs: number }) => Document} */
export function describeSimulation(results, { command, runs }) {
  const broken = results.filter(isBroken);
  return {
    title: 'Simulated error rates',
    eyebrow: `Assay simulation · ${countOf(results.length, 'scenario')}, ${countOf(runs, 'run')} each`,
    source: `${command} --format json`,
    footer: { code: command },
    sections: [
      {
        id: 'summary',
        title: 'Summary',
        untitled: ['terminal'],
        blocks: [
          paragraph(
            broken.length === 0
              ? `No share is above its limit beyond chance, in any of ${countOf(results.length, 'scenario')}.`
              : `Above a limit beyond chance: ${broken.map(({ name }) => name).join('; ')}.`,
            'lead',
          ),
          paragraph(
            'Every scenario has a known truth, and its runs are judged by the functions that judge real ones. Shares are in per cent with their exact 95 % intervals. Wrong: runs with a direction that is not the true one, or that otherwise break the promise. Missed: cells whose final interval excludes the truth. False equality: cells at or beyond the minimum effect that are called equivalent. Overlooked: cells with a true difference whose verdict is not its direction. ! marks a share above its limit by chance, !! one above it beyond chance.',
            'quiet',
          ),
        ],
      },
      ...Object.entries(GROUPS).map(([group, title]) =>
        groupSection(
          { group, title },
          results.filter((result) => result.group === group),
        ),
      ),
    ],
  };
}

/** @type {(result: SimulatedScenario) => boolean} whether a share is above its limit by more than chance explains */
export function isBroken({ limits, rates }) {
  return SHARES.some(({ key }) => rates.shares[key].low > (limits[key] ?? 1));
}

/** @type {(heading: { group: string, title: string }, results: SimulatedScenario[]) => Section} */
function groupSection({ group, title }, results) {
  return section(group, title, [...ratesTable(results), ...biasTable(results)]);
}

/** @type {(results: SimulatedScenario[]) => Block[]} */
function ratesTable(results) {
  if (results.length === 0) return [];
  const shares = SHARES.filter(({ key }) =>
    results.some(({ limits }) => limits[key] !== undefined),
  );
  return [
    {
      kind: 'table',
      columns: [
        { title: 'scenario', kind: 'group' },
        ...shares.map(({ title, hint }) => ({
          title,
          hint,
          align: /** @type {const} */ ('right'),
        })),
        ...figureColumns('equivalent', 'processes'),
      ],
      rows: results.map(({ name, limits, rates }) => [
        name,
        ...shares.map(({ key }) => describeShare(rates.shares[key], limits[key])),
        formatShare(rates.verdicts.equivalent),
        rates.processes.toFixed(0),
      ]),
    },
  ];
}

/** @type {(share: Proportion, limit: number | undefined) => Inline} `1.54 (1.35–1.74)` */
function describeShare({ count, of, low, high }, limit = 1) {
  if (of === 0) return '';
  const digits = of < 2000 ? 1 : 2;
  const [point, from, to] = [count / of, low, high].map((each) => (100 * each).toFixed(digits));
  const text = `${point} (${from}–${to})`;
  if (low > limit) return { tone: 'bad', text: `!! ${text}` };
  return count / of > limit ? { tone: 'doubtful', text: `! ${text}` } : text;
}

/** @type {(results: SimulatedScenario[]) => Block[]} */
function biasTable(results) {
  const rows = results.filter(({ limits }) => limits.overlooked !== undefined);
  if (rows.length === 0) return [];
  const looks = [
    ...new Set(rows.flatMap(({ rates }) => rates.stops.map((stop) => stop.processes))),
  ];
  looks.sort((a, b) => a - b);
  return [
    {
      kind: 'table',
      caption: 'Error of the estimate, by the number of processes at which a cell stopped',
      columns: [
        { title: 'scenario', kind: 'group' },
        ...figureColumns(...looks.map(String), 'all'),
      ],
      rows: rows.map(({ name, rates: { stops } }) => [
        name,
        ...looks.map((look) =>
          describeBias(
            stops.filter(({ processes }) => processes === look),
            stops,
          ),
        ),
        describeBias(stops, stops),
      ]),
      legend:
        'Estimate ÷ truth, minus 1, and the share of cells that stopped there. A cell that stops early does so because its estimate is large: read its interval, not its estimate.',
    },
  ];
}

/** @type {(some: SimulationRates['stops'], all: SimulationRates['stops']) => string} `+2.1 % (12 %)`, or nothing */
function describeBias(some, all) {
  /** @param {SimulationRates['stops']} stops */
  const count = (stops) => stops.reduce((sum, { cells }) => sum + cells, 0);
  if (count(some) === 0) return '';
  const bias = some.reduce((sum, stop) => sum + stop.bias * stop.cells, 0) / count(some);
  const share = some === all ? '' : ` (${formatShare(count(some) / count(all))})`;
  const percent = 100 * Math.expm1(bias);
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %${share}`;
}
