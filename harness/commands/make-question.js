import { randomInt } from 'node:crypto';
import { canonicalLabel } from '../../corpora/support/prepare.js';
import { UsageError } from '../errors.js';
import { PROCESSES_PER_BLOCK } from '../plan.js';
import { PROJECT } from '../project.js';
import { loadOperation } from '../resolve/families.js';
import { parseBudget, parseList, parseNumber, parseProcesses, parseSeed } from './parse-options.js';

/** @import { Cell, Question } from '../types.ts' */
/** @import { FoundFamily } from '../resolve/families.js' */
/** @import { CompareOptions } from './compare.js' */

/** Looks at the data, each at twice as many processes a side as the one before. */
const LOOK_COUNT = 4;
const ALPHA = 0.05;
const SCREEN_FLAG = '--predictable';

/**
 * Turns what was typed into what a run must find out.
 *
 * @param {[string, string]} specs of baseline and candidate
 * @param {FoundFamily} family
 * @param {CompareOptions} options
 * @returns {Promise<Question>}
 * @throws {UsageError} when an option makes no sense
 */
export async function makeQuestion([baseline, candidate], family, options) {
  const screen = options.screen === true;
  const { seed, budget, mei, nodeFlag, memory, memoryOnly } = options;
  return {
    family: family.name,
    baseline,
    candidate,
    cells: await makeCells(family, options),
    minimumEffect: parseNumber('--mei', mei, { above: 0, upTo: 100 }) / 100,
    alpha: ALPHA,
    looks: listLooks(parseProcesses(options.processes)),
    budgetSeconds: budget === undefined ? null : parseBudget(budget),
    seed: seed === undefined ? randomInt(2 ** 32) : parseSeed(seed),
    mode: screen ? 'screen' : 'default',
    nodeFlags: [...(screen ? [SCREEN_FLAG] : []), ...(nodeFlag ?? [])],
    memory: memoryOnly === true ? 'only' : memory === true ? 'too' : 'none',
    acceptedRows: parseList(options.accept) ?? [],
    explain: parseExplain(options.explain ?? 'differing'),
    recorders: listRecordersAskedFor(options),
  };
}

/**
 * @param {string} text
 * @returns {Question['explain']}
 * @throws {UsageError} when it is none of the words
 */
function parseExplain(text) {
  if (text === 'differing' || text === 'all' || text === 'none') return text;
  throw new UsageError(`--explain '${text}' is not known`, {
    remedy: 'write differing, all or none',
  });
}

/**
 * @param {Pick<CompareOptions, 'with' | 'wholeProcess' | 'instructions'>} options
 * @returns {string[]}
 */
function listRecordersAskedFor({ with: names, wholeProcess, instructions }) {
  const asked = new Set(parseList(names));
  if (wholeProcess === true) asked.add('whole-process');
  if (instructions === true) asked.add('instructions');
  return [...asked];
}

/**
 * @param {number} most processes a side, at the last look
 * @returns {number[]} 12, 24, 48, 96 for 96
 */
function listLooks(most) {
  const looks = Array.from({ length: LOOK_COUNT }, (_, index) => {
    const share = most / 2 ** (LOOK_COUNT - 1 - index);
    return PROCESSES_PER_BLOCK * Math.ceil(share / PROCESSES_PER_BLOCK);
  });
  return [...new Set(looks)];
}

/**
 * @param {FoundFamily} family
 * @param {Pick<CompareOptions, 'op' | 'corpus'>} options
 * @returns {Promise<Cell[]>} every operation on every corpus that is named, else on those that it
 *   or the family is measured on by default
 * @throws {UsageError} when there is no such operation or nothing to measure
 */
export async function makeCells(family, options) {
  const operations = parseList(options.op) ?? family.defaultOperations;
  const named = parseList(options.corpus);
  /** @type {Cell[]} */
  const cells = [];
  for (const name of operations) {
    const { defaultCorpora = family.defaultCorpora, figure } = await loadOperation(family, name);
    /** @type {Set<string>} */
    const labels = new Set();
    for (const text of named ?? defaultCorpora) {
      labels.add(await canonicalLabel(text, { directory: PROJECT.corporaPath }));
    }
    for (const corpus of labels) {
      const cell = { id: `${name} ${corpus}`, operation: name, corpus };
      cells.push(figure === undefined ? cell : { ...cell, figure });
    }
  }
  if (cells.length > 0) return cells;
  throw new UsageError('there is nothing to measure', {
    remedy: 'leave --op and --corpus out, or name at least one each',
  });
}
