import { countOf, formatRoughShare } from '../lib/numbers.js';
import { CELL_WARNING_KINDS } from './cell-notes.js';
import { MAX_LOAD_PER_CPU, MAX_PRESSURE, USUAL_THRESHOLDS, isSlowClock } from './thresholds.js';

/** @import { Environment, HostNoise, Question, RunPart, Thresholds, Verdict, Warning } from '../formats/types.ts' */
/** @import { CellDescription } from './cell-description.js' */

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

/**
 * What a reader of figures should know of the host that they come from, as it was before the first
 * job. `just doctor` tells more, and what to do about it.
 *
 * @param {Environment} environment
 * @param {HostNoise | null} hostNoise of the timed part
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteHost(environment, hostNoise, { othersShare }) {
  const { governor, smt, clockSource, nodeVariables } = environment;
  const busy = tellBusy(environment);
  const hasNeighbours = busy !== null || (hostNoise?.othersShare ?? 0) > othersShare;
  const notes = [
    busy === null ? [] : { kind: 'busy-host', text: busy },
    noteThrottling(environment),
    governor === null || governor === 'performance'
      ? []
      : {
          kind: 'governor',
          text: `The CPU frequency governor is '${governor}'; 'performance' gives steadier times.`,
        },
    smt === true && hasNeighbours
      ? {
          kind: 'smt',
          text: 'Cores run two threads each and other processes ran: what shares a core with a job slows it without waiting showing.',
        }
      : [],
    isSlowClock(clockSource)
      ? {
          kind: 'clock-source',
          text: `Time is read from '${clockSource}', which asks the kernel each time: short batches and whatever reads the clock take longer.`,
        }
      : [],
    nodeVariables.length > 0
      ? {
          kind: 'node-variables',
          text: `Set by the user and not passed on to workers: ${nodeVariables.join(', ')}.`,
        }
      : [],
  ];
  return notes.flat();
}

/**
 * What disturbed the timed part.
 *
 * @param {HostNoise} noise
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteNoise({ stealShare, othersShare, throttledMs }, thresholds) {
  const notes = [];
  if (stealShare !== null && stealShare > thresholds.stealShare) {
    const text = `The hypervisor gave ${formatRoughShare(stealShare)} of the CPU time to other machines while jobs were timed.`;
    notes.push({ kind: 'steal', text });
  }
  if (othersShare !== null && othersShare > thresholds.othersShare) {
    const text = `Other processes used ${formatRoughShare(othersShare)} of the CPU time while jobs were timed.`;
    notes.push({ kind: 'other-processes', text });
  }
  if (throttledMs !== null && throttledMs > 0) {
    const text = `The control group's CPU limit held processes back for ${Math.round(throttledMs)} ms.`;
    notes.push({ kind: 'throttled', text });
  }
  return notes;
}

/** @param {Environment} environment */
function tellBusy({ loadAverage, cpuCount, cpuPressure }) {
  const isLoaded = loadAverage > MAX_LOAD_PER_CPU * cpuCount;
  const waits =
    cpuPressure !== null && cpuPressure > MAX_PRESSURE
      ? `tasks waited for a CPU during ${formatRoughShare(cpuPressure)} of ten seconds`
      : null;
  const load = isLoaded ? `load ${loadAverage.toFixed(1)} on ${countOf(cpuCount, 'CPU')}` : null;
  const signs = [load, waits].filter((sign) => sign !== null);
  if (signs.length === 0) return null;
  return `The machine was busy before the first job: ${signs.join(', ')}.`;
}

/**
 * @param {Environment} environment
 * @returns {Note[]}
 */
function noteThrottling({ cgroupCpuLimit, throttledPeriods }) {
  if (cgroupCpuLimit === null || throttledPeriods === null || throttledPeriods === 0) return [];
  const text = `The control group's limit of ${cgroupCpuLimit} ${cgroupCpuLimit === 1 ? 'CPU' : 'CPUs'} held processes back in ${countOf(throttledPeriods, 'period')} before the first job, and may hold jobs back too.`;
  return [{ kind: 'throttled-before', text }];
}

/**
 * A note where the parts of a merged run were measured on machines that are not alike.
 *
 * @param {RunPart[]} parts
 * @returns {Note[]} one note, or none
 */
export function noteSeveralHosts(parts) {
  /** @type {Map<string, number[]>} */
  const hosts = new Map();
  for (const { shard, environment } of parts) {
    const host = describeHost(environment);
    hosts.set(host, [...(hosts.get(host) ?? []), shard]);
  }
  if (hosts.size < 2) return [];
  const places = [...hosts].map(([host, shards]) => `${listParts(shards)}: ${host}`);
  const text = `Measured on ${hosts.size} kinds of machine: ${places.join('; ')}. Both sides of a cell always ran on one of them, so every ratio holds there; times of cells from different parts cannot be held against each other, and a mean over cells is one over machines too.`;
  return [{ kind: 'several-hosts', text }];
}

/**
 * What is to be said of the machines of single parts, one note a kind.
 *
 * @param {RunPart[]} parts
 * @param {(part: RunPart) => Note[]} look
 * @returns {Note[]}
 */
export function noteParts(parts, look) {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const part of parts) {
    for (const { kind, text } of look(part)) {
      const told = `${listParts([part.shard])}: ${text[0].toLowerCase()}${text.slice(1)}`;
      texts.set(kind, [...(texts.get(kind) ?? []), told]);
    }
  }
  return [...texts].map(([kind, told]) => ({ kind, text: told.join(' ') }));
}

/** @param {number[]} shards */
function listParts(shards) {
  return `${shards.length === 1 ? 'Part' : 'Parts'} ${shards.join(', ')}`;
}

/**
 * @param {Environment} environment
 * @returns {string} what decides how fast a machine is; machines that agree in it count as one
 */
export function describeHost({ cpuModel, cpuCount, memoryBytes, kernel, node }) {
  const memory = `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  return `${cpuModel}, ${countOf(cpuCount, 'CPU')}, ${memory}, kernel ${kernel}, Node ${node}`;
}

/** @typedef {{ kind: string, text: string }} Note a warning without its number */

/**
 * One note on all the places that it concerns.
 *
 * @param {string} kind
 * @param {string[]} places
 * @param {(places: string) => string} tell
 * @returns {Note[]} one note, or none without a place
 */
export function listPlaces(kind, places, tell) {
  return places.length === 0 ? [] : [{ kind, text: tell(places.join('; ')) }];
}
