import { FormatError, MachineError, UsageError } from '../../lib/errors.js';
import { showInvisible } from '../../lib/escape.js';

/** @import { Gh, PullRequest } from './github.js' */

const MOST_ATTEMPTS = 3;

/**
 * Posts a comment in place of the earlier one of its marker, or as a new one. The earlier one is read
 * again just before it is edited; when somebody else was quicker, the choice is made anew. The API
 * cannot edit on a condition, so a moment remains in which two may meet.
 *
 * @param {string} body
 * @param {CommentMarker} own what its first line says
 * @param {ReturnType<typeof openComments>} comments
 * @returns {Promise<{ url: string, notes: string[] }>} address of the comment
 * @throws {UsageError} when the comment that is there tells of a newer run
 * @throws {MachineError} when gh fails, or the comment never holds still
 */
export async function postComment(body, own, comments) {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const choice = chooseComment(await comments.list(), own);
    if (choice.action === 'create') return { url: await comments.create(body), notes: [] };
    const { comment } = choice;
    if (choice.action === 'refuse') {
      const { runId, createdAt } = choice.newer;
      throw new UsageError(
        `the comment there tells of a newer run, ${runId} of ${createdAt}: nothing was posted`,
        { remedy: `see ${comment.url}, or choose another --marker than '${own.marker}'` },
      );
    }
    if ((await comments.read(comment.id))?.body !== comment.body) continue;
    const url = await comments.edit(comment.id, body);
    return { url, notes: choice.duplicates.map(describeDuplicate) };
  }
  throw new MachineError(`the comment changed ${MOST_ATTEMPTS} times while it was to be edited`, {
    remedy: 'see who else posts with this marker, then try again',
  });
}

/** @param {{ url: string }} comment */
function describeDuplicate({ url }) {
  return `an older comment of the same marker stays as it is: ${url}`;
}

/**
 * A comment of a pull request, as the API tells it.
 *
 * @typedef {object} PostedComment
 * @property {string} id
 * @property {string} url
 * @property {string} body
 * @property {boolean} viewerDidAuthor whether whoever asks has written it
 */

/**
 * What to do: write a comment, edit that one, or leave the one of a newer run alone.
 *
 * @typedef {{ action: 'create' }
 *   | { action: 'edit', comment: PostedComment, duplicates: PostedComment[] }
 *   | { action: 'refuse', comment: PostedComment, newer: CommentMarker }} Choice
 */

/**
 * Finds the comment that a new one takes the place of: of the same marker, by the same author, and of
 * these the one of the newest run. Anybody may write a line that looks like a marker, so the comments
 * of others do not count.
 *
 * @param {PostedComment[]} comments all that there are
 * @param {CommentMarker} own of the comment to be posted
 * @returns {Choice}
 */
