/** An alert: a change of a followed branch that made something slower and that nobody has answered, as an issue says it. */

/** @import { FollowedChange, Following, MeasuredCommit } from '../../harness/formats/types.ts' */
/** @import { Document, Inline } from '../document/model.ts' */

import { countOf, formatChange, formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { dayOf, shortHash } from '../../harness/lib/words.js';
import { VERDICTS } from '../../harness/stats/verdicts.js';
import {
  fact,
  factList,
  figureColumns,
  list,
  listCode,
  paragraph,
  section,
  untitled,
} from './build.js';

/** Commits of a change that are listed; the rest is counted. */
const MAX_COMMITS = 20;

/**
 * @param {FollowedChange} change
 * @returns {string} `serialize flat: +21 % time since 1fc57e4c0123, and 3 more cells`
 */
export function titleOf({ cells, after, commits }) {
  const [worst, ...others] = [...cells].sort((a, b) => b.ratio.estimate - a.ratio.estimate);
  const since = commits === 1 ? 'since' : `since one of ${commits} commits up to`;
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more cell')}`;
  return `${worst.cellId}: ${formatChange(worst.ratio.estimate).change} time ${since} ${shortHash(after)}${more}`;
}

/**
 * @param {FollowedChange} change
 * @param {Pick<Following, 'commits' | 'branch'>} following that has it
 * @returns {Document}
 */
export function describeAlert(change, { commits, branch }) {
  const { cells, reproduce, runIds, before, after } = change;
  const [first, last] = [before, after].map((revision) =>
    commits.findIndex((commit) => commit.revision === revision),
  );
  const slower = cells.filter(({ ratio }) => ratio.estimate > 1);
  const range = commits.slice(first + 1, last + 1).filter(({ isUnchanged }) => !isUnchanged);
  return {
    title: titleOf(change),
    eyebrow: `Assay alert · ${branch}`,
    source: 'assay changes',
    sections: [
      untitled('alert', [
        paragraph(
          [
            `Slower in two comparisons, each with processes of its own: ${countOf(slower.length, 'cell')} since `,
            change.commits === 1 ? { code: shortHash(after) } : `one of ${change.commits} commits`,
            '.',
          ],
          'lead',
        ),
        {
          kind: 'table',
          label: 'Changed cells',
          columns: [
            { title: 'cell', kind: 'name' },
            { title: 'verdict' },
            ...figureColumns('ratio', 'interval', 'first measured as'),
          ],
          rows: cells.map(({ cellId, verdict, ratio, suspected }) => [
            cellId,
            { tone: VERDICTS[verdict].tone, text: verdict },
            formatRatio(ratio.estimate),
            formatInterval(ratio),
            `${formatRatio(suspected.estimate)} (${formatInterval(suspected)})`,
          ]),
          legend: 'Ratio: after the change ÷ before it, of time per document.',
        },
      ]),
      section('cause', 'Cause', [
        list(
          cells.flatMap(({ cellId, cause }) =>
            cause === undefined ? [] : [[{ code: cellId }, `: ${cause}`]],
          ),
        ),
      ]),
      section('commits', change.commits === 1 ? 'Commit' : 'Commits that it may be', [
        list(range.slice(0, MAX_COMMITS).map(describeCommit)),
        ...(range.length > MAX_COMMITS
          ? [paragraph(`${range.length - MAX_COMMITS} more follow.`)]
          : []),
      ]),
      untitled('repeat', [
        { kind: 'command', label: 'Measure it again', text: reproduce },
        factList([fact('Runs', listCode(runIds))]),
      ]),
      section('answer', 'What closes this', [
        paragraph(
          'A later commit that restores the level. Or a line in assay-changes.txt on the branch, with expected or wontfix and your reason:',
        ),
        { kind: 'output', text: `${shortHash(after)} * expected: REASON` },
      ]),
    ],
    footer: '',
  };
}

/** @type {(commit: MeasuredCommit) => Inline} */
function describeCommit({ revision, subject, date }) {
  return [{ code: shortHash(revision) }, ` ${subject} (${dayOf(date)})`];
}
