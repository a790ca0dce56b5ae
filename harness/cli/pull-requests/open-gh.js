import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MachineError } from '../../lib/errors.js';

/** @import { Io } from '../cli.js' */

/**
 * Runs GitHub's command with these arguments and this on its standard input.
 *
 * @typedef {(args: string[], input?: string) => Promise<string>} Gh
 */

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
/** A page of comments is the largest answer: 50 of 64 KiB, in characters of up to six bytes in JSON. */
const LARGEST_ANSWER_BYTES = 32 * 2 ** 20;

/**
 * GitHub's own command `gh`, without a shell. It knows hosts, accounts and proxies of the user, so
 * that Assay holds no token.
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
        maxBuffer: LARGEST_ANSWER_BYTES,
        signal,
      });
      // A gh that ends before it has read its input says why; that the pipe broke says nothing.
      running.child.stdin?.on('error', () => {});
      running.child.stdin?.end(input);
      return (await running).stdout;
    } catch (error) {
      throw explainFailure(/** @type {GhFailure} */ (error));
    }
  };
}

/** @typedef {Error & { code?: string | number, killed?: boolean, stderr?: string }} GhFailure */

/**
 * @param {GhFailure} error
 * @returns {MachineError}
 */
function explainFailure(error) {
  const { code, killed, stderr = '' } = error;
  if (code === 'ENOENT') {
    return new MachineError("the command 'gh' is not on the PATH, and --post sends through it", {
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
  return new MachineError(`gh failed: ${said}`, {
    cause: error,
    remedy: 'gh auth status says who is logged in, and with which rights',
  });
}
