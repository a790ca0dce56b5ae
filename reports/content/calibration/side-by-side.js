/** Whether agents pinned to groups of processors disturb each other. */

/** @import { CpuGroup, GroupEffect } from '../../../harness/formats/types.ts' */
/** @import { Row, Section, Table } from '../../document/model.ts' */

import { formatInterval, formatRatio, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { findDisturbance } from '../../../harness/stats/calibration/side-by-side.js';

/** @type {(groups: CpuGroup[]) => string[]} */
export function summarizeGroups(groups) {
  return groups.map((group) => {
    const disturbance = findDisturbance(group);
    return disturbance === null
      ? `An agent may be pinned to ${group.cpus}: the others do not disturb it.`
      : `No agent is pinned to ${group.cpus}: ${disturbance}.`;
  });
}

/** @type {(groups: CpuGroup[]) => Section} */
export function groupSection(groups) {
  return {
    id: 'side-by-side',
    title: 'Agents side by side',
    rank: 1,
    blocks: [
      groupTable(
        groups.flatMap(({ cpus, effects }) =>
          effects.map((effect) => [cpus, nameLoad(effect), ...listFigures(effect)]),
        ),
      ),
    ],
  };
}

/**
 * @param {Row[]} rows
 * @param {string} [first] title of the first column
 * @returns {Table}
 */
export function groupTable(rows, first = 'processors') {
  return {
    kind: 'table',
    caption: 'Processors while all other groups run jobs, against idle ones.',
    label: 'Groups of processors side by side',
    columns: [
      { title: first, kind: 'name' },
      { title: 'beside' },
      { title: 'time', align: 'right' },
      { title: '95 %', align: 'right' },
      { title: 'ratio', align: 'right' },
      { title: '95 %', align: 'right' },
      { title: 'noise', align: 'right' },
    ],
    rows,
    legend:
      'Each divided by that beside nothing. Time: figure of a process. Ratio: of a copy with more garbage to the baseline. Noise: between processes, and by those that were disturbed throughout.',
  };
}

/** @type {(effect: GroupEffect) => string} */
export function nameLoad({ beside }) {
  return beside === 'allocation' ? 'garbage' : beside;
}

/** @type {(effect: GroupEffect) => string[]} */
export function listFigures({ slowdown, bias, noiseFactor }) {
  return [
    formatRatio(slowdown?.estimate),
    formatInterval(slowdown),
    formatRatio(bias?.estimate),
    formatInterval(bias),
    noiseFactor === null ? NO_FIGURE : noiseFactor.toFixed(2),
  ];
}
