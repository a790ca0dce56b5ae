/** How effects differ between the hosts of a run over several. */

/** @import { HostComparison, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Section } from '../../document/model.ts' */

import {
  countOf,
  formatConfidence,
  formatInterval,
  formatRatio,
  formatShare,
} from '../../../harness/lib/numbers.js';

/** Hosts of a cell that are all named; of more, only those that disagree. */
const MOST_HOSTS = 12;

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {Section} without blocks for one host
 */
export function makeHostsSection({ question }, { cells }) {
  const rows = cells.flatMap(({ cell, hosts }) =>
    hosts === undefined
      ? []
      : [
          [
            { code: cell.id },
            countOf(hosts.effects.length, 'host'),
            '',
            '',
            `spread ${formatShare(hosts.spread)}`,
          ],
          ...listNamed(hosts).map(({ host, ratio, processes, disagrees }) => [
            { code: cell.id },
            `– ${host}`,
            formatRatio(ratio.estimate),
            formatInterval(ratio),
            `${countOf(processes, 'process', 'processes')}${disagrees ? ', disagrees' : ''}`,
          ]),
        ],
  );
  return {
    id: 'hosts',
    title: 'Hosts',
    rank: 3,
    folded: ['markdown'],
    blocks:
      rows.length === 0
        ? []
        : [
            {
              kind: 'table',
              caption: 'The effect on each host.',
              label: 'Effects by host',
              columns: [
                { title: 'cell', kind: 'group' },
                { title: 'host', kind: 'name' },
                { title: 'ratio', align: 'right' },
                { title: `${formatConfidence(question.alpha)} interval`, align: 'right' },
                { title: '' },
              ],
              rows,
              legend:
                'Spread: standard deviation of the true effects between hosts, beyond the noise; the interval of the cell allows for it.',
            },
          ],
  };
}

/** @param {HostComparison} hosts */
function listNamed({ effects }) {
  return effects.length <= MOST_HOSTS ? effects : effects.filter(({ disagrees }) => disagrees);
}
