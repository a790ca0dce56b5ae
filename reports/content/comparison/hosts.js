/** How effects differ between the hosts of a run over several. */

/** @import { HostRecord, HostComparison, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Section } from '../../document/model.ts' */

import { group } from 'd3-array';
import {
  countOf,
  formatConfidence,
  formatInterval,
  formatRatio,
} from '../../../harness/lib/numbers.js';
import { figureColumns } from '../build.js';
import { formatSpread } from '../shares.js';

/** Hosts of a cell that are all named; of more, only those that disagree. */
const MAX_HOSTS = 12;

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @param {HostRecord[]} measuring that have measured the run
 * @returns {Section} without blocks where no fleet has measured
 */
export function makeHostsSection({ question }, { cells }, measuring) {
  const rows = cells.flatMap(({ cell, hosts }) =>
    hosts === undefined
      ? []
      : [
          [
            { code: cell.id },
            countOf(hosts.effects.length, 'host'),
            '',
            '',
            `spread ${formatSpread(hosts.spread)}`,
          ],
          ...listNamed(hosts).map(({ host, ratio, figures, pairs, disagrees }) => [
            { code: cell.id },
            `– ${host}`,
            formatRatio(ratio.estimate),
            formatInterval(ratio),
            `${pairs === undefined ? countOf(figures ?? 0, 'figure') : countOf(pairs, 'pair')}${disagrees ? ', disagrees' : ''}`,
          ]),
        ],
  );
  return {
    id: 'hosts',
    title: 'Hosts',
    order: 3,
    folded: ['markdown'],
    blocks: [
      ...(rows.length === 0
        ? []
        : [
            /** @type {Block} */ ({
              kind: 'table',
              caption: 'The effect on each host.',
              label: 'Effects by host',
              columns: [
                { title: 'cell', kind: 'group' },
                { title: 'host', kind: 'name' },
                ...figureColumns('ratio', `${formatConfidence(question.alpha)} interval`),
                { title: '' },
              ],
              rows,
              legend:
                'Spread: standard deviation of the true effects between hosts, beyond the noise; the interval of the cell allows for it.',
            }),
          ]),
      ...(measuring.length === 0 ? [] : [makeKindsTable(measuring)]),
    ],
  };
}

/** @type {(measuring: HostRecord[]) => Block} hosts grouped by what they are and run */
function makeKindsTable(measuring) {
  const kinds = group(measuring, describeKind);
  return {
    kind: 'table',
    caption: 'What the hosts are.',
    label: 'Hosts by processor and runtime',
    columns: [
      { title: 'hosts', kind: 'name' },
      { title: 'processor, kernel, Node' },
      { title: 'A/A comparisons that were wrong' },
    ],
    rows: [...kinds].map(([kind, hosts]) => [nameAll(hosts), kind, describeCalibrations(hosts)]),
  };
}

/** @param {HostRecord} host */
function describeKind({ environment }) {
  const { cpuCount, cpuModel, kernel, node } = environment;
  return `${cpuCount} × ${cpuModel}, ${kernel}, ${node.replace(/^v/, '')}`;
}

/** @param {HostRecord[]} hosts */
function nameAll(hosts) {
  const names = [...new Set(hosts.map(({ host }) => host))];
  const rest = names.length - MAX_HOSTS;
  return `${names.slice(0, MAX_HOSTS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** @param {HostRecord[]} hosts of one kind */
function describeCalibrations(hosts) {
  const found = hosts.flatMap(({ calibration }) => calibration?.falsePositives ?? []);
  if (found.length === 0) return 'not calibrated';
  const sum = (/** @type {'count' | 'of'} */ key) =>
    found.reduce((all, each) => all + each[key], 0);
  return `${sum('count')} of ${sum('of')} on ${countOf(found.length, 'host')}`;
}

/** @param {HostComparison} hosts */
function listNamed({ effects }) {
  return effects.length <= MAX_HOSTS ? effects : effects.filter(({ disagrees }) => disagrees);
}
