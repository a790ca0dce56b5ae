/** The short form of a calibration: whether comparisons on this host keep their error rate, and what they find. */

/** @import { Calibration, ModeCalibration, Proportion } from '../../../harness/formats/types.ts' */
/** @import { Block, ListItem, Section, Table } from '../../document/model.ts' */

import { countOf, formatCount, formatShare, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { sumOf } from '../../../harness/stats/means.js';
import { listWords } from '../../../harness/lib/words.js';
import {
  describeConditions,
  MIN_CITED_TRIALS,
  nameConditions,
} from '../../../harness/stats/calibration/trials.js';
import { factOfWhole, figureColumns, list, paragraph, present, untitled } from '../build.js';
import { chooseUsualBudget, summarySection } from '../environment.js';
import {
  formatCountOf,
  formatDetectable,
  formatInjected,
  formatProportion,
  formatProportionInterval,
} from '../shares.js';

/** Kinds of warnings that more time ends; the sentences and intervals show what they say. */
const SHORT = ['interrupted', 'few-trials'];

/**
 * @param {Calibration} calibration
 * @param {string} path of its directory
 * @param {string | null} resume command that adds to it
 * @returns {Section[]}
 */
export function briefSections(calibration, path, resume) {
  const { modes, warnings } = calibration;
  const measured = modes.filter(({ falsePositives }) => falsePositives.of > 0);
  const isShort = warnings.some(({ kind }) => SHORT.includes(kind));
  return [
    summarySection([concludeErrors(measured, calibration)], calibration),
    untitled('figures', [
      modeTable(measured),
      costTable(measured, calibration),
      ...describePlacements(calibration),
      list([
        ...measured.flatMap((mode) => listBadCells(mode, calibration)),
        ...warnings
          .filter(({ kind }) => !SHORT.includes(kind))
          .map(({ text }) => ({ mark: /** @type {const} */ ('warning'), text })),
      ]),
      {
        kind: 'facts',
        facts: present([
          isShort && resume !== null && ['Continue', { command: resume }],
          factOfWhole(path),
        ]),
        only: ['terminal'],
      },
    ]),
  ];
}

/** @type {(mode: ModeCalibration) => boolean} */
function isTooFew({ falsePositives }) {
  return falsePositives.of < MIN_CITED_TRIALS;
}

/** @type {(found: Proportion, alpha: number) => boolean} whether it is certainly more often than the rule allows */
function isAbove({ low }, alpha) {
  return low > alpha;
}

/** @type {(measured: ModeCalibration[], calibration: Calibration) => string} */
function concludeErrors(measured, { alpha }) {
  if (measured.length === 0) return 'No comparison of identical code finished.';
  const bad = measured.filter(({ falsePositives }) => isAbove(falsePositives, alpha));
  if (bad.length > 0) {
    return `Do not trust small differences here: in ${listWords(bad.map(describeConditions))}, identical code is called different more often than the ${formatShare(alpha)} that the rule allows.`;
  }
  if (measured.every(isTooFew)) {
    const most = Math.max(...measured.map(({ falsePositives }) => falsePositives.of));
    return `Too few comparisons of identical code to judge this host by: ${most}, of at least ${MIN_CITED_TRIALS}.`;
  }
  const count = sumOf(measured.map(({ falsePositives }) => falsePositives.count));
  const of = sumOf(measured.map(({ falsePositives }) => falsePositives.of));
  return `Comparisons on this host keep their error rate: of ${countOf(of, 'comparison')} of identical code, ${formatCount(count)} ${count === 1 ? 'was' : 'were'} called different; the rule allows ${formatShare(alpha)}.`;
}

/** @type {(measured: ModeCalibration[]) => Table} */
function modeTable(measured) {
  return {
    kind: 'table',
    label: 'Errors and power',
    isDense: true,
    columns: [
      { title: 'mode', kind: 'name' },
      ...figureColumns('A/A', 'called different', '95 % interval', 'finds', 'in'),
    ],
    rows: measured.map(({ falsePositives, curves, ...conditions }) => {
      const curve = chooseUsualBudget(curves);
      return [
        nameConditions(conditions),
        formatCount(falsePositives.of),
        formatProportion(falsePositives),
        formatProportionInterval(falsePositives),
        formatDetectable(curve?.detectable ?? null, curve?.points.at(-1)?.effect),
        curve === null ? NO_FIGURE : `${curve.budgetSeconds}\u00a0s`,
      ];
    }),
    legend:
      'A/A: comparisons of identical code. Finds: the smallest effect that 4 of 5 comparisons with so many seconds per cell find.',
  };
}

/** @type {(measured: ModeCalibration[], calibration: Calibration) => Table} a row per known cost */
function costTable(measured, { minimumEffect }) {
  const points = measured.flatMap((mode) => mode.points.filter(({ injected }) => injected > 0));
  const costs = new Set(points.map(({ injected, cost }) => formatInjected(injected, cost)));
  return {
    kind: 'table',
    caption: 'Known costs called slower, of the comparisons with each.',
    isDense: true,
    columns: [
      { title: 'cost', kind: 'name', align: 'right' },
      ...figureColumns(...measured.map(nameConditions)),
    ],
    rows: [...costs].map((name) => [
      name,
      ...measured.map((mode) => {
        const point = mode.points.find((one) => formatInjected(one.injected, one.cost) === name);
        return point === undefined ? NO_FIGURE : formatCountOf(point.found);
      }),
    ]),
    legend: `Costs below the minimum effect of ${formatShare(minimumEffect)} are mostly called equivalent, as they should be.`,
  };
}

/** @type {(calibration: Calibration) => Block[]} the worst cell; none where no placement was measured */
function describePlacements({ placements }) {
  const [worst] = placements.toSorted((one, other) => other.spread.estimate - one.spread.estimate);
  if (worst === undefined) return [];
  return [
    paragraph(
      `Where its code lies in memory changes the time of a build, with a standard deviation of up to ${formatShare(worst.spread.estimate)} (${worst.cellId}).`,
    ),
  ];
}

/** @type {(mode: ModeCalibration, calibration: Calibration) => ListItem[]} cells with enough comparisons that are called different too often */
function listBadCells({ byCell, ...conditions }, { alpha }) {
  return Object.entries(byCell).flatMap(([cellId, found]) => {
    if (found.of < MIN_CITED_TRIALS || !isAbove(found, alpha)) return [];
    const where = `${cellId} in ${describeConditions(conditions)}`;
    return [
      {
        mark: /** @type {const} */ ('warning'),
        text: `${where}: ${formatCountOf(found)} comparisons of identical code were called different`,
      },
    ];
  });
}
