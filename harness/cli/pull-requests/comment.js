import { FormatError, MachineError, UsageError } from '../../lib/errors.js';
import { escapeControl } from '../../lib/escape.js';
import { openApi } from './github.js';

/** @import { Gh, PullRequest } from './github.js' */

const MAX_ATTEMPTS = 3;

/**
 * Edits the previous comment with the same marker, or creates one. The previous comment is read again
 * just before it is edited, and if it has changed, the choice is made again. The API has no conditional
 * edit, so a short race remains.
 *
 * @param {string} body
 * @param {CommentMarker} own that of its first line
 * @param {ReturnType<typeof openComments>} comments
 * @returns {Promise<{ url: string, notes: string[] }>} `url` of the comment
 * @throws {UsageError} when the previous comment is of a newer run
 * @throws {MachineError} when gh fails, or the comment keeps changing
 */
export async function postComment(body, own, comments) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const choice = chooseComment(await comments.list(), own);
    if (choice.action === 'create') return { url: await comments.create(body), notes: [] };
    const { comment } = choice;
    if (choice.action === 'refuse') {
      const { runId, createdAt } = choice.newer;
      throw new UsageError(
        `the existing comment is of a newer run, ${runId} of ${createdAt}; nothing was posted`,
        { remedy: `see ${comment.url}, or use another --marker than '${own.marker}'` },
      );
    }
    if ((await comments.read(comment.id))?.body !== comment.body) continue;
    const url = await comments.edit(comment.id, body);
    return { url, notes: choice.duplicates.map(describeDuplicate) };
  }
  throw new MachineError(`the comment changed ${MAX_ATTEMPTS} times before it could be edited`, {
    remedy: 'find out who else posts with this marker, then try again',
  });
}

/** @param {{ url: string }} comment */
function describeDuplicate({ url }) {
  return `an older comment with the same marker was left unchanged: ${url}`;
}

/**
 * A comment of a pull request, as the API returns it.
 *
 * @typedef {object} PostedComment
 * @property {string} id
 * @property {string} url
 * @property {string} body
 * @property {boolean} viewerDidAuthor whether the user of gh wrote it
 */

/**
 * What to do; `refuse` if the previous comment is of a newer run.
 *
 * @typedef {{ action: 'create' }
 *   | { action: 'edit', comment: PostedComment, duplicates: PostedComment[] }
 *   | { action: 'refuse', comment: PostedComment, newer: CommentMarker }} Choice
 */

/**
 * Finds the comment to edit: of those with the same marker, the one of the newest run. Comments by others
 * are ignored, since anybody may write a line that looks like a marker.
 *
 * @param {PostedComment[]} comments all of the pull request
 * @param {CommentMarker} own of the comment to be posted
 * @returns {Choice}
 */
function chooseComment(comments, own) {
  const [newest, ...older] = comments
    .flatMap((comment) => {
      const marker = comment.viewerDidAuthor ? readMarker(comment.body) : null;
      return marker?.marker === own.marker ? [{ comment, marker }] : [];
    })
    .sort((a, b) => compareAge(b.marker, a.marker));
  if (newest === undefined) return { action: 'create' };
  const { comment, marker } = newest;
  if (compareAge(marker, own) > 0) return { action: 'refuse', comment, newer: marker };
  return { action: 'edit', comment, duplicates: older.map((found) => found.comment) };
}

