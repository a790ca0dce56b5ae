/** What a followed branch has become: open alerts, other changes, and how it differs from an earlier commit. */

import { group } from 'd3-array';
import { countOf, formatChange, formatRatio, formatInterval } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { dayOf, shortHash } from '../../harness/lib/words.js';
import { isAlert, isConfirmed } from '../../harness/stats/alarms.js';
import { leastChange, meanOf, toLogs, toRatios } from '../../harness/stats/means.js';
import { compareSince } from '../../harness/stats/since.js';
import { titleOf } from './alert.js';
import {
  capitalize,
  factList,
  figureColumn,
  figureColumns,
  list,
  paragraph,
  present,
  section,
  titled,
  untitled,
} from './build.js';

/** @import { ChangeState, FollowedChange, Following, MeasuredCommit, RatioInterval } from '../../harness/formats/types.ts' */
/** @import { CellSince } from '../../harness/stats/since.js' */
/** @import { Block, Document, Inline, ListItem, Row, Section, Table, Tone } from '../document/model.ts' */

/** What fits on a screen. */
const MOST = { alerts: 3, cells: 3, changes: 8, notes: 3 };

/** @type {Record<ChangeState, string>} */
const STATES = {
  suspected: 'to be confirmed',
  refuted: 'not confirmed',
  open: 'open',
  acknowledged: 'acknowledged',
  restored: 'restored',
};

/** @type {(change: Pick<FollowedChange, 'state' | 'direction' | 'acknowledged' | 'restoredBy'>) => string} and why: `acknowledged: it checks more` */
function describeState({ state, direction, acknowledged, restoredBy }) {
  if (acknowledged !== undefined && state === 'acknowledged') {
    const answer = acknowledged.answer === 'wontfix' ? 'won’t fix' : acknowledged.answer;
    return `${answer}: ${acknowledged.reason}`;
  }
  if (state === 'restored') return `restored by ${shortHash(restoredBy ?? '')}`;
  return state === 'open' && direction === 'faster' ? 'confirmed' : STATES[state];
}

/** @type {(change: FollowedChange) => string} of all cells: `+21 %`, `+12 % to +21 %` */
function describeSize({ cells }) {
  const ratios = cells.map(({ ratio }) => ratio.estimate).sort((one, other) => one - other);
  const ends = [ratios[0], ratios[ratios.length - 1]].map((one) => formatChange(one).change);
  return [...new Set(ends)].join(' to ');
}

/** @type {(ratio: RatioInterval) => string} without the sign that both ends share: `−12 % (9–15)` */
function formatSpan(ratio) {
  const percents = [ratio.low, ratio.high].map((end) => (end - 1) * 100);
  const isOneSided = Math.sign(percents[0]) === Math.sign(percents[1]);
  const digits = Math.max(...percents.map(Math.abs)) < 10 ? 1 : 0;
  const [low, high] = percents
    .map((end) => (isOneSided ? Math.abs(end) : end))
    .sort((one, other) => one - other)
    .map((end) => `${isOneSided ? '' : end < 0 ? '−' : '+'}${Math.abs(end).toFixed(digits)}`);
  return `${formatChange(ratio.estimate).change} (${isOneSided ? `${low}–${high}` : `${low} to ${high}`})`;
}

/** @type {(change: FollowedChange) => Tone} */
function toneOf(change) {
  if (!isConfirmed(change)) return 'quiet';
  if (change.direction === 'faster') return 'good';
  return isAlert(change) ? 'bad' : 'plain';
}

/**
 * @param {Following} following
 * @returns {Document} open alerts first
 */
export function describeChanges(following) {
  const { branch, reference, changes, commits, notes } = following;
  const alerts = changes.filter(isAlert).reverse();
  const others = changes.filter((change) => !isAlert(change)).reverse();
  const lead = paragraph(describeResult(following, alerts), 'lead');
  return {
    title: `Changes of ${branch}`,
    eyebrow: `Assay changes · ${following.family}`,
    source: `${PROGRAM} changes --format json`,
    brief: [
      untitled('alerts', [
        lead,
        ...alerts.slice(0, MOST.alerts).flatMap((one) => alertBlocks(one, following, MOST.cells)),
        ...countLeft(alerts.length - MOST.alerts, 'more alert'),
        changeTable(others.slice(0, MOST.changes), following),
        ...countLeft(others.length - MOST.changes, 'earlier change'),
        list(notes.slice(0, MOST.notes).map(warn)),
        ...countLeft(notes.length - MOST.notes, 'more note'),
      ]),
    ],
    sections: [
      untitled('alerts', [lead, ...alerts.flatMap((one) => alertBlocks(one, following, Infinity))]),
      section('changes', 'Other changes', [changeTable(others, following)]),
      cellSection(changes),
      section('notes', 'Notes', [list(notes.map(warn))]),
    ],
    footer: [
      `${countOf(commits.length, 'commit')} of ${branch}, each compared with `,
      { code: reference },
      '. A change is confirmed by a second comparison, with the code elsewhere in memory.',
    ],
  };
}

