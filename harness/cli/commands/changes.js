import { EXIT, UsageError } from '../../lib/errors.js';
import { writeNote } from '../../lib/messages.js';
import { listWords, shortHash, splitPin } from '../../lib/words.js';
import { isAlert } from '../../stats/alarms.js';
import { FOLLOWING_OPTIONS, openFollowing } from '../following.js';
import { FORMAT, FULL, flag, option, printedFormat, word } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { Following } from '../../formats/types.ts' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = {
  since: option(
    '--since <commit>',
    'tag or commit, or the tag of the reference: what became faster or slower since',
    word,
  ),
  ...FOLLOWING_OPTIONS,
  summary: option('--summary <file>', 'also append it to the summary of a workflow job', word),
  post: flag('--post', 'raise each open alert as an issue with gh, and close those of others'),
  repo: option(
    '--repo <owner/name>',
    'repository of the issues (default: that of the directory)',
    word,
  ),
  marker: option('--marker <name>', 'distinguishes several packages of one repository', word),
  check: flag('--check', 'exit with status 1 if an alert is open; suspicions are none'),
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

With --post, an alert is one issue with the label assay. An issue that a person closed
stays closed.

Exit status: 0 done, 1 an alert is open (with --check), 2 usage, 4 gh failed.`,
  run,
};

/** @type {(_args: [], options: ChangesOptions, io: Io) => Promise<number>} exit status */
async function run(_args, options, io) {
  const { describeChanges, describeSince } = await import('../../../reports/content/changes.js');
  const { renderMarkdown } = await import('../../../reports/document/markdown.js');
  const { formatFinding } = await import('../publish.js');

  requireWhere(options);
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
  if (options.post === true) {
    await post(following, options, io);
  } else {
    const format = printedFormat(options);
    io.stdout.write(await formatFinding({ document, data: following }, format, io));
  }
  const isBroken = options.check === true && following.changes.some(isAlert);
  return isBroken ? EXIT.regression : EXIT.done;
}

/** @typedef {OptionValues<typeof OPTIONS>} ChangesOptions */

/**
 * @param {ChangesOptions} options
 * @throws {UsageError} when they say where or how to post, but not to post
 */
function requireWhere({ post: posts, repo, marker }) {
  if (posts === true || (repo ?? marker) === undefined) return;
  throw new UsageError(`${repo === undefined ? '--marker' : '--repo'} needs --post`, {
    remedy: 'add --post, or leave it out to see the alerts',
  });
}

/** @param {Following} following @param {ChangesOptions} options @param {Io} io */
async function post(following, { repo, marker = 'default' }, io) {
  const { requireMarkerName } = await import('../pull-requests/comment.js');
  const { findRepository, openGh } = await import('../pull-requests/github.js');
  const { openIssues, postAlerts } = await import('../pull-requests/issues.js');
  requireMarkerName(marker);
  const gh = openGh(io);
  const issues = openIssues(await findRepository(repo, gh), gh);
  const { done, notes } = await postAlerts(following, marker, issues);
  for (const note of notes) writeNote(io.stderr, note);
  io.stdout.write(done.map((line) => `${line}\n`).join(''));
}

/** Fewer digits may be the name of a tag. */
const MIN_DIGITS = 7;

/**
 * @param {Following} following
 * @param {string} name of a tag, or a commit
 * @returns {{ from: string | null, to: string }} that commit, null for the reference, and the last one, as whole hashes
 * @throws {UsageError} when the branch has no such commit
 */
function findSpan({ commits, branch, reference }, name) {
  const to = commits[commits.length - 1].revision;
  const found =
    commits.findLast(({ releases }) => releases.includes(name)) ??
    commits.find(({ revision }) => name.length >= MIN_DIGITS && revision.startsWith(name));
  if (found !== undefined) return { from: found.revision, to };
  if (isNameOf(reference, name)) return { from: null, to };
  const tags = commits.flatMap(({ releases }) => releases);
  throw new UsageError(`--since: '${name}' is no tag or commit of the measured part of ${branch}`, {
    remedy: `it has ${tags.length === 0 ? 'no tag' : `the ${tags.length === 1 ? 'tag' : 'tags'} ${listWords(tags)}`}, and begins with ${shortHash(commits[0].revision)}; the reference is ${reference}`,
  });
}

/** @type {(reference: string, name: string) => boolean} whether it is the spec, or its tag, commit or version with or without a v */
function isNameOf(reference, name) {
  const { spec } = splitPin(reference);
  return (
    [reference, spec].includes(name) ||
    [name, name.replace(/^v(?=\d)/, '')].some((one) => spec.endsWith(`@${one}`))
  );
}