const FIELDS = 'id url body viewerDidAuthor';
const LIST = `query($id: ID!, $after: String) {
  node(id: $id) {
    ... on PullRequest {
      comments(first: 50, after: $after) {
        nodes { ${FIELDS} }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;
const READ = `query($id: ID!) { node(id: $id) { ... on IssueComment { ${FIELDS} } } }`;
const CREATE = `mutation($id: ID!, $body: String!) {
  addComment(input: { subjectId: $id, body: $body }) { commentEdge { node { url } } }
}`;
const EDIT = `mutation($id: ID!, $body: String!) {
  updateIssueComment(input: { id: $id, body: $body }) { issueComment { url } }
}`;

/** The comments of a pull request. @param {PullRequest} pullRequest @param {Gh} gh */
export function openComments({ id: pullRequestId, hostname }, gh) {
  const { ask, list } = openApi(hostname, gh);
  return {
    /** @returns {Promise<PostedComment[]>} all pages */
    list: () => list(LIST, { id: pullRequestId }, ({ node }) => node.comments),
    /**
     * @param {string} id of a comment
     * @returns {Promise<PostedComment | null>} null if it was deleted
     */
    async read(id) {
      return (await ask(READ, { id })).node;
    },
    /**
     * @param {string} body
     * @returns {Promise<string>} URL of the new comment
     */
    async create(body) {
      return (await ask(CREATE, { id: pullRequestId, body })).addComment.commentEdge.node.url;
    },
    /**
     * @param {string} id of a comment
     * @param {string} body
     * @returns {Promise<string>} its URL
     */
    async edit(id, body) {
      return (await ask(EDIT, { id, body })).updateIssueComment.issueComment.url;
    },
  };
}

/**
 * The hidden first line of a comment.
 *
 * @typedef {object} CommentMarker
 * @property {string} marker distinguishes several comparisons in one pull request
 * @property {string} runId
 * @property {string} createdAt of the run, ISO 8601 in UTC
 */

const MAX_LENGTH = 200;
const NAME = /^\w[\w.-]{0,63}$/;
const LINE =
  /^<!-- assay (?<marker>\w[\w.-]*) (?<runId>[\w.:+@-]+) (?<createdAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z) -->(\r?\n|$)/;

/**
 * @param {string} marker of an option `--marker`
 * @throws {UsageError} when it is no plain name
 */
export function requireMarkerName(marker) {
  if (NAME.test(marker)) return;
  throw new UsageError(`--marker '${marker}' is not a plain name`, {
    remedy: 'use letters, digits, dots, dashes and underscores, at most 64',
  });
}

/**
 * Nothing in the names can end the line early: other characters become `_`.
 *
 * @param {CommentMarker} comment
 * @returns {string} `<!-- assay default 20250612-a-vs-b 2025-06-12T10:15:02.417Z -->`
 */
export function writeMarker({ marker, runId, createdAt }) {
  return `<!-- assay ${[marker, runId, createdAt].map(makePlain).join(' ')} -->`;
}

/** @type {(text: string) => string} nothing in it ends a hidden line early */
export function makePlain(text) {
  return text.slice(0, MAX_LENGTH).replace(/[^\w.:+@-]/g, '_');
}

/**
 * Reads the first line of a comment.
 *
 * @param {string} body of any comment
 * @returns {CommentMarker | null} null if it is not one of Assay's
 */
function readMarker(body) {
  const { marker, runId, createdAt } = LINE.exec(body)?.groups ?? {};
  return marker === undefined ? null : { marker, runId, createdAt };
}

/**
 * Orders runs by their time, then by their name.
 * @type {(one: CommentMarker, other: CommentMarker) => number} above zero when `one` is newer
 */
function compareAge(one, other) {
  return compareText(one.createdAt, other.createdAt) || compareText(one.runId, other.runId);
}

/** @param {string} one @param {string} other */
function compareText(one, other) {
  if (one === other) return 0;
  return one > other ? 1 : -1;
}

/** More than clocks of hosts differ. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;
/** Characters that are quoted. */
const MAX_MOMENT_LENGTH = 60;

/**
 * The time of a run, for the hidden line of its comment. A run of the future is refused: no later run
 * could replace its comment.
 *
 * @param {string} createdAt of the run, ISO 8601
 * @param {number} nowMs since 1970
 * @returns {string} the same in UTC
 * @throws {FormatError} when it is no time, or in the future
 */
export function checkMoment(createdAt, nowMs) {
  const moment = new Date(createdAt);
  if (moment.getTime() <= nowMs + MAX_AHEAD_MS) return moment.toISOString();
  const shown = escapeControl(createdAt).slice(0, MAX_MOMENT_LENGTH);
  throw new FormatError(`the run cannot have been made at '${shown}', as it says`, {
    remedy: 'restore its manifest.json, or set the clock of the host that wrote it',
  });
}
