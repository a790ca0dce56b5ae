/** The page of a merge: what was compared with what, and what came out on each cell. */

/** @import { FollowedChange, FollowedPurpose, MeasuredCommit } from '../../../harness/formats/types.ts' */
/** @import { Cell, Document, Inline, Section } from '../../document/model.ts' */
/** @import { Links, Site } from './map.js' */

import { dayOf, shortHash } from '../../../harness/lib/words.js';
import {
  countOf,
  formatChange,
  formatInterval,
  formatRatio,
} from '../../../harness/lib/numbers.js';
import { drawSpan } from '../../figures/course-plot.js';
import { VERDICTS } from '../../../harness/stats/verdicts.js';
import { factList, figureColumns, paragraph, present, section, separate } from '../build.js';
import { changesAt, frameOf, linksFrom, mergePath } from './map.js';
import { mergeTable, resultOf } from './overview.js';
import {
  badgeOfState,
  badgeOfVerdict,
  nameState,
  otherCommits,
  reachOf,
  sizeOf,
  toneOfChange,
} from './words.js';

/** @typedef {MeasuredCommit['comparisons'][number]} Comparison */

/** @type {Record<FollowedPurpose, string>} */
const PURPOSES = {
  point: 'With the reference',
  merge: 'With the commit before',
  confirmation: 'Confirmation',
  search: 'Search for the commit',
  more: 'More processes',
};

/** @type {(site: Site) => Document} */
export function describeMerges(site) {
  const links = linksFrom(site, '../');
  const { commits } = site.following;
  return {
    ...frameOf(site, '../', '../merges/index.html'),
    title: 'All merges',
    sections: [
      {
        id: 'merges',
        title: 'All merges',
        untitled: ['html'],
        blocks: [mergeTable(site, links, commits.length)],
      },
    ],
  };
}

/** @type {(site: Site, index: number) => Document} */
export function describeMerge(site, index) {
  const { commits } = site.following;
  const commit = commits[index];
  const links = linksFrom(site, '../');
  const changes = changesAt(site, index);
  const beside = [
    { at: index - 1, text: '← Merge before' },
    { at: index + 1, text: 'Next merge →' },
  ].flatMap(({ at, text }) =>
    commits[at] === undefined ? [] : [{ path: `../${mergePath(commits[at].revision)}`, text }],
  );
  const comparisons = commit.comparisons.filter(({ purpose }) => purpose !== 'point');
  return {
    ...frameOf(site, '../', null, beside),
    title: commit.subject === '' ? { code: shortHash(commit.revision) } : commit.subject,
    sections: [
      {
        id: 'merge',
        title: 'Merge',
        untitled: ['html'],
        blocks: [
          paragraph(describeResult(commit, changes), 'lead'),
          factList(listFacts(site, commit, links)),
        ],
      },
      ...changes.map((change, place) => changeSection(change, place, links)),
      ...comparisons.map((comparison, place) =>
        comparisonSection(comparison, place, site, commit, links),
      ),
      ...(comparisons.length === 0 ? [pointSection(site, commit, links)] : []),
    ],
  };
}

/** @type {(commit: MeasuredCommit, changes: FollowedChange[]) => Inline} */
function describeResult(commit, changes) {
  const shown = changes.filter(({ state }) => state !== 'refuted');
  if (shown.length > 0) {
    return separate(
      shown.map((change) => [
        { tone: toneOfChange(change), text: { strong: sizeOf(change) } },
        ` on ${countOf(change.cells.length, 'cell')} (${nameState(change)})`,
      ]),
      ', ',
    );
  }
  if (commit.isUnchanged)
    return 'Its built code is that of the commit before: it cannot have changed anything.';
  switch (resultOf(commit)) {
    case 'not measured':
      return 'It was not measured: the next measured merge covers it.';
    case 'no change':
      return 'No change was found.';
    default:
      return 'It is the first measured commit.';
  }
}

/** @type {(site: Site, commit: MeasuredCommit, links: Links) => import('../../document/model.ts').Fact[]} */
function listFacts(site, commit, links) {
  const reports = commit.comparisons.flatMap(({ runId, purpose }) => {
    const path = site.reports.get(runId);
    return path === undefined
      ? []
      : { page: links.to(path), text: PURPOSES[purpose].toLowerCase() };
  });
  return present([
    ['Commit', { code: commit.revision }],
    ['Date', dayOf(commit.date)],
    commit.releases.length > 0 && ['Release', separate(commit.releases.map(links.release), ', ')],
    reports.length > 0 && ['Reports', separate(reports, ', ')],
  ]);
}

