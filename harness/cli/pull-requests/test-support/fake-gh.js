/**
 * A fake `gh` for tests. Called as a program, it serves the comments in `state.json` of its folder, two per page,
 * edits them, and records every call in `calls.ndjson`.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { PostedComment } from '../comment.js' */

/**
 * @typedef {object} FakeState
 * @property {PostedComment[]} comments
 * @property {string[]} [editsOfOthers] bodies that others write, one before each read
 * @property {string} [complaint] an error that it prints instead of doing anything
 */

const PAGE_SIZE = 2;
const SCRIPT = fileURLToPath(import.meta.url);
const PULL_REQUEST = 'https://github.test/owner/name/pull/7';

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
  const said = args[0] === 'pr' ? { id: 'PR_1', url: PULL_REQUEST } : answerQuery(input, state);
  process.stdout.write(JSON.stringify(said));
  writeFileSync(statePath, JSON.stringify(state));
}

/**
 * @param {string} input
 * @param {FakeState} state
 */
function answerQuery(input, { comments, editsOfOthers = [] }) {
  const { query, variables } = JSON.parse(input);
  const { id, body, after } = variables;
  const comment = comments.find((found) => found.id === id);
  if (query.includes('addComment')) {
    const url = `${PULL_REQUEST}#C_${comments.length + 1}`;
    comments.push({ id: `C_${comments.length + 1}`, url, body, viewerDidAuthor: true });
    return { data: { addComment: { commentEdge: { node: { url } } } } };
  }
  if (query.includes('comments(')) {
    const from = Number(after ?? 0);
    const end = from + PAGE_SIZE;
    const pageInfo = { hasNextPage: end < comments.length, endCursor: String(end) };
    return { data: { node: { comments: { nodes: comments.slice(from, end), pageInfo } } } };
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
