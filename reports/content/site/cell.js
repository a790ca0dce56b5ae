/** The page of a cell: its course over all merges, its changes, its releases, and every merge as a table. */

/** @import { FollowedCell } from '../../../harness/formats/types.ts' */
/** @import { Block, Document, Inline, Section } from '../../document/model.ts' */
/** @import { Links, Site } from './map.js' */

import {
  countOf,
  formatChange,
  formatInterval,
  formatRatio,
  formatTime,
} from '../../../harness/lib/numbers.js';
import { dayOf, shortHash } from '../../../harness/lib/words.js';
import { markup } from '../../document/markup.js';
import { drawCourse, nameRatio } from '../../figures/course-plot.js';
import { figureColumns, paragraph, section } from '../build.js';
import { frameOf, lastPoint, linksFrom, mergePath, shorten } from './map.js';
import { badgeOfState, otherCommits, toneOfChange, toneOfRatio } from './words.js';

/** Pixels: of a desktop and of a phone. */
const WIDE = 1120;
const NARROW = 358;

/** Where the script of the page finds the merges. */
const DATA_START = '<script type="application/json" id="course-data">';
const DATA_END = '</script>';

/** @type {(site: Site, cell: FollowedCell) => Document} */
export function describeCell(site, cell) {
  const links = linksFrom(site, '../');
  const { cellId, points } = cell;
  return {
    ...frameOf(site, '../', null),
    title: cellId,
    sections: [
      {
        id: 'course',
        title: 'Course',
        untitled: ['html'],
        blocks:
          points.length === 0 ? [paragraph('It was not measured.')] : courseBlocks(site, cell),
      },
      changeSection(site, cell, links),
      releaseSection(site, cell, links),
      {
        id: 'points',
        title: 'Every merge',
        folded: ['html'],
        blocks: points.length === 0 ? [] : [pointTable(links)],
      },
    ],
    embedded: {
      start: DATA_START,
      end: DATA_END,
      data: points.map(({ revision, ratio, level, ns }) => {
        const index = site.indices.get(revision) ?? 0;
        const { date, subject } = site.following.commits[index];
        return [
          ...[index, shortHash(revision), dayOf(date), shorten(subject)],
          ...[formatRatio(ratio.estimate), formatInterval(ratio), formatRatio(level)],
          formatTime(ns),
        ];
      }),
    },
  };
}

/** @type {(site: Site, cell: FollowedCell) => { change: import('../../../harness/formats/types.ts').FollowedChange, own: import('../../../harness/formats/types.ts').ChangedCell }[]} */
function changesOf({ changes }, { cellId }) {
  return changes.flatMap((change) => {
    const own = change.cells.find((one) => one.cellId === cellId);
    return own === undefined ? [] : [{ change, own }];
  });
}

/** @type {(site: Site, cell: FollowedCell) => Block[]} */
function courseBlocks(site, cell) {
  const { following, indices, releases } = site;
  const { commits, reference } = following;
  const { points, cellId } = cell;
  const changes = changesOf(site, cell);
  const course = {
    count: commits.length,
    points: points.map(({ revision, ratio, level }) => ({
      ...{ index: indices.get(revision) ?? 0, ratio, level },
    })),
    changes: changes.map(({ change, own }) => ({
      index: indices.get(change.after) ?? 0,
      tone: toneOfChange(change),
      text: formatChange(own.ratio.estimate).change,
      href: `../${mergePath(change.after)}`,
    })),
    releases: releases.map(({ name, index, path }) => ({ name, index, href: `../${path}` })),
    ends: /** @type {[string, string]} */ ([
      dayOf(commits[0].date),
      dayOf(commits[commits.length - 1].date),
    ]),
  };
  const label = `${cellId}: ${countOf(points.length, 'measured merge')}, ${countOf(changes.length, 'change')}; the table below has every merge`;
  return [
    paragraph(describeStanding(cell, reference), 'lead'),
    {
      kind: 'figure',
      draw: () => markup`<div class="courses" tabindex="0" role="group" aria-label="Course of ${cellId}, left and right arrow keys go from merge to merge">
${drawCourse(label, course, WIDE, 'wide')}
${drawCourse(label, course, NARROW, 'narrow')}
<p class="readout" aria-live="polite"></p>
</div>`,
      caption: [
        'Time ÷ ',
        { code: reference },
        ', above 1 is slower. Dots with 95 % intervals: merges. Broad line: the level between changes. Vertical lines: changes, and, thin, releases.',
      ],
    },
  ];
}

/** @type {(cell: FollowedCell, reference: string) => Inline} */
function describeStanding(cell, reference) {
  const point = lastPoint(cell);
  if (point === undefined) return '';
  const tone = toneOfRatio(point.level);
  const { change } = formatChange(point.level);
  return [
    'Now ',
    { tone, text: { strong: `×${formatRatio(point.level)}` } },
    ' the time of ',
    { code: reference },
    ` (${change}). Last merge: ×${nameRatio(point.ratio)}, ${formatTime(point.ns)} per document.`,
  ];
}

/** @type {(site: Site, cell: FollowedCell, links: Links) => Section} */
function changeSection(site, cell, links) {
  return section('changes', 'Changes', [
    {
      kind: 'table',
      name: 'changes',
      label: 'Changes',
      columns: [
        { title: 'merge', kind: 'name' },
        ...figureColumns('time', 'interval'),
        { title: 'state' },
        { title: 'cause', kind: 'prose' },
        { title: 'date' },
      ],
      rows: changesOf(site, cell)
        .toReversed()
        .map(({ change, own }) => {
          const commit = site.following.commits[site.indices.get(change.after) ?? -1];
          return [
            [links.subject(change.after), otherCommits(change)],
            { tone: toneOfChange(change), text: formatChange(own.ratio.estimate).change },
            formatInterval(own.ratio),
            badgeOfState(change),
            own.cause ?? '',
            commit === undefined ? '–' : dayOf(commit.date),
          ];
        }),
    },
  ]);
}

/** @type {(site: Site, cell: FollowedCell, links: Links) => Section} */
function releaseSection({ releases, following, indices }, { points }, links) {
  const rows = releases.flatMap(({ name, index }) => {
    // The last merge that was measured before it stands for one that was not.
    const point = points.findLast(({ revision }) => (indices.get(revision) ?? 0) <= index);
    return point === undefined ? [] : [{ name, index, point }];
  });
  return section('releases', 'Releases', [
    {
      kind: 'table',
      label: 'Releases',
      columns: [
        { title: 'release' },
        { title: 'date' },
        ...figureColumns('level', 'ratio', '95 % interval'),
      ],
      rows: rows
        .map(({ name, index, point }) => [
          links.release(name),
          dayOf(following.commits[index].date),
          { tone: toneOfRatio(point.level), text: formatRatio(point.level) },
          formatRatio(point.ratio.estimate),
          formatInterval(point.ratio),
        ])
        .toReversed(),
    },
  ]);
}

/** @type {(links: Links) => Block} filled by the script of the page */
function pointTable(links) {
  return {
    kind: 'figure',
    draw: () => markup`<div class="scroll" role="group" aria-label="Every merge" tabindex="0">
<table id="course-table">
<thead><tr><th scope="col">merge</th><th scope="col">date</th><th scope="col" class="figure">ratio</th><th scope="col" class="figure">95 % interval</th><th scope="col" class="figure">level</th><th scope="col" class="figure">time</th><th scope="col">subject</th></tr></thead>
<tbody></tbody>
</table>
</div>
<noscript><p>This table needs scripts; <a href="./${links.to('merges/index.html')}">all merges</a> have a page each.</p></noscript>`,
  };
}
