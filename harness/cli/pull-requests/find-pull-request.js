import { MachineError, UsageError } from '../../lib/errors.js';

/** @import { Gh } from './open-gh.js' */

/**
 * @typedef {object} PullRequest
 * @property {string} id by which the API knows it
 * @property {string} url
 * @property {string} hostname where its API is
 */

const NUMBER = /^[1-9]\d{0,9}$/;
/** `owner/name`, before which gh takes the name of a host. */
const REPOSITORY = /^\w[\w.-]*(\/\w[\w.-]*){1,2}$/;
const NOT_FOUND =
  /no pull requests found|could not resolve to|not a git repository|no git remotes|not determine current branch|none of the git remotes/i;

/**
 * The pull request to comment on: that of the number, else that of the current branch.
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
  if (repo !== undefined && !REPOSITORY.test(repo)) {
    throw new UsageError(`--repo '${repo}' is not of the form OWNER/NAME`);
  }
  if (repo !== undefined && number === undefined) {
    throw new UsageError('--repo alone does not say which pull request', {
      remedy: 'add --number, or leave out --repo where the directory is a checkout of the branch',
    });
  }
  const choice = [
    ...(number === undefined ? [] : [number]),
    ...(repo === undefined ? [] : ['--repo', repo]),
  ];
  const answer = await askGh(['pr', 'view', ...choice, '--json', 'id,url'], gh);
  const { id, url } = JSON.parse(answer);
  return { id, url, hostname: new URL(url).hostname };
}

/**
 * @param {string[]} args
 * @param {Gh} gh
 */
async function askGh(args, gh) {
  try {
    return await gh(args);
  } catch (error) {
    if (!(error instanceof MachineError) || !NOT_FOUND.test(error.message)) throw error;
    throw new UsageError(error.message.replace(/^gh failed:/, 'no pull request to comment on:'), {
      cause: error,
      remedy: 'name it: --number NUMBER --repo OWNER/NAME',
    });
  }
}
