/**
 * A fake `gh` for tests. Called as a program, it serves the comments and issues in `state.json` of its folder, two per
 * page, edits them, and records every call in `calls.ndjson`.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { PostedComment } from '../comment.js' */
/** @import { PostedIssue } from '../issues.js' */

/** @typedef {PostedIssue & { title?: string, comments?: string[] }} FakeIssue */

/**
 * @typedef {object} FakeState
 * @property {PostedComment[]} [comments]
 * @property {FakeIssue[]} [issues]
 * @property {boolean} [hasIssuesEnabled] true where not given
 * @property {string[]} [editsOfOthers] bodies that others write, one before each read
 * @property {string} [complaint] an error that it prints instead of doing anything
 */

const PAGE_SIZE = 2;
const SCRIPT = fileURLToPath(import.meta.url);
const REPOSITORY = 'https://github.test/owner/name';
const PULL_REQUEST = `${REPOSITORY}/pull/7`;

if (process.argv[1] === SCRIPT) answer(process.env.FAKE_GH_FOLDER ?? '.');

/**
 * Puts a fake `gh` on a PATH.
 *
 * @param {string} folder new
 * @param {FakeState} state
 */
export function useFakeGh(folder, state) {
  const { statePath, callsPath } = listFiles(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(statePath, JSON.stringify(state));
  writeFileSync(join(folder, 'gh'), `#!/bin/sh\nexec '${process.execPath}' '${SCRIPT}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    environment: { PATH: [folder, process.env.PATH].join(delimiter), FAKE_GH_FOLDER: folder },
    /** @returns {PostedComment[]} as they are now */
    readComments: () => JSON.parse(readFileSync(statePath, 'utf8')).comments,
    /** @returns {FakeIssue[]} as they are now */
    readIssues: () => JSON.parse(readFileSync(statePath, 'utf8')).issues,
    /** @param {FakeState} changed what people do meanwhile */
    change: (changed) => writeFileSync(statePath, JSON.stringify(changed)),
    /** @returns {{ args: string[], input: string }[]} */
    listCalls: () =>
      existsSync(callsPath)
        ? readFileSync(callsPath, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}

/** @param {string} folder */
function listFiles(folder) {
  return { statePath: join(folder, 'state.json'), callsPath: join(folder, 'calls.ndjson') };
}

/** @param {string} folder */
function answer(folder) {
  const { statePath, callsPath } = listFiles(folder);
  /** @type {FakeState} */
  const state = JSON.parse(readFileSync(statePath, 'utf8'));
  const args = process.argv.slice(2);
  const input = readFileSync(0, 'utf8');
  appendFileSync(callsPath, `${JSON.stringify({ args, input })}\n`);
  if (state.complaint !== undefined) {
    process.stderr.write(`${state.complaint}\n`);
    process.exitCode = 1;
    return;
  }
  process.stdout.write(answerCommand(args, input, state));
  writeFileSync(statePath, JSON.stringify(state));
}

/**
 * @param {string[]} args
 * @param {string} input
 * @param {FakeState} state
 * @returns {string}
 */
function answerCommand(args, input, state) {
  const { hasIssuesEnabled = true, issues = [] } = state;
  switch (args[0]) {
    case 'pr':
      return JSON.stringify({ id: 'PR_1', url: PULL_REQUEST });
    case 'repo': {
      const nameWithOwner = 'owner/name';
      return JSON.stringify({ id: 'R_1', nameWithOwner, url: REPOSITORY, hasIssuesEnabled });
    }
    case 'label':
      return '';
    case 'issue': {
      const number = issues.length + 1;
      const url = `${REPOSITORY}/issues/${number}`;
      const title = args[args.indexOf('--title') + 1];
      issues.push({ id: `I_${number}`, url, title, body: input, state: 'OPEN', comments: [] });
      state.issues = issues;
      return `${url}\n`;
    }
    default:
      return JSON.stringify(answerQuery(input, state));
  }
}

/**
 * @param {unknown[]} all
 * @param {string | null} after
 */
function cutPage(all, after) {
  const from = Number(after ?? 0);
  const end = from + PAGE_SIZE;
  const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
  return { nodes: all.slice(from, end), pageInfo };
}

/**
 * @param {string} input
 * @param {FakeState} state
 */
function answerQuery(input, { comments = [], issues = [], editsOfOthers = [] }) {
  const { query, variables } = JSON.parse(input);
  const { id, after, comment: said, ...change } = variables;
  const { body } = change;
  const comment = comments.find((found) => found.id === id);
  if (query.includes('issues(')) return { data: { node: { issues: cutPage(issues, after) } } };
  if (query.includes('updateIssue(')) {
    const issue = issues.find((found) => found.id === id);
    if (issue === undefined) throw new Error(`no issue ${id}`);
    Object.assign(issue, change);
    if (said !== undefined) issue.comments?.push(said);
    return { data: { updateIssue: { issue: { url: issue.url } } } };
  }
  if (query.includes('addComment')) {
    const url = `${PULL_REQUEST}#C_${comments.length + 1}`;
    comments.push({ id: `C_${comments.length + 1}`, url, body, viewerDidAuthor: true });
    return { data: { addComment: { commentEdge: { node: { url } } } } };
  }
  if (query.includes('comments(')) {
    return { data: { node: { comments: cutPage(comments, after) } } };
  }
  if (query.includes('updateIssueComment')) {
    if (comment === undefined) throw new Error(`no comment ${id}`);
    comment.body = body;
    return { data: { updateIssueComment: { issueComment: { url: comment.url } } } };
  }
  // Somebody else edits the comment before it is read, as often as the state says.
  const edit = editsOfOthers.shift();
  if (comment !== undefined && edit !== undefined) comment.body = edit;
  return { data: { node: comment ?? null } };
}