/** @type {(text: string) => ListItem} */
function warn(text) {
  return { text, mark: 'warning' };
}

/** @type {(count: number, what: string) => Block[]} */
function countLeft(count, what) {
  return count <= 0 ? [] : [paragraph(`${countOf(count, what)} with --full.`, 'quiet')];
}

/** @type {(following: Following, alerts: FollowedChange[]) => string} */
function describeResult({ branch, commits, cells, changes }, alerts) {
  const measured = commits.filter(({ comparisons }) => comparisons.length > 0).length;
  const pending = changes.filter(({ state }) => state === 'suspected').length;
  return present([
    alerts.length === 0
      ? `No open alert on ${branch}.`
      : `${countOf(alerts.length, 'open alert')} on ${branch}.`,
    pending > 0 && `${countOf(pending, 'suspicion')} to be confirmed.`,
    `${countOf(measured, 'commit')} measured on ${countOf(cells.length, 'cell')}.`,
  ]).join(' ');
}

/** @type {(change: FollowedChange, following: Following, most: number) => Block[]} */
function alertBlocks(change, { commits }, most) {
  const worst = [...change.cells].sort((one, other) => other.ratio.estimate - one.ratio.estimate);
  const causes = worst.flatMap(({ cellId, cause }) =>
    cause === undefined ? [] : [/** @type {Inline} */ ([{ code: cellId }, `: ${cause}`])],
  );
  return [
    titled(titleOf(change), [
      factList([
        ...worst
          .slice(0, most)
          .map(
            ({ cellId, ratio }) => /** @type {[string, Inline]} */ ([cellId, describeRatio(ratio)]),
          ),
        ['Commit', describeRange(change, commits)],
        ['Measure it again', { command: change.reproduce }],
      ]),
      list(causes.slice(0, most === Infinity ? undefined : 1)),
    ]),
  ];
}

/** @type {(ratio: RatioInterval) => string} */
function describeRatio(ratio) {
  return `${formatChange(ratio.estimate).change} time (×${formatRatio(ratio.estimate)}, interval ${formatInterval(ratio)})`;
}

/** @type {(change: FollowedChange, commits: MeasuredCommit[]) => Inline} */
function describeRange({ before, after, commits: count }, commits) {
  const subject = commits.find(({ revision }) => revision === after)?.subject ?? '';
  if (count === 1) return [{ code: shortHash(after) }, ` ${subject}`];
  return [
    `one of ${count} after `,
    { code: shortHash(before) },
    ', the last of them ',
    { code: shortHash(after) },
    ` ${subject}`,
  ];
}

/** @type {(changes: FollowedChange[], following: Pick<Following, 'commits'>) => Table} the newest first */
function changeTable(changes, { commits }) {
  const known = new Map(commits.map((commit) => [commit.revision, commit]));
  return {
    kind: 'table',
    label: 'Changes',
    columns: [
      { title: 'commit', kind: 'name' },
      { title: 'date', spare: 2 },
      figureColumn('time'),
      { title: 'cells', align: 'right', spare: 1 },
      { title: 'state', kind: 'text' },
      { title: 'subject', kind: 'prose', only: ['markdown', 'html'] },
    ],
    rows: changes.map((change) => {
      const commit = known.get(change.after);
      const more = change.commits === 1 ? '' : ` or ${change.commits - 1} before`;
      return /** @type {Row} */ ([
        [{ code: shortHash(change.after) }, more],
        dayOf(commit?.date ?? ''),
        { tone: toneOf(change), text: describeSize(change) },
        String(change.cells.length),
        capitalize(describeState(change)),
        commit?.subject ?? '',
      ]);
    }),
  };
}

