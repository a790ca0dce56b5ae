/** The first page of a site: what is open, what changed last, and where each cell stands. */

/** @import { FollowedCell, FollowedChange } from '../../../harness/formats/types.ts' */
/** @import { Block, Document, Inline, Row, Section } from '../../document/model.ts' */
/** @import { Links, Site } from './map.js' */

import { isAlert } from '../../../harness/stats/alarms.js';
import {
  countOf,
  formatChange,
  formatInterval,
  formatRatio,
} from '../../../harness/lib/numbers.js';
import { dayOf } from '../../../harness/lib/words.js';
import { drawSpark } from '../../figures/course-plot.js';
import { figureColumn, paragraph, present, section, separate } from '../build.js';
import { frameOf, isMeasured, lastPoint, linksFrom } from './map.js';
import {
  badgeOfState,
  cellsOfChange,
  otherCommits,
  sizeOf,
  toneOfChange,
  toneOfRatio,
} from './words.js';

/** Rows of the tables that name the latest. */
const MAX_CHANGES = 6;
const MAX_MERGES = 8;
const MAX_RELEASES = 8;

/** @type {(site: Site) => Document} */
export function describeOverview(site) {
  const { following, title, changes } = site;
  const links = linksFrom(site, '');
  const alerts = changes.filter(isAlert).toReversed();
  const latest = changes.filter((change) => !isAlert(change)).toReversed();
  return {
    ...frameOf(site, '', 'index.html'),
    eyebrow: `Assay · ${following.family} · branch ${following.branch}`,
    title,
    sections: [
      {
        id: 'state',
        title: 'State',
        untitled: ['html'],
        blocks: [
          paragraph(describeState(site, alerts), 'lead'),
          ...following.notes.map((note) => paragraph(note, 'remark')),
        ],
      },
      section('alerts', 'Open alerts', [changeTable(alerts, site, links, 'Open alerts')]),
      section('latest', 'Last changes', [
        changeTable(latest.slice(0, MAX_CHANGES), site, links, 'Last changes'),
      ]),
      standingSection(site, links),
      mergeSection(site, links),
      releaseSection(site, links),
    ],
  };
}

/** @type {(site: Site, alerts: FollowedChange[]) => Inline} */
function describeState({ following }, alerts) {
  const { commits, cells, reference } = following;
  const ratios = cells.flatMap((cell) => lastPoint(cell)?.level ?? []);
  const faster = ratios.filter((ratio) => toneOfRatio(ratio) === 'good').length;
  const slower = ratios.filter((ratio) => toneOfRatio(ratio) === 'bad').length;
  const last = commits.findLast(isMeasured);
  return [
    alerts.length === 0
      ? { tone: 'good', text: { strong: 'No alert is open.' } }
      : {
          tone: 'bad',
          text: { strong: `${countOf(alerts.length, 'alert is', 'alerts are')} open.` },
        },
    ` ${countOf(ratios.length, 'cell')} against `,
    { code: reference },
    `: ${faster} faster, ${slower} slower, ${ratios.length - faster - slower} about the same`,
    last === undefined ? '.' : `, as of ${dayOf(last.date)}.`,
  ];
}

/** @type {(changes: FollowedChange[], site: Site, links: Links, label: string) => Block} */
export function changeTable(changes, site, links, label) {
  const { commits } = site.following;
  return {
    kind: 'table',
    label,
    name: 'alerts',
    columns: [
      { title: 'merge', kind: 'name' },
      figureColumn('time'),
      { title: 'state' },
      { title: 'cells', kind: 'prose' },
      { title: 'date' },
    ],
    rows: changes.map((change) => {
      const commit = commits[site.indices.get(change.after) ?? -1];
      return [
        [links.subject(change.after), otherCommits(change)],
        { tone: toneOfChange(change), text: sizeOf(change) },
        badgeOfState(change),
        nameCells(change, site),
        commit === undefined ? '–' : dayOf(commit.date),
      ];
    }),
  };
}

/** Cells that a line names; of more it says how many. */
const MAX_CELLS = 4;

/** @type {(change: FollowedChange, site: Site) => string} */
function nameCells(change, site) {
  const { length } = change.cells;
  const all = site.following.cells.length;
  if (length === all || length <= MAX_CELLS) return cellsOfChange(change, site);
  return `${length} of ${all}`;
}

