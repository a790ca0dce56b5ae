import { EXIT, UsageError } from '../../lib/errors.js';
import { listWords } from '../../lib/words.js';
import { isAlert } from '../../stats/alarms.js';
import { FOLLOWING_OPTIONS, openFollowing } from '../following.js';
import { FORMAT, FULL, flag, option, printedFormat, word } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { Following } from '../../formats/types.ts' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = {
  since: option('--since <commit>', 'tag or commit: what became faster or slower since', word),
  ...FOLLOWING_OPTIONS,
  summary: option('--summary <file>', 'also append it to the summary of a workflow job', word),
  check: flag('--check', 'exit with status 1 if an alert is open'),
  format: FORMAT,
  full: FULL,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list open alerts and other changes of a followed branch',
  arguments: [],
  options: OPTIONS,
  notes: `
An alert is a confirmed change that made something slower, which nobody has answered
and no later change took back. A line of assay-changes.txt in the project answers it:
  COMMIT CELLS expected|wontfix: REASON
CELLS are operation/corpus, several with commas; either part, or all of it, may be *.

Exit status: 0 done, 1 an alert is open (with --check), 2 usage.`,
  run,
};

/** @type {(_args: [], options: OptionValues<typeof OPTIONS>, io: Io) => Promise<number>} exit status */
async function run(_args, options, io) {
  const { describeChanges, describeSince } = await import('../../../reports/content/changes.js');
  const { renderMarkdown } = await import('../../../reports/document/markdown.js');
  const { formatFinding } = await import('../publish.js');

  const following = await openFollowing(options, io);
  const { since, summary } = options;
  const document =
    since === undefined
      ? describeChanges(following)
      : describeSince(following, { ...findSpan(following, since), name: since });
  if (summary !== undefined) {
    const { appendSummary } = await import('../pull-requests/github.js');
    appendSummary(summary, renderMarkdown(document), io);
  }
  const format = printedFormat(options);
  io.stdout.write(await formatFinding({ document, data: following }, format, io));
  const isBroken = options.check === true && following.changes.some(isAlert);
  return isBroken ? EXIT.regression : EXIT.done;
}

/** Fewer digits may be the name of a tag. */
const MIN_DIGITS = 7;

/**
 * @param {Following} following
 * @param {string} name of a tag, or a commit
 * @returns {{ from: string, to: string }} that commit and the last one, as whole hashes
 * @throws {UsageError} when the branch has no such commit
 */
function findSpan({ commits, branch }, name) {
  const found =
    commits.findLast(({ releases }) => releases.includes(name)) ??
    commits.find(({ revision }) => name.length >= MIN_DIGITS && revision.startsWith(name));
  if (found !== undefined)
    return { from: found.revision, to: commits[commits.length - 1].revision };
  const tags = commits.flatMap(({ releases }) => releases);
  throw new UsageError(`--since: '${name}' is no tag or commit of the measured part of ${branch}`, {
    remedy: `it has ${tags.length === 0 ? 'no tag' : `the tags ${listWords(tags)}`}, and begins with ${commits[0].revision.slice(0, 12)}`,
  });
}
