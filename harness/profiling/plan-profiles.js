import { groupShared, sharedIdOf } from '../stats/plan.js';
import { isDirection } from '../stats/verdicts.js';

/** @import { Capability, Cell, CellComparison, HostRecord, PlannedProfileJob, Question, Recorder, RecorderState } from '../formats/types.ts' */

/** Cells explained by default; more would take longer than the timing. */
const MAX_CELLS = 6;

/**
 * Selects the cells to explain.
 *
 * @param {Pick<Question, 'explain'>} question
 * @param {CellComparison[]} comparisons
 * @returns {Cell[]} the largest differences first
 */
export function chooseCellsToExplain({ explain }, comparisons) {
  if (explain === 'none') return [];
  const sound = comparisons.filter(
    ({ cell, verdict, effect }) => canBeProfiled(cell) && verdict !== 'refused' && effect !== null,
  );
  if (explain === 'all') return sound.map(({ cell }) => cell);
  return sound
    .filter(({ cell, verdict }) => isExplainedUnasked(cell) && isDirection(verdict))
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, MAX_CELLS)
    .map(({ cell }) => cell);
}

/**
 * Number of differing cells left out by the limit.
 *
 * @param {Pick<Question, 'explain'>} question
 * @param {CellComparison[]} comparisons
 * @param {Set<string>} profiled ids of cells
 * @returns {number}
 */
export function countUnexplained({ explain }, comparisons, profiled) {
  if (explain !== 'differing') return 0;
  const left = comparisons.filter(
    ({ cell, verdict }) =>
      isExplainedUnasked(cell) && isDirection(verdict) && !profiled.has(cell.id),
  );
  return left.length;
}

/** @typedef {Partial<Recorder> & { name: string, processes: number }} PlannedRecorder */

/**
 * Plans the profile jobs: by cell, then by recorder, with the arms in mirrored order from process to
 * process.
 *
 * @param {object} wanted
 * @param {Cell[]} wanted.cells to explain
 * @param {Cell[]} wanted.allCells for recorders requested by name
 * @param {PlannedRecorder[]} wanted.recorders the available ones
 * @param {string[]} wanted.asked names of requested recorders
 * @param {(cell: Cell) => Capability[]} [wanted.lacks] what the runtimes of a cell cannot provide
 * @returns {PlannedProfileJob[]}
 */
export function planProfileJobs({ cells, allCells, recorders, asked, lacks = () => [] }) {
  const explained = new Set(cells.map(({ id }) => id));
  return [...groupShared(allCells.filter(canBeProfiled))].flatMap(([sharedId, group]) =>
    recorders.flatMap((recorder) => {
      const { name, rounds = 1 } = recorder;
      const fitting = group.filter((cell) => canRecord(recorder, lacks(cell)));
      const isAsked = asked.includes(name);
      const profiled = isAsked ? fitting : fitting.filter(({ id }) => explained.has(id));
      if (profiled.length === 0) return [];
      const beside = recorders.filter((other) => canRecord(other, lacks(profiled[0])));
      const processes = countProcesses(recorder, profiled[0], beside);
      const count = isAsked ? Math.max(rounds, processes) : processes;
      return planProcesses(name, [sharedId, ...profiled.map(({ id }) => id)], count);
    }),
  );
}

/** @type {(recorder: Pick<Recorder, 'needs'>, lacks: Capability[]) => boolean} */
function canRecord({ needs = [] }, lacks) {
  return !needs.some((capability) => lacks.includes(capability));
}

/** @type {(recorder: PlannedRecorder, cell: Cell, beside: PlannedRecorder[]) => number} */
function countProcesses({ processes, clientProcesses = 0, processesBeside = {} }, cell, beside) {
  if (!isExplainedUnasked(cell)) return clientProcesses;
  return Math.min(processes, ...beside.map(({ name }) => processesBeside[name] ?? processes));
}

/**
 * @param {string} recorder
 * @param {string[]} cellIds of the jobs of one process: of the baseline, then of its candidates
 * @param {number} processes
 * @returns {PlannedProfileJob[]}
 */
function planProcesses(recorder, cellIds, processes) {
  const there = cellIds.map((cellId, index) => ({
    cellId,
    arm: /** @type {PlannedProfileJob['arm']} */ (index === 0 ? 'baseline' : 'candidate'),
  }));
  return Array.from({ length: processes }, (_, process) => {
    const jobs = process % 2 === 0 ? there : there.toReversed();
    return jobs.map(({ cellId, arm }) => {
      const place = { recorder, cellId, arm, process };
      return { id: nameProfileJob(place), ...place };
    });
  }).flat();
}

/** The identity of a profile job. @type {(place: Omit<PlannedProfileJob, 'id'>) => string} */
export function nameProfileJob({ recorder, cellId, process, arm }) {
  return `${recorder}/${cellId}/${process}/${arm}`;
}

/**
 * An operation that measures itself, such as a server, does more than its loop, so a profile of the loop
 * does not explain its figure, unless that is the CPU time of the thread that the loop is on.
 * @type {(cell: Cell) => boolean}
 */
function canBeProfiled({ figure, sharesCore = false }) {
  return figure === undefined || sharesCore;
}

/** Profiles of a client take as long as the comparison. @type {(cell: Cell) => boolean} */
function isExplainedUnasked({ figure }) {
  return figure === undefined;
}

/** @param {CellComparison} comparison */
function sizeOf({ effect }) {
  return effect === null ? 0 : Math.abs(Math.log(effect.ratio.estimate));
}

/**
 * The recorders of a run over several hosts.
 *
 * @param {Pick<HostRecord, 'recorders'>[]} hosts
 * @returns {RecorderState[]} each once; one that works on any host is available
 */
export function mergeRecorderStates(hosts) {
  /** @type {Map<string, RecorderState>} */
  const merged = new Map();
  for (const state of hosts.flatMap(({ recorders = [] }) => recorders)) {
    if (merged.get(state.name)?.available !== true) merged.set(state.name, state);
  }
  return [...merged.values()];
}

/** Separates a name from the number that makes it unique; no name contains it. */
const DIVIDER = '~';
/** Leaves room for arm, number and ending in the 255 bytes of a file name. */
const MAX_NAME_LENGTH = 180;

/**
 * Base name of the artefacts of a profile job, valid on every file system and unique per recorder and
 * run. Cells such as `flat:10` and `flat-10`, which differ only in characters that file names cannot
 * contain, are distinguished by their number.
 *
 * @param {PlannedProfileJob} planned
 * @param {Pick<Cell, 'id' | 'sharedId'>[]} cells of the run
 * @returns {string} `serialize-flat-baseline-0`
 */
export function nameArtefact({ cellId, arm, process: number }, cells) {
  const ids = [...new Set(cells.flatMap((cell) => [cell.id, sharedIdOf(cell)]))];
  const place = ids.indexOf(cellId);
  const name = simplify(cellId);
  // Some file systems ignore case.
  const isTaken = ids
    .slice(0, Math.max(0, place))
    .some((id) => simplify(id).toLowerCase() === name.toLowerCase());
  return `${name}${isTaken ? `${DIVIDER}${place + 1}` : ''}-${arm}-${number}`;
}

/** @param {string} id */
function simplify(id) {
  return id.replaceAll(/[^\w.]+/g, '-').slice(0, MAX_NAME_LENGTH);
}