export function chooseComment(comments, own) {
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
const MOST_PAGES = 200;

/**
 * The comments of a pull request through GitHub's GraphQL API. REST does not tell who one is oneself
 * when the token is that of a workflow; `viewerDidAuthor` does.
 *
 * @param {PullRequest} pullRequest
 * @param {Gh} gh
 */
export function openComments({ id: pullRequestId, hostname }, gh) {
  /**
   * @param {string} query
   * @param {Record<string, string | null>} variables
   */
  async function ask(query, variables) {
    const args = ['api', 'graphql', '--hostname', hostname, '--input', '-'];
    return JSON.parse(await gh(args, JSON.stringify({ query, variables }))).data;
  }

  return {
    /** @returns {Promise<PostedComment[]>} all pages */
    async list() {
      const comments = [];
      let after = null;
      for (let page = 0; page < MOST_PAGES; page++) {
        const { node } = await ask(LIST, { id: pullRequestId, after });
        comments.push(...node.comments.nodes);
        const { hasNextPage, endCursor } = node.comments.pageInfo;
        if (!hasNextPage) return comments;
        after = endCursor;
      }
      throw new MachineError(`the pull request has more than ${MOST_PAGES} pages of comments`);
    },
    /**
     * @param {string} id of a comment
     * @returns {Promise<PostedComment | null>} null when it is gone
     */
    async read(id) {
      return (await ask(READ, { id })).node;
    },
    /**
     * @param {string} body
     * @returns {Promise<string>} address of the new comment
     */
    async create(body) {
      return (await ask(CREATE, { id: pullRequestId, body })).addComment.commentEdge.node.url;
    },
    /**
     * @param {string} id of a comment
     * @param {string} body
     * @returns {Promise<string>} its address
     */
    async edit(id, body) {
      return (await ask(EDIT, { id, body })).updateIssueComment.issueComment.url;
    },
  };
}

/**
 * The hidden first line of a comment: whose comment it is, and of which run it tells.
 *
 * @typedef {object} CommentMarker
 * @property {string} marker tells several comparisons of one pull request apart
 * @property {string} runId
 * @property {string} createdAt of the run, ISO 8601 in UTC
 */

const LARGEST_LENGTH = 200;
const NAME = /^\w[\w.-]{0,63}$/;
const LINE =
  /^<!-- assay (?<marker>\w[\w.-]*) (?<runId>[\w.:+@-]+) (?<createdAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z) -->(\r?\n|$)/;

/**
 * Whether a user may call a comparison so.
 *
 * @param {string} marker
 * @returns {boolean}
 */
export function isMarkerName(marker) {
  return NAME.test(marker);
}

/**
 * The line, which nothing in the names can end early: whatever is not plain becomes `_`.
 *
 * @param {CommentMarker} comment
 * @returns {string} `<!-- assay default 20250612-a-vs-b 2025-06-12T10:15:02.417Z -->`
 */
export function writeMarker({ marker, runId, createdAt }) {
  return `<!-- assay ${[marker, runId, createdAt].map(makePlain).join(' ')} -->`;
}

/** @param {string} text */
function makePlain(text) {
  return text.slice(0, LARGEST_LENGTH).replace(/[^\w.:+@-]/g, '_');
}

/**
 * Reads the first line of a comment back.
 *
 * @param {string} body of any comment
 * @returns {CommentMarker | null} null where it is not one of Assay's
 */
export function readMarker(body) {
  const { marker, runId, createdAt } = LINE.exec(body)?.groups ?? {};
  return marker === undefined ? null : { marker, runId, createdAt };
}

/**
 * Orders runs by their age; two of the same moment by their name.
 *
 * @param {CommentMarker} one
 * @param {CommentMarker} other
 * @returns {number} above zero when `one` is newer
 */
export function compareAge(one, other) {
  return compareText(one.createdAt, other.createdAt) || compareText(one.runId, other.runId);
}

/**
 * @param {string} one
 * @param {string} other
 */
function compareText(one, other) {
  if (one === other) return 0;
  return one > other ? 1 : -1;
}

/** Clocks of hosts are not that far apart. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;
/** Characters of what is quoted. */
const LARGEST_MOMENT_LENGTH = 60;

/**
 * The moment of a run, for the hidden line of its comment. A run that says it was made in the future is
 * refused: no later one could take the place of its comment.
 *
 * @param {string} createdAt of the run, ISO 8601
 * @param {number} nowMs since 1970
 * @returns {string} the same in UTC
 * @throws {FormatError} when it is no moment, or has yet to come
 */
export function checkMoment(createdAt, nowMs) {
  const moment = new Date(createdAt);
  if (moment.getTime() <= nowMs + MOST_AHEAD_MS) return moment.toISOString();
  const shown = showInvisible(createdAt).slice(0, LARGEST_MOMENT_LENGTH);
  throw new FormatError(`the run says that it was made at '${shown}', which is not so`, {
    remedy: 'restore its manifest.json, or set the clock of the host that wrote it',
  });
}
