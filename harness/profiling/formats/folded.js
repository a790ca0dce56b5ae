import { FormatError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { buildProfile } from '../profiles/call-tree.js';
import { encodeCharacter, formatFrameLabel, parseFrameLabel } from '../profiles/frames.js';
import { openRemarks } from './remarks.js';

/** @import { Profile } from '../../formats/profile-types.ts' */

const LINE = /^(.+)[ \t]([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)$/s;
/** As `difffolded.pl` writes the weights of two recordings. */
const TWO_WEIGHTS = /^(.+)[ \t](\d+(?:\.\d*)?)[ \t](\d+(?:\.\d*)?)$/s;
/** A root may be called `#field` or `//anon`. */
const COMMENT = /^(?:#|\/\/)(?:\s|$)/;

const REMEDY = "each line is 'outer;inner WEIGHT'; fold the stacks again";

/** @param {string} line @returns {boolean} whether it is a stack with its weight */
export function isFoldedLine(line) {
  return LINE.test(line.trimEnd()) && !COMMENT.test(line);
}

/**
 * Reads folded stacks: one profile, or two if every line has two weights. The format has no unit and no
 * source. Comments and empty lines are allowed.
 *
 * @param {string} text
 * @param {import('./remarks.js').Remarks} [remarks]
 * @param {Pick<Profile, 'source' | 'unit'>} [origin]
 * @returns {Profile[]} `samples`: number of lines
 * @throws {FormatError} when a line is not a stack
 */
export function importFolded(
  text,
  remarks = openRemarks(),
  origin = { source: 'perf', unit: 'none' },
) {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const stacks = [...lines.entries()].filter(([, line]) => {
    const isComment = COMMENT.test(line) || (/^(?:#|\/\/)/.test(line) && !LINE.test(line));
    if (isComment) remarks.leaveOut('comment');
    return line !== '' && !isComment;
  });
  const doubled = stacks.filter(([, line]) => TWO_WEIGHTS.test(line)).length;
  if (doubled > 0 && doubled === stacks.length) {
    remarks.add('every line has two weights, which are read as two profiles');
    return [2, 3].map((column) =>
      importLines(stacks, origin, (line) => {
        const match = TWO_WEIGHTS.exec(line) ?? [];
        return [match[1], match[column]];
      }),
    );
  }
  if (doubled > 0) {
    const some = `${doubled} of ${countOf(stacks.length, 'line')}`;
    remarks.add(`${some} end with two numbers, the first of which is read as part of the name`);
  }
  return [importLines(stacks, origin, (line) => (LINE.exec(line) ?? []).slice(1))];
}

/**
 * @param {[index: number, line: string][]} lines
 * @param {Pick<Profile, 'source' | 'unit'>} origin
 * @param {(line: string) => string[]} split into stack and weight
 */
function importLines(lines, origin, split) {
  const builder = buildProfile(origin);
  /** @type {Map<string, number>} */
  const frames = new Map();
  for (const [index, line] of lines) {
    const [stack, weight] = split(line);
    const problem = stack === undefined ? 'has no weight' : findWeightProblem(Number(weight));
    if (problem !== null) {
      throw new FormatError(`line ${index + 1} of folded stacks ${problem}: '${line}'`, {
        remedy: REMEDY,
      });
    }
    let node = -1;
    for (const label of stack.split(';')) {
      const frame = frames.get(label) ?? builder.addFrame(parseFrameLabel(label));
      frames.set(label, frame);
      node = builder.addNode(node, frame);
    }
    builder.addSelf(node, Number(weight));
  }
  return builder.finish(lines.length);
}

/** @param {number} weight */
function findWeightProblem(weight) {
  if (weight < 0) return 'has a negative weight';
  return Number.isFinite(weight) ? null : 'has a weight that is too large';
}

/**
 * Exports folded stacks: per line the frames from the root on, separated by semicolons, a space, and the
 * weight. Nodes without self weight have no line.
 *
 * Source: https://github.com/brendangregg/FlameGraph
 * @type {(profile: Profile) => string}
 */
export function exportFolded({ frames, nodes }) {
  const labels = frames.map(formatFrameLabel);
  /** @type {string[]} */
  const stacks = [];
  let text = '';
  for (const { frame, parent, self } of nodes) {
    const stack = parent === -1 ? labels[frame] : `${stacks[parent]};${labels[frame]}`;
    stacks.push(stack);
    if (self !== 0) text += `${protectLine(stack)} ${self}\n`;
  }
  return text;
}

/** @param {string} stack @returns {string} what is read neither as a comment nor as two weights */
function protectLine(stack) {
  return stack
    .replace(/[ \t](?=[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?$)/, encodeCharacter)
    .replace(/^(?:#(?=\s|$)|\/(?=\/(?:\s|$)))/, encodeCharacter);
}
