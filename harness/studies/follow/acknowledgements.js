/** The answers of a project to changes of its speed: a file with one line for each. */

/**
 * One answer.
 *
 * @typedef {object} Acknowledgement
 * @property {string} commit hash, or at least its first seven digits
 * @property {string[]} cells `operation/corpus`, either of which may be `*`
 * @property {'expected' | 'wontfix'} answer
 * @property {string} reason
 * @property {number} line from 1
 */

const LINE = /^(?<commit>\S+)\s+(?<cells>\S+)\s+(?<answer>[^\s:]+)\s*:\s*(?<reason>.*)$/;
const COMMIT = /^[0-9a-f]{7,64}$/;
const CELL = /^[^/]+\/.+$/;

/**
 * @param {string} text of the file
 * @returns {{ answers: Acknowledgement[], problems: string[] }} `problems`: one message for each line that is none
 */
export function parseAcknowledgements(text) {
  /** @type {Acknowledgement[]} */
  const answers = [];
  /** @type {string[]} */
  const problems = [];
  for (const [index, whole] of text.split('\n').entries()) {
    const content = whole.trim();
    if (content === '' || content.startsWith('#')) continue;
    const read = parseLine(content);
    if (typeof read === 'string') problems.push(`answers, line ${index + 1}: ${read}`);
    else answers.push({ ...read, line: index + 1 });
  }
  return { answers, problems };
}

/** @type {(text: string) => Omit<Acknowledgement, 'line'> | string} or what is wrong */
function parseLine(text) {
  const { commit, cells = '', answer, reason } = LINE.exec(text)?.groups ?? {};
  if (commit === undefined) {
    return `'${text}' is not of the form 'COMMIT CELLS expected: REASON'`;
  }
  if (!COMMIT.test(commit)) {
    return `'${commit}' is not a commit; write at least the first seven digits of its hash`;
  }
  const names = cells === '*' ? ['*/*'] : cells.split(',');
  const wrong = names.find((name) => !CELL.test(name));
  if (wrong !== undefined) {
    return `'${wrong}' is not a cell; write operation/corpus, several with commas and no spaces between them, or *`;
  }
  if (answer !== 'expected' && answer !== 'wontfix') {
    return `'${answer}' is not an answer; write expected or wontfix`;
  }
  if (reason === '') return `the reason is missing; write it after '${answer}:'`;
  return { commit, cells: names, answer, reason };
}

/** @type {(answer: Pick<Acknowledgement, 'cells'>, cell: { operation: string, corpus: string }) => boolean} whether it is for the cell */
export function coversCell({ cells }, { operation, corpus }) {
  return cells.some((name) => {
    const end = name.indexOf('/');
    const [first, second] = [name.slice(0, end), name.slice(end + 1)];
    return (first === '*' || first === operation) && (second === '*' || second === corpus);
  });
}
