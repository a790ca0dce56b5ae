import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * By default npm tries three times, with pauses of up to a minute, and waits five minutes for each
 * answer. These limits report a registry that cannot be reached within a minute.
 */
export const FETCH_FLAGS = Object.freeze([
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=1000',
  '--fetch-timeout=20000',
]);

/** What npm says when it fails. */
export class NpmError extends Error {
  /**
   * @param {string} reason one line
   * @param {string | undefined} code `E404`
   * @param {unknown} cause
   */
  constructor(reason, code, cause) {
    super(reason, { cause });
    this.code = code;
  }
}

/**
 * Runs npm, with limits on its time.
 *
 * @param {string[]} args
 * @param {object} options
 * @param {number} options.timeoutMs
 * @param {string} [options.cwd]
 * @param {Record<string, string | undefined>} [options.env]
 * @param {AbortSignal | undefined} [options.signal] ends it
 * @returns {Promise<string>} its standard output, JSON
 * @throws {NpmError} when it fails
 */
export async function runNpm(args, { timeoutMs, signal, ...options }) {
  const flags = ['--json', '--loglevel=error', ...FETCH_FLAGS];
  try {
    const { stdout } = await run('npm', [...args, ...flags], {
      ...options,
      timeout: timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    return stdout;
  } catch (cause) {
    const { killed, stdout, stderr } =
      /** @type {{ killed?: boolean, stdout?: string, stderr?: string }} */ (cause);
    if (killed === true && signal?.aborted !== true) {
      throw new NpmError(`no answer within ${timeoutMs / 1000} s`, undefined, cause);
    }
    const { code, summary } = readError(stdout) ?? { summary: stderr || String(cause) };
    throw new NpmError(firstLine(summary).replace(/^FetchError: /, ''), code, cause);
  }
}

/**
 * @param {string | undefined} stdout
 * @returns {{ code?: string, summary: string } | null} null where npm did not get as far as to say
 */
function readError(stdout) {
  try {
    const { error } = JSON.parse(String(stdout));
    return typeof error.summary === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** @param {string} text */
function firstLine(text) {
  return text.trim().split('\n', 1)[0];
}
