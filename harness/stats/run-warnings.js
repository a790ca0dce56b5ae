import { countOf } from '../lib/numbers.js';
import { CELL_WARNING_KINDS } from './cell-warnings.js';
import { noteHost, noteNoise } from './host-notes.js';
import { noteParts, noteSeveralHosts } from './part-notes.js';
import { USUAL_THRESHOLDS } from './thresholds.js';

/** @import { Environment, HostNoise, Question, RunPart, Thresholds, Verdict, Warning } from '../formats/types.ts' */
/** @import { CellDescription } from './describe-cell.js' */
/** @import { Note } from './list-places.js' */

/**
 * What is known of the run besides its observations.
 *
 * @typedef {object} RunContext
 * @property {Verdict['ended']} ended
 * @property {Environment | null} environment
 * @property {HostNoise | null} hostNoise
 * @property {RunPart[]} [parts] of a run that was merged, each with a host of its own
 * @property {Thresholds} [thresholds] of a calibration of the host
 */

/**
 * The numbered notes: first those on the whole run, then those on cells, kinds in a fixed order.
 * Also writes the numbers that concern a cell into its comparison.
 *
 * @param {Question} question
 * @param {CellDescription[]} cells
 * @param {RunContext} context
 * @returns {Warning[]} numbered from 1
 */
export function collectWarnings(question, cells, context) {
  // The gate refused before anything was timed: there are no figures to warn of. Of a merged run it
  // may have refused one part alone.
  if (context.ended === 'refused' && !cells.some(isMeasured)) return [];
  const thresholds = chooseThresholds(context);
  const warnings = warnOfRun(question, cells, context).map((warning, index) => ({
    number: index + 1,
    ...warning,
  }));
  for (const { kind, look, tell } of CELL_WARNING_KINDS) {
    const concerned = cells.flatMap((description) => {
      const figure = look(description, question, thresholds);
      return figure === null ? [] : [{ comparison: description.comparison, figure }];
    });
    if (concerned.length === 0) continue;
    const number = warnings.length + 1;
    const names = concerned.map(({ comparison, figure }) => {
      comparison.warnings.push(number);
      return figure === '' ? comparison.cell.id : `${comparison.cell.id} (${figure})`;
    });
    warnings.push({ number, kind, text: tell(names.join(', '), question, thresholds) });
  }
  return warnings;
}

/**
 * The manifest of a merged run comes from its first part, whose host says nothing of the others.
 *
 * @param {RunContext} context
 */
function chooseThresholds({ parts, thresholds }) {
  return parts === undefined && thresholds !== undefined ? thresholds : USUAL_THRESHOLDS;
}

/** @param {CellDescription} description */
function isMeasured({ comparison: { processes } }) {
  return processes.baseline > 0 || processes.candidate > 0;
}

/**
 * @param {Question} question
 * @param {CellDescription[]} cells
 * @param {RunContext} context
 * @returns {Note[]}
 */
function warnOfRun(question, cells, context) {
  const { ended, environment, hostNoise, parts } = context;
  const thresholds = chooseThresholds(context);
  const warnings = [
    ...warnOfMode(question),
    ...warnOfSandbox(question),
    ...warnOfEnd(cells, ended, parts !== undefined),
  ];
  if (parts === undefined) {
    return [...warnings, ...warnOfMachine(environment, hostNoise, thresholds)];
  }
  return [
    ...warnings,
    ...noteSeveralHosts(parts),
    ...noteParts(parts, (part) => warnOfMachine(part.environment, part.hostNoise, thresholds)),
  ];
}

/**
 * @param {Environment | null} environment
 * @param {HostNoise | null} hostNoise
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
function warnOfMachine(environment, hostNoise, thresholds) {
  return [
    ...(environment === null ? [] : noteHost(environment, hostNoise, thresholds)),
    ...(hostNoise === null ? [] : noteNoise(hostNoise, thresholds)),
  ];
}

/** @param {Question} question */
function warnOfMode({ mode }) {
  if (mode !== 'screen') return [];
  const text =
    'Screened under --predictable, which is another operating point than the default flags: good for a first look, no claim about production. Confirm without --screen.';
  return [{ kind: 'screen-mode', text }];
}

/** @param {Question} question */
function warnOfSandbox({ sandbox = false }) {
  if (!sandbox) return [];
  const text =
    'Workers ran in a sandbox, both sides alike: without network and without the priority that Linux grants to root. What is timed lies inside and starts after it; whole processes take longer.';
  return [{ kind: 'sandbox', text }];
}

/**
 * @param {CellDescription[]} cells
 * @param {Verdict['ended']} ended
 * @param {boolean} isMerged
 */
function warnOfEnd(cells, ended, isMerged) {
  const open = cells.filter(({ judgement }) => !judgement.decided);
  if (open.length === 0) return [];
  const left = `before ${open.length} of ${countOf(cells.length, 'cell')} were settled`;
  const way = isMerged ? 'resume the parts that are not done, and merge again' : '--resume goes on';
  if (ended === 'budget') {
    const text = `The time budget ran out ${left}; ${way}.`;
    return [{ kind: 'budget', text }];
  }
  if (ended === 'interrupted') {
    return [{ kind: 'interrupted', text: `Interrupted ${left}; ${way}.` }];
  }
  if (ended === 'failed') {
    return [{ kind: 'ended-by-failures', text: `Jobs kept failing ${left}.` }];
  }
  return [];
}
