/** What the last command of a test has left, so that a failure can say why its status or output is another. */

/** Length of the end of each output that is shown. */
const SHOWN_CHARACTERS = 2_000;

let last = '';

/**
 * @template {{ status: number | null, stdout: string, stderr: string }} Ended
 * @param {string[]} args of the command
 * @param {Ended} ended
 * @returns {Ended} the same
 */
export function noteEnded(args, ended) {
  const { status, stdout, stderr } = ended;
  const outputs = [stdout, stderr].map((text) => text.slice(-SHOWN_CHARACTERS).trimEnd());
  last = [`${args.join(' ')}: status ${status}`, ...outputs].filter(Boolean).join('\n');
  return ended;
}

/** Forgets the commands of earlier files. */
export function forgetEnded() {
  last = '';
}

/** Adds the last command to the failure of a test. @param {unknown} error */
export function tellEnded(error) {
  if (error instanceof Error && last !== '') error.stack += `\n\nThe last command: ${last}`;
}
