import { MachineError } from '../../lib/errors.js';

/** @import { PostedComment } from './choose-comment.js' */
/** @import { PullRequest } from './find-pull-request.js' */
/** @import { Gh } from './open-gh.js' */

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
