import { resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { CHECK, flag, option, word } from '../options.js';
import { showPath } from '../terminal.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { CommentMarker } from '../pull-requests/comment.js' */

/** @typedef {OptionValues<typeof OPTIONS>} PrOptions */

const OPTIONS = {
  post: flag('--post', 'post it with gh, replacing the previous comment'),
  number: option(
    '--number <number>',
    'number of the pull request (default: that of the current branch)',
    word,
  ),
  repo: option(
    '--repo <owner/name>',
    'repository of the pull request (default: that of the directory)',
    word,
  ),
  marker: option('--marker <name>', 'distinguishes several comparisons in one pull request', word, {
    default: 'default',
  }),
  summary: option('--summary <file>', 'also append it to the summary of a workflow job', word),
  check: CHECK,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'print the comment for a pull request, or post it',
  arguments: [['<run>', 'directory of the run']],
  options: OPTIONS,
  notes: `
Exit status: 0 done, 1 slower, 3 wrong bytes (both with --check), 2 usage, or
the existing comment is of a newer run, 4 gh failed.`,
  run,
};

/**
 * The run is judged again from its observations; the reports in its directory are not read.
 * @type {(args: string[], options: PrOptions, io: Io) => Promise<number>} exit status
 */
async function run([path], options, io) {
  const { describeComparison } = await import('../../../reports/content/comparison.js');
  const { renderMarkdown } = await import('../../../reports/document/markdown.js');
  const { readRun } = await import('../../run/store.js');
  const { analyzeRun } = await import('../../run/verdict.js');
  const { findExitStatus } = await import('../comparison.js');
  const { checkMoment, requireMarkerName, writeMarker } =
    await import('../pull-requests/comment.js');

  const { marker } = options;
  requireWhere(options);
  requireMarkerName(marker);
  const stored = await readRun(resolve(io.workingPath, path));
  const { manifest } = stored;
  const createdAt = checkMoment(manifest.createdAt, Date.now());
  const { verdict } = await analyzeRun(stored);
  const own = { marker, runId: manifest.runId, createdAt };
  const runPath = showPath(stored.path, io.workingPath);
  const body = renderMarkdown(describeComparison({ manifest, verdict, runPath }), writeMarker(own));
  if (options.summary !== undefined) {
    const { appendSummary } = await import('../pull-requests/github.js');
    appendSummary(options.summary, body, io);
  }
  if (options.post === true) await post(body, own, options, io);
  else io.stdout.write(body);
  return options.check === true ? findExitStatus(verdict, true) : EXIT.done;
}

/**
 * @param {PrOptions} options
 * @throws {UsageError} when they say where to post, but not to post
 */
function requireWhere({ post: posts, number, repo }) {
  if (posts === true || (number ?? repo) === undefined) return;
  const option = number === undefined ? '--repo' : '--number';
  throw new UsageError(`${option} needs --post`, {
    remedy: 'add --post, or leave both out to see the comment',
  });
}

/** @param {string} body @param {CommentMarker} own @param {PrOptions} options @param {Io} io */
async function post(body, own, options, io) {
  const { findPullRequest, openGh } = await import('../pull-requests/github.js');
  const { openComments, postComment } = await import('../pull-requests/comment.js');
  const gh = openGh(io);
  const pullRequest = await findPullRequest(options, gh);
  const { url, notes } = await postComment(body, own, openComments(pullRequest, gh));
  for (const note of notes) writeNote(io.stderr, note);
  io.stdout.write(`${url}\n`);
}
