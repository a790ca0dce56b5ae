import { resolve } from 'node:path';
import { renderMarkdown } from '../../../reports/markdown.js';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { analyzeRun, restoreSessionTotals } from '../../run/verdict.js';
import { showPath } from '../publish.js';
import { appendSummary, findPullRequest, openGh } from '../pull-requests/github.js';
import {
  checkMoment,
  isMarkerName,
  openComments,
  postComment,
  writeMarker,
} from '../pull-requests/comment.js';
import { readRun } from '../../run/store.js';
import { findExitStatus } from '../arguments.js';

/** @import { Io } from '../cli.js' */
/** @import { CommentMarker } from '../pull-requests/comment.js' */

/**
 * @typedef {object} PrOptions
 * @property {boolean} [post]
 * @property {string} [number]
 * @property {string} [repo]
 * @property {string} marker
 * @property {string} [summary]
 * @property {boolean} [check]
 */

/**
 * `just pr RUN`: prints the comment for a pull request, and with `--post` sends it. The run is judged
 * again from its observations: what reports lie in its directory is not read.
 *
 * @param {string[]} args
 * @param {PrOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([path], options, io) {
  const { marker } = options;
  requireWhere(options);
  if (!isMarkerName(marker)) {
    throw new UsageError(`--marker '${marker}' is not a plain name`, {
      remedy: 'use letters, digits, points, dashes and underscores, at most 64',
    });
  }
  const run = await readRun(resolve(io.workingPath, path));
  const { manifest } = run;
  const createdAt = checkMoment(manifest.createdAt, Date.now());
  const { verdict } = await analyzeRun(run, restoreSessionTotals(run));
  const own = { marker, runId: manifest.runId, createdAt };
  const runPath = showPath(run.path, io.workingPath);
  const body = renderMarkdown({ manifest, verdict, runPath }, writeMarker(own));
  if (options.summary !== undefined) summarize(options.summary, body, io);
  if (options.post === true) await post(body, own, options, io);
  else io.stdout.write(body);
  return options.check === true ? findExitStatus(verdict, true) : EXIT.done;
}

/**
 * @param {PrOptions} options
 * @throws {UsageError} when they say where to post and not to post
 */
function requireWhere({ post: posts, number, repo }) {
  if (posts === true || (number ?? repo) === undefined) return;
  const option = number === undefined ? '--repo' : '--number';
  throw new UsageError(`${option} says where to post, and there is no --post`, {
    remedy: 'add --post, or leave it out to see what would be posted',
  });
}

/**
 * @param {string} file
 * @param {string} body
 * @param {Io} io
 */
function summarize(file, body, io) {
  if (appendSummary(resolve(io.workingPath, file), body)) return;
  io.stderr.write(`note: '${file}' would pass the 1 MiB that GitHub shows: nothing was added\n`);
}

/**
 * @param {string} body
 * @param {CommentMarker} own
 * @param {PrOptions} options
 * @param {Io} io
 */
async function post(body, own, options, io) {
  const gh = openGh(io);
  const pullRequest = await findPullRequest(options, gh);
  const { url, notes } = await postComment(body, own, openComments(pullRequest, gh));
  for (const note of notes) io.stderr.write(`note: ${note}\n`);
  io.stdout.write(`${url}\n`);
}
