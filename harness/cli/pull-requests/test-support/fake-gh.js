/**
 * A fake `gh` for tests: serves the comments in `state.json` of its folder, two per page, edits them,
 * and records every call in `calls.ndjson`.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE_SIZE = 2;

const folder = process.env.FAKE_GH_FOLDER ?? '.';
const statePath = join(folder, 'state.json');
/** @type {import('./use-fake-gh.js').FakeState} */
const state = JSON.parse(readFileSync(statePath, 'utf8'));
const args = process.argv.slice(2);
const input = readFileSync(0, 'utf8');
appendFileSync(join(folder, 'calls.ndjson'), `${JSON.stringify({ args, input })}\n`);

if (state.complaint !== undefined) {
  process.stderr.write(`${state.complaint}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(JSON.stringify(args[0] === 'pr' ? viewPullRequest() : answerQuery()));
  writeFileSync(statePath, JSON.stringify(state));
}

function viewPullRequest() {
  return { id: 'PR_1', url: 'https://github.test/owner/name/pull/7' };
}

function answerQuery() {
  const { query, variables } = JSON.parse(input);
  if (query.includes('addComment')) return { data: { addComment: addComment(variables.body) } };
  if (query.includes('updateIssueComment')) {
    return { data: { updateIssueComment: editComment(variables) } };
  }
  if (query.includes('comments(')) return { data: { node: { comments: listPage(variables) } } };
  return { data: { node: readComment(variables.id) } };
}

/** @param {{ after: string | null }} variables */
function listPage({ after }) {
  const from = Number(after ?? 0);
  const end = from + PAGE_SIZE;
  return {
    nodes: state.comments.slice(from, end),
    pageInfo: { hasNextPage: end < state.comments.length, endCursor: String(end) },
  };
}

/**
 * Somebody else edits it first, as often as the state says.
 *
 * @param {string} id
 */
function readComment(id) {
  const comment = state.comments.find((found) => found.id === id);
  const [body, ...others] = state.editsOfOthers ?? [];
  if (comment !== undefined && body !== undefined) {
    comment.body = body;
    state.editsOfOthers = others;
  }
  return comment ?? null;
}

/** @param {string} body */
function addComment(body) {
  const id = `C_${state.comments.length + 1}`;
  const url = `https://github.test/owner/name/pull/7#${id}`;
  state.comments.push({ id, url, body, viewerDidAuthor: true });
  return { commentEdge: { node: { url } } };
}

/** @param {{ id: string, body: string }} variables */
function editComment({ id, body }) {
  const comment = state.comments.find((found) => found.id === id);
  if (comment === undefined) throw new Error(`no comment ${id}`);
  comment.body = body;
  return { issueComment: { url: comment.url } };
}
