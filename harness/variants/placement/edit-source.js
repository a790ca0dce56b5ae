import { FormatError } from '../../lib/errors.js';
import { shuffle } from '../../stats/plan.js';
import { drawIndex } from '../../stats/random.js';
import { makeFillers } from './make-fillers.js';
import { readOutline } from './read-outline.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Outline, OutlinedFunction, SourceKind } from './read-outline.js' */

/** Unrelated functions in one source: some, and more where it has many functions. */
const FEWEST_FILLERS = 1;
const MOST_MORE_FILLERS = 10;
/** Words of a comment that pads, and empty lines behind it. */
const MOST_WORDS = 60;
const MOST_LINES = 6;
/** Kinds of statements that the end of a source gains where fillers are called there. */
const TAIL_SHAPE = ['FunctionDeclaration', 'ExpressionStatement'];

/**
 * The same program in another order: top-level function declarations are shuffled, which hoisting
 * makes of no consequence, padded with comments and empty lines, and interspersed with unrelated
 * functions. No statement of the source itself is changed, so V8 makes the same bytecode of each
 * function; where it puts the machine code is what differs.
 *
 * @param {string} source
 * @param {SourceKind} kind
 * @param {RandomGenerator} random advanced by the call; the same state gives the same text
 * @returns {string}
 * @throws {FormatError} when the source is no JavaScript of that kind, or cannot be edited
 */
export function editSource(source, kind, random) {
  const outline = readOutline(source, kind);
  const movable = listMovable(outline);
  const more = Math.min(MOST_MORE_FILLERS, 2 + Math.floor(movable.length / 4));
  const count = FEWEST_FILLERS + drawIndex(random, more);
  const { fillers, tail } = makeFillers(count, choosePrefix(source, random), random);
  const order = shuffle(movable, random);
  // Where nothing can be moved, all of it goes to the end.
  const places = movable.map(() => '');
  let atEnd = '\n';
  for (const filler of fillers) {
    const place = drawIndex(random, movable.length + 1);
    if (place < movable.length) places[place] += filler;
    else atEnd += filler;
  }
  let edited = '';
  let done = 0;
  for (const [index, slot] of movable.entries()) {
    edited += source.slice(done, slot.start);
    edited += places[index] + pad(random) + padBody(source, order[index], random);
    done = slot.end;
  }
  edited += source.slice(done) + atEnd + tail;
  requireSameShape(outline, readOutline(edited, kind), fillers.length, tail !== '');
  return edited;
}

/**
 * Functions that can change places. Of two with one name the last counts, so these stay.
 *
 * @param {Outline} outline
 * @returns {OutlinedFunction[]}
 */
function listMovable({ functions }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of functions) counts.set(name, (counts.get(name) ?? 0) + 1);
  return functions.filter(({ name }) => counts.get(name) === 1);
}

/**
 * @param {string} source
 * @param {RandomGenerator} random
 * @returns {string} that no name of the source begins with
 */
function choosePrefix(source, random) {
  for (;;) {
    const prefix = `layout_${(random.next() >>> 0).toString(36)}`;
    if (!source.includes(prefix)) return prefix;
  }
}

/**
 * @param {string} source
 * @param {OutlinedFunction} moved
 * @param {RandomGenerator} random
 */
function padBody(source, { start, bodyStart, end }, random) {
  return `${source.slice(start, bodyStart)}\n${pad(random)}${source.slice(bodyStart, end)}`;
}

/** @param {RandomGenerator} random */
function pad(random) {
  const words = ' padding'.repeat(drawIndex(random, MOST_WORDS));
  return `/*${words} */${'\n'.repeat(1 + drawIndex(random, MOST_LINES))}`;
}

/**
 * @param {Outline} before
 * @param {Outline} after
 * @param {number} fillerCount
 * @param {boolean} hasTail
 * @throws {FormatError} when an edit made another program of it
 */
function requireSameShape(before, after, fillerCount, hasTail) {
  const added = [...Array(fillerCount).fill('FunctionDeclaration'), ...(hasTail ? TAIL_SHAPE : [])];
  const expected = [...before.shape, ...added].toSorted().join(' ');
  const own = new Set(before.functions.map(({ name }) => name));
  const kept = after.functions.filter(({ name }) => own.has(name)).length;
  if (after.shape.toSorted().join(' ') === expected && kept === before.functions.length) return;
  throw new FormatError('its functions cannot be moved without changing it');
}
