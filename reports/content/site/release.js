/** The page of a release: how each cell differs from the release before, and which changes are between. */

/** @import { Document } from '../../document/model.ts' */
/** @import { Release, Site } from './map.js' */

import {
  countOf,
  formatChange,
  formatInterval,
  formatRatio,
} from '../../../harness/lib/numbers.js';
import { compareSince } from '../../../harness/stats/since.js';
import { dayOf } from '../../../harness/lib/words.js';
import { drawSpan } from '../../figures/course-plot.js';
import { fact, factList, figureColumns, paragraph, section } from '../build.js';
import { changeTable } from './overview.js';
import { frameOf, linksFrom } from './map.js';
import { reachOf, toneOfInterval } from './words.js';

/** @type {(site: Site, release: Release) => Document} */
export function describeRelease(site, release) {
  const { commits } = site.following;
  const links = linksFrom(site, '../');
  const { name, index } = release;
  const place = site.releases.indexOf(release);
  const [before, next] = [releaseBefore(site, index), site.releases[place + 1]];
  const beside = [
    ...(before === undefined ? [] : [{ path: `../${before.path}`, text: `← ${before.name}` }]),
    ...(next === undefined ? [] : [{ path: `../${next.path}`, text: `${next.name} →` }]),
  ];
  const own = { revision: commits[index].revision, date: commits[index].date };
  return {
    ...frameOf(site, '../', null, beside),
    title: name,
    sections: [
      {
        id: 'release',
        title: 'Release',
        untitled: ['html'],
        blocks: [
          factList([fact('Merge', links.subject(own.revision)), fact('Date', dayOf(own.date))]),
        ],
      },
      ...(before === undefined ? [] : listSince(site, before, own.revision)),
    ],
  };
}

/** @type {(site: Site, index: number) => Release | undefined} the last one of an earlier commit */
export function releaseBefore({ releases }, index) {
  return releases.findLast((one) => one.index < index);
}

/** @type {(site: Site, before: Release, revision: string) => Document['sections']} */
function listSince(site, before, revision) {
  const { commits, reference } = site.following;
  const links = linksFrom(site, '../');
  const { cells, changes } = compareSince(site.following, commits[before.index].revision, revision);
  const reach = reachOf(cells.map(({ ratio }) => ratio));
  return [
    section('changes', `Changes since ${before.name}`, [
      paragraph(
        changes.length === 0 ? 'No change was found.' : `${countOf(changes.length, 'change')}.`,
      ),
      changeTable(changes.toReversed(), site, links, 'Changes'),
    ]),
    section('cells', `Every cell since ${before.name}`, [
      {
        kind: 'table',
        name: 'merge',
        label: 'Every cell',
        columns: [
          { title: 'cell', kind: 'name', sortable: true },
          { title: 'time', align: 'right', sortable: true },
          ...figureColumns('ratio', '95 % interval'),
          { title: '' },
        ],
        rows: cells.map(({ cellId, ratio }) => {
          const tone = toneOfInterval(ratio);
          return [
            { value: links.cell(cellId), sort: cellId },
            {
              value: { tone, text: formatChange(ratio?.estimate).change },
              sort: ratio?.estimate ?? null,
            },
            formatRatio(ratio?.estimate),
            formatInterval(ratio),
            { draw: () => drawSpan(ratio, reach, tone) },
          ];
        }),
        legend: [
          'From the ratios of all merges to ',
          { code: reference },
          ' that belong to the levels of both releases; side by side where the two were compared directly.',
        ],
      },
    ]),
  ];
}
