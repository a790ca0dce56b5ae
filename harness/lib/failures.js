/** Why programs fail, by what they print. */

const MAX_LINE_LENGTH = 300;
/** First line of errors of JavaScript and many programs. */
const ERROR_LINE = /^\s*(?:uncaught )?(?:\w*error)(?: \[\w+\])?: .+$/im;

/**
 * Why a program failed, by its output: the line that names an error, else the last one.
 * @type {(text: string) => string} one line, shortened
 */
export function findReason(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = ERROR_LINE.exec(text)?.[0] ?? lines[lines.length - 1] ?? 'it gave no reason';
  return line.trim().slice(0, MAX_LINE_LENGTH);
}

/**
 * What happened to the worker of a job, and the line of its log that says why, if it has any.
 * @type {(failure: { detail: string, lastLines: string[] }) => string}
 */
export function describeFailure({ detail, lastLines }) {
  return lastLines.length === 0 ? detail : `${detail}: ${findReason(lastLines.join('\n'))}`;
}

/**
 * An error in one line, with the quoted line that says why.
 * @type {(error: import('./errors.js').AssayError) => string}
 */
export function describeError({ message, quoted }) {
  return describeFailure({ detail: message, lastLines: quoted });
}