/** @type {(site: Site, links: Links) => Section} */
function standingSection(site, links) {
  const { cells, reference } = site.following;
  return section('cells', 'Against the reference', [
    {
      kind: 'table',
      name: 'standing',
      label: 'Cells against the reference',
      columns: [
        { title: 'cell', kind: 'name', sortable: true },
        { title: 'level', align: 'right', sortable: true },
        { title: 'course' },
        { title: 'last change', align: 'right', sortable: true },
        { title: 'state' },
        { title: 'merge' },
        { title: 'last merge', align: 'right', sortable: true },
        figureColumn('95 % interval'),
      ],
      rows: cells.flatMap((cell) => standingRow(cell, site, links)),
      legend: [
        'Time divided by that of ',
        { code: reference },
        ', which was measured beside every merge; above 1 is slower. Level: since the last change. Last merge: its own ratio, with its interval.',
      ],
    },
  ]);
}

/** @type {(cell: FollowedCell, site: Site, links: Links) => Row[]} */
function standingRow(cell, site, links) {
  const point = lastPoint(cell);
  if (point === undefined) return [];
  const { points, cellId } = cell;
  const drawn = points.map((one, index) => ({ ...one, index }));
  const change = site.changes.findLast(({ cells }) => cells.some((one) => one.cellId === cellId));
  const size = change?.cells.find((one) => one.cellId === cellId)?.ratio.estimate ?? 1;
  return [
    [
      { value: links.cell(cellId), sort: cellId },
      { value: formatRatio(point.level), sort: point.level, tone: toneOfRatio(point.level) },
      { draw: () => drawSpark({ points: drawn }) },
      change === undefined
        ? { value: '–', sort: null }
        : { value: { tone: toneOfChange(change), text: formatChange(size).change }, sort: size },
      change === undefined ? '' : badgeOfState(change),
      change === undefined ? '' : links.merge(change.after),
      { value: formatRatio(point.ratio.estimate), sort: point.ratio.estimate },
      formatInterval(point.ratio),
    ],
  ];
}

/** @type {(site: Site, links: Links) => Section} */
function mergeSection(site, links) {
  return section('merges', 'Last merges', [
    mergeTable(site, links, MAX_MERGES),
    paragraph([{ page: links.to('merges/index.html'), text: 'All merges' }], 'quiet'),
  ]);
}

/**
 * @param {Site} site
 * @param {Links} links
 * @param {number} most rows; the latest
 * @returns {Block}
 */
export function mergeTable(site, links, most) {
  const { commits } = site.following;
  // Of several changes that end at a commit, one that was not refuted is shown.
  const ends = new Map(
    [...site.following.changes.filter(({ state }) => state === 'refuted'), ...site.changes].map(
      (change) => [change.after, change],
    ),
  );
  return {
    kind: 'table',
    label: 'Merges',
    name: 'merges',
    columns: [
      { title: 'merge', kind: 'name' },
      { title: 'result' },
      { title: 'release' },
      { title: 'date' },
    ],
    rows: commits
      .slice(-most)
      .toReversed()
      .map((commit) => {
        const change = ends.get(commit.revision);
        return [
          links.subject(commit.revision),
          change === undefined
            ? { tone: 'quiet', text: resultOf(commit) }
            : [{ tone: toneOfChange(change), text: sizeOf(change) }, ' ', badgeOfState(change)],
          separate(commit.releases.map(links.release), ', '),
          dayOf(commit.date),
        ];
      }),
  };
}

/** @type {(commit: import('../../../harness/formats/types.ts').MeasuredCommit) => string} of a merge where no change ends */
export function resultOf(commit) {
  if (commit.isUnchanged) return 'same built code';
  if (!isMeasured(commit)) return 'not measured';
  return commit.comparisons.some(({ before }) => before !== null) ? 'no change' : 'first point';
}

/** @type {(site: Site, links: Links) => Section} */
function releaseSection(site, links) {
  const { following, releases, changes, indices } = site;
  return section('releases', 'Releases', [
    {
      kind: 'table',
      label: 'Releases',
      columns: [{ title: 'release' }, { title: 'date' }, { title: 'changes' }],
      rows: releases
        .map(({ name, index }, place) => {
          const first = releases[place - 1]?.index;
          const own = changes.filter(({ after, state }) => {
            const at = indices.get(after) ?? -1;
            return state !== 'suspected' && first !== undefined && at > first && at <= index;
          });
          const count = (/** @type {string} */ word) =>
            own.filter(({ direction }) => direction === word).length;
          return [
            links.release(name),
            dayOf(following.commits[index].date),
            first === undefined
              ? '–'
              : present([
                  count('faster') > 0 && `${count('faster')} faster`,
                  count('slower') > 0 && `${count('slower')} slower`,
                ]).join(', ') || 'none',
          ];
        })
        .slice(-MAX_RELEASES)
        .toReversed(),
    },
  ]);
}