/** @type {(change: FollowedChange, place: number, links: Links) => Section} */
function changeSection(change, place, links) {
  const { acknowledged, restoredBy, reproduce, before, after } = change;
  const causes = change.cells.filter(({ cause }) => cause !== undefined);
  return section(
    `change-${place + 1}`,
    change.state === 'refuted' ? 'A suspicion that was refuted' : 'The change',
    [
      factList([
        ['State', badgeOfState(change)],
        ['Merge', [links.subject(after), otherCommits(change)]],
        ['Compared with', links.subject(before)],
        ...causes.slice(0, 3).map(({ cellId, cause = '' }) => {
          const of = change.cells.length === 1 ? [] : [links.cell(cellId), ': '];
          return /** @type {[string, Inline]} */ (['Cause', [...of, cause]]);
        }),
        acknowledged !== undefined && [
          'Answer',
          `${acknowledged.answer === 'wontfix' ? 'Won’t fix' : 'Expected'}: ${acknowledged.reason} (line ${acknowledged.line} of the file of answers)`,
        ],
        restoredBy !== undefined && ['Restored by', links.subject(restoredBy)],
        ['Measure again', { command: reproduce }],
      ]),
      {
        kind: 'table',
        label: 'Cells of the change',
        columns: [
          { title: 'cell', kind: 'name' },
          ...figureColumns('time', 'ratio', 'interval', 'suspected', 'interval'),
          { title: 'verdict' },
        ],
        rows: change.cells.map(({ cellId, ratio, suspected, verdict }) => [
          links.cell(cellId),
          { tone: toneOfChange(change), text: formatChange(ratio.estimate).change },
          formatRatio(ratio.estimate),
          formatInterval(ratio),
          formatRatio(suspected.estimate),
          formatInterval(suspected),
          badgeOfVerdict(verdict),
        ]),
      },
    ],
  );
}

/** @type {(comparison: Comparison, place: number, site: Site, commit: MeasuredCommit, links: Links) => Section} */
function comparisonSection(comparison, place, site, { revision }, links) {
  const { purpose, before, cells } = comparison;
  const reach = reachOf(cells.map(({ ratio }) => ratio));
  const hasReference = purpose === 'merge';
  return section(`comparison-${place + 1}`, PURPOSES[purpose], [
    {
      kind: 'table',
      label: PURPOSES[purpose],
      name: 'merge',
      caption:
        before === null
          ? ''
          : ['Time ÷ that of ', links.merge(before), ', measured on ', dayOf(comparison.createdAt)],
      columns: [
        { title: 'cell', kind: 'name' },
        ...figureColumns('time', 'ratio', 'interval'),
        { title: '' },
        { title: 'verdict' },
        ...(hasReference ? referenceColumns() : []),
      ],
      rows: cells.map(({ cellId, verdict, ratio }) => {
        const { tone } = VERDICTS[verdict];
        const shown = tone === 'doubtful' ? 'plain' : tone;
        return [
          links.cell(cellId),
          { tone: shown, text: formatChange(ratio?.estimate).change },
          formatRatio(ratio?.estimate),
          formatInterval(ratio),
          { draw: () => drawSpan(ratio, reach, shown) },
          badgeOfVerdict(verdict),
          ...(hasReference ? referenceCells(site, cellId, revision) : []),
        ];
      }),
    },
  ]);
}

function referenceColumns() {
  return figureColumns('÷ reference', '95 % interval');
}

/** @type {(site: Site, cellId: string, revision: string) => Cell[]} */
function referenceCells({ points }, cellId, revision) {
  const point = points.get(cellId)?.get(revision);
  return [formatRatio(point?.ratio.estimate), formatInterval(point?.ratio)];
}

/** @type {(site: Site, commit: MeasuredCommit, links: Links) => Section} of a commit that was compared with the reference alone */
function pointSection(site, { revision }, links) {
  return section('point', PURPOSES.point, [
    {
      kind: 'table',
      label: PURPOSES.point,
      columns: [{ title: 'cell', kind: 'name' }, ...referenceColumns()],
      rows: site.following.cells
        .filter(({ cellId }) => site.points.get(cellId)?.has(revision))
        .map(({ cellId }) => [links.cell(cellId), ...referenceCells(site, cellId, revision)]),
    },
  ]);
}
