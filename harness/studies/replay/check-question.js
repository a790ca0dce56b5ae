import { countOf } from '../../lib/numbers.js';
import { PROCESSES_PER_BLOCK } from '../../stats/plan.js';
import { checkNodeFlags } from './check-node-flags.js';
import { quoteText, refuse } from './refuse.js';

/** @import { Question } from '../../formats/types.ts' */

/** More than a report of everything has, and less than keeps a machine busy for days unasked. */
const MAX_CELLS = 200;
const MAX_LOOKS = 16;
const MAX_PROCESSES = 10_000;
const MAX_BUDGET_SECONDS = 86_400;
const MAX_ROWS = 200;
const MAX_LAYOUTS = 20;

/**
 * Refuses a question that no command line could have asked, or that asks for what is not replayed.
 * The schema has seen to types; names are looked up elsewhere.
 *
 * @param {Question} question of a report
 * @throws {import('../../lib/errors.js').FormatError}
 */
export function checkQuestion(question) {
  const { cells, memory, mode, nodeFlags } = question;
  if (memory === 'only') {
    refuse(
      'it is about memory alone, and its record holds no figures of memory to compare with',
      'measure it here and read both reports: just compare BASELINE CANDIDATE --memory-only',
    );
  }
  if (cells.length === 0 || cells.length > MAX_CELLS) {
    refuse(`it has ${countOf(cells.length, 'cell')}, not 1 to ${MAX_CELLS}`);
  }
  checkLooks(question.looks);
  checkRange('minimum effect', question.minimumEffect, 0.000_1, 1);
  checkRange('error rate', question.alpha, 0.000_1, 0.5);
  checkRange('seed', question.seed, 0, 0xffffffff);
  checkRange('boundary', question.boundary ?? 1, 0.01, 100);
  checkRange('number of layouts', question.layouts ?? 0, 0, MAX_LAYOUTS);
  checkRange('budget', question.budgetSeconds ?? 0, 0, MAX_BUDGET_SECONDS);
  checkRows(question.acceptedRows);
  checkNodeFlags(nodeFlags);
  if (mode === 'screen' && !nodeFlags.includes('--predictable')) {
    refuse('it says screen mode, but its flags lack --predictable');
  }
}

/** @param {number[]} looks */
function checkLooks(looks) {
  const isOrdered = looks.every((look, index) => index === 0 || look > (looks[index - 1] ?? 0));
  const isWhole = looks.every((look) => look % PROCESSES_PER_BLOCK === 0 && look <= MAX_PROCESSES);
  if (isOrdered && isWhole && looks.length <= MAX_LOOKS) return;
  refuse(
    `its looks ${quoteText(looks.join(', '))} are not up to ${MAX_LOOKS} even, ascending numbers up to ${MAX_PROCESSES}`,
  );
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
function checkRange(name, value, least, most) {
  if (value >= least && value <= most) return;
  refuse(`its ${name} is ${value}, not from ${least} to ${most}`);
}

/** @param {string[]} rows of the behaviour contract */
function checkRows(rows) {
  const foreign = rows.find((row) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(row));
  if (foreign !== undefined) refuse(`${quoteText(foreign)} is no row of a behaviour contract`);
  if (rows.length > MAX_ROWS) refuse(`it accepts ${rows.length} rows of the behaviour contract`);
}