/** @type {(changes: FollowedChange[]) => Section} */
function cellSection(changes) {
  return {
    id: 'cells',
    title: 'Cells of all changes',
    folded: ['markdown', 'html'],
    blocks: [
      {
        kind: 'table',
        label: 'Cells of all changes',
        columns: [
          { title: 'commit', kind: 'group' },
          { title: 'cell', kind: 'name' },
          ...figureColumns('ratio', 'interval', 'first measured as'),
          { title: 'cause', kind: 'prose' },
        ],
        rows: changes
          .toReversed()
          .flatMap((change) =>
            change.cells.map(({ cellId, ratio, suspected, cause = '' }) => [
              `${shortHash(change.after)} (${describeState(change)})`,
              cellId,
              { tone: toneOf(change), text: formatRatio(ratio.estimate) },
              formatInterval(ratio),
              formatRatio(suspected.estimate),
              cause,
            ]),
          ),
        legend:
          'Ratio: time per document after the change ÷ before it, over placements of the code where these were measured. Its interval has the level of the confirmation, which is fixed before it is measured.',
      },
    ],
  };
}

/**
 * Release notes: what became faster and slower since a commit.
 *
 * @param {Following} following
 * @param {object} span
 * @param {string | null} span.from whole hash; null for the reference
 * @param {string} span.to whole hash
 * @param {string} span.name what `from` is called: `v7.3.0`
 * @returns {Document}
 */
export function describeSince(following, { from, to, name }) {
  const { cells, changes } = compareSince(following, from, to);
  const known = cells.flatMap(({ ratio, ...cell }) => (ratio === null ? [] : { ...cell, ratio }));
  const byOperation = [...group(known, ({ operation }) => operation)];
  const missing = cells.length - known.length;
  return {
    title: `Performance since ${name}`,
    eyebrow: `Assay changes · ${following.branch}`,
    source: `${PROGRAM} changes --since ${name} --format json`,
    sections: [
      section('since', `Performance since ${name}`, [
        list(byOperation.map(([operation, own]) => describeOperation(operation, own))),
        ...(missing === 0
          ? []
          : [paragraph(`${countOf(missing, 'cell')} without a figure of both.`, 'quiet')]),
      ]),
      section('changes', 'Confirmed changes', [changeTable(changes.toReversed(), following)]),
      untitled('basis', [paragraph(describeBasis(known, following, { from, to }), 'basis')]),
    ],
    footer: '',
  };
}

/** @typedef {CellSince & { ratio: RatioInterval }} KnownCell */

/** @type {(operation: string, cells: KnownCell[]) => ListItem} */
function describeOperation(operation, cells) {
  const mean = averageRatios(cells.map(({ ratio }) => ratio));
  const text = [{ strong: operation }, ' ', describeSpan(mean)];
  const apart = cells
    .filter(({ ratio }) => ratio.low > mean.high || ratio.high < mean.low)
    .sort((one, other) => one.ratio.estimate - other.ratio.estimate);
  if (apart.length === 0) return text;
  return {
    text,
    items: apart.map(({ corpus, ratio }) => [{ code: corpus }, ' ', describeSpan(ratio)]),
  };
}

/** @type {(ratio: RatioInterval) => Inline} */
function describeSpan(ratio) {
  if (leastChange(ratio) <= 0) return `${formatSpan(ratio)}, which may be chance`;
  return { tone: ratio.estimate > 1 ? 'bad' : 'good', text: formatSpan(ratio) };
}

/**
 * @param {RatioInterval[]} ratios
 * @returns {RatioInterval} their geometric mean. Its interval is as wide as theirs are on average, because cells of one build
 *   may err together
 */
function averageRatios(ratios) {
  const logs = ratios.map(toLogs);
  return toRatios({
    estimate: meanOf(logs.map(({ estimate }) => estimate)),
    low: meanOf(logs.map(({ low }) => low)),
    high: meanOf(logs.map(({ high }) => high)),
  });
}

/** @type {(cells: KnownCell[], following: Following, ends: { from: string | null, to: string }) => Inline} */
function describeBasis(cells, { reference }, { from, to }) {
  const direct = cells.filter(({ source }) => source === 'direct').length;
  const how =
    direct === cells.length && direct > 0
      ? ['the two were compared side by side']
      : [
          'from the ratios of the commits to ',
          { code: reference },
          ', which ran beside each of them',
          direct === 0 ? '' : `; ${countOf(direct, 'cell')} side by side`,
        ];
  return [
    'Time per document, ',
    { code: shortHash(to) },
    ' against ',
    { code: from === null ? reference : shortHash(from) },
    ', with intervals of at least 95 %: ',
    ...how,
    '. Of an operation: geometric mean over its cells; cells whose interval lies outside are named.',
  ];
}
