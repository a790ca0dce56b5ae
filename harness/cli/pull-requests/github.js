import { execFile } from 'node:child_process';
import { appendFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { MachineError, UsageError } from '../../lib/errors.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */

/**
 * Runs `gh` with these arguments and this standard input.
 *
 * @typedef {(args: string[], input?: string) => Promise<string>} Gh
 */

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
/** A page of comments is the largest answer: 50 of 64 KiB, in characters of up to six bytes in JSON. */
const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/**
 * GitHub's command `gh`, without a shell. It knows the user's hosts, accounts and proxies, so Assay
 * needs no token.
 *
 * @param {Pick<Io, 'environment' | 'workingPath' | 'signal'>} io
 * @returns {Gh} resolves with what it wrote to standard output; rejects with a MachineError that
 *   says what is missing
 */
export function openGh({ environment, workingPath, signal }) {
  return async function runGh(args, input = '') {
    try {
      const running = run('gh', args, {
        cwd: workingPath,
        env: { ...environment, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' },
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_ANSWER_BYTES,
        signal,
      });
      // If gh ends before it has read its input, its own error is more useful than a broken pipe.
      running.child.stdin?.on('error', () => {});
      running.child.stdin?.end(input);
      return (await running).stdout;
    } catch (error) {
      throw explainFailure(/** @type {GhFailure} */ (error));
    }
  };
}

/** @typedef {Error & { code?: string | number, killed?: boolean, stderr?: string }} GhFailure */

/** @type {(error: GhFailure) => MachineError} */
function explainFailure(error) {
  const { code, killed, stderr = '' } = error;
  if (code === 'ENOENT') {
    return new MachineError("the command 'gh', which --post needs, is not on the PATH", {
      cause: error,
      remedy: "install GitHub's command line, or paste what is printed without --post",
    });
  }
  if (killed === true) {
    return new MachineError(`gh gave no answer within ${TIMEOUT_MS / 1000} s`, {
      cause: error,
      remedy: 'check the network, then try again',
    });
  }
  const said = stderr.trim() === '' ? error.message : stderr.trim().replaceAll(/\s*\n\s*/g, '; ');
  if (/gh auth login|GH_TOKEN|HTTP 401/.test(said)) {
    return new MachineError('gh is not logged in', {
      cause: error,
      remedy: 'run gh auth login, or in a workflow set GH_TOKEN to the token of the job',
    });
  }
  if (/rate limit/i.test(said)) {
    return new MachineError(`GitHub takes no more requests for now: ${said}`, {
      cause: error,
      remedy: 'try again in an hour; what was posted before stays, and is not posted twice',
    });
  }
  return new MachineError(`gh failed: ${said}`, {
    cause: error,
    remedy: 'gh auth status shows who is logged in, and with which rights',
  });
}

const MAX_PAGES = 200;

/**
 * GitHub's GraphQL API. With the token of a workflow, REST does not say which comments are one's own; this does.
 *
 * @param {string} hostname of the API
 * @param {Gh} gh
 */
export function openApi(hostname, gh) {
  /**
   * @param {string} query
   * @param {Record<string, string | null>} variables
   * @returns {Promise<any>} its data
   */
  async function ask(query, variables) {
    const args = ['api', 'graphql', '--hostname', hostname, '--input', '-'];
    return JSON.parse(await gh(args, JSON.stringify({ query, variables }))).data;
  }

  /**
   * @param {string} query with the variable `after`
   * @param {Record<string, string>} variables
   * @param {(data: any) => { nodes: any[], pageInfo: { hasNextPage: boolean, endCursor: string } }} pick
   * @returns {Promise<any[]>} nodes of all pages
   * @throws {MachineError} when there are too many
   */
  async function list(query, variables, pick) {
    const nodes = [];
    let after = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const found = pick(await ask(query, { ...variables, after }));
      nodes.push(...found.nodes);
      if (!found.pageInfo.hasNextPage) return nodes;
      after = found.pageInfo.endCursor;
    }
    throw new MachineError(`GitHub has more than ${MAX_PAGES} pages of this`);
  }

  return { ask, list };
}

/**
 * @typedef {object} PullRequest
 * @property {string} id in the API
 * @property {string} url
 * @property {string} hostname of its API
 */

const NUMBER = /^[1-9]\d{0,9}$/;
/** `owner/name`, or `host/owner/name`. */
const REPOSITORY = /^\w[\w.-]*(\/\w[\w.-]*){1,2}$/;
const NOT_FOUND =
  /no pull requests found|could not resolve to|not a git repository|no git remotes|not determine current branch|none of the git remotes/i;

/**
 * The pull request to comment on, by default that of the current branch.
 *
 * @param {{ number?: string, repo?: string }} wanted
 * @param {Gh} gh
 * @returns {Promise<PullRequest>}
 * @throws {UsageError} when there is none
 * @throws {MachineError} when gh fails otherwise
 */
export async function findPullRequest({ number, repo }, gh) {
  if (number !== undefined && !NUMBER.test(number)) {
    throw new UsageError(`--number '${number}' is not the number of a pull request`);
  }
  requireRepository(repo);
  if (repo !== undefined && number === undefined) {
    throw new UsageError('--repo needs --number', {
      remedy: 'add --number, or leave out --repo in a checkout of the branch',
    });
  }
  const choice = [
    ...(number === undefined ? [] : [number]),
    ...(repo === undefined ? [] : ['--repo', repo]),
  ];
  const answer = await askGh(['pr', 'view', ...choice, '--json', 'id,url'], gh, {
    missing: 'no pull request to comment on',
    remedy: 'name it: --number NUMBER --repo OWNER/NAME',
  });
  const { id, url } = JSON.parse(answer);
  return { id, url, hostname: new URL(url).hostname };
}

/**
 * @typedef {object} Repository
 * @property {string} id in the API
 * @property {string} name `OWNER/NAME`
 * @property {string} hostname of its API
 * @property {boolean} hasIssuesEnabled
 */

/**
 * A repository, by default that of the directory.
 *
 * @param {string | undefined} repo
 * @param {Gh} gh
 * @returns {Promise<Repository>}
 * @throws {UsageError} when there is none
 * @throws {MachineError} when gh fails otherwise
 */
export async function findRepository(repo, gh) {
  requireRepository(repo);
  const choice = repo === undefined ? [] : [repo];
  const fields = 'id,nameWithOwner,url,hasIssuesEnabled';
  const answer = await askGh(['repo', 'view', ...choice, '--json', fields], gh, {
    missing: 'no repository for the alerts',
    remedy: 'name it: --repo OWNER/NAME',
  });
  const { id, nameWithOwner, url, hasIssuesEnabled } = JSON.parse(answer);
  return { id, name: nameWithOwner, hostname: new URL(url).hostname, hasIssuesEnabled };
}

/** @param {string | undefined} repo as typed */
function requireRepository(repo) {
  if (repo === undefined || REPOSITORY.test(repo)) return;
  throw new UsageError(`--repo '${repo}' is not of the form OWNER/NAME`);
}

/**
 * @param {string[]} args
 * @param {Gh} gh
 * @param {{ missing: string, remedy: string }} words where what is asked for does not exist
 */
async function askGh(args, gh, { missing, remedy }) {
  try {
    return await gh(args);
  } catch (error) {
    if (!(error instanceof MachineError) || !NOT_FOUND.test(error.message)) throw error;
    throw new UsageError(error.message.replace(/^gh failed:/, `${missing}:`), {
      cause: error,
      remedy,
    });
  }
}

/** GitHub does not show the summary of a step if it is larger. */
const MAX_SUMMARY_BYTES = 2 ** 20;

/**
 * Appends a text to the summary of a workflow job, unless it would then be too large to be shown, which is noted.
 *
 * @param {string} file as typed
 * @param {string} text
 * @param {Pick<Io, 'stderr' | 'workingPath'>} io
 * @throws {MachineError} when the file cannot be written
 */
export function appendSummary(file, text, { stderr, workingPath }) {
  const path = resolve(workingPath, file);
  const existingBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const addition = existingBytes === 0 ? text : `\n\n${text}`;
  if (existingBytes + Buffer.byteLength(addition) > MAX_SUMMARY_BYTES) {
    writeNote(
      stderr,
      `nothing was added to '${file}': it would exceed the 1 MiB that GitHub shows`,
    );
    return;
  }
  try {
    appendFileSync(path, addition);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`cannot write the summary to '${basename(path)}': ${message}`, {
      cause,
      remedy: 'name a file that can be written: --summary FILE',
    });
  }
}
