import { countOf } from '../lib/numbers.js';
import { firstSentence, listWords, nameRuntime } from '../lib/words.js';
import { noteCode } from './code-notes.js';
import { CELL_NOTES } from './cell/notes.js';
import { listNotes, noteHost } from './host/host.js';
import { pairOf } from './plan.js';
import { formatExponent, growsFaster } from './sweep.js';
import { USUAL_THRESHOLDS } from './host/state.js';

/** @import { Capability, CellComparison, Environment, HostNoise, PreparedCorpus, Question, RunPart, Runtime, Sweep, Thresholds, Verdict, Warning } from '../formats/types.ts' */
/** @import { Compared } from './code-notes.js' */
/** @import { CellDescription } from './cell/description.js' */

/** A note names up to `MAX_NAMED` cells; if there are more, it names the first `FIRST_NAMED` and counts the others. */
const MAX_NAMED = 12;
const FIRST_NAMED = 6;
/** The short form of a note names up to this many cells, without figures, or the first one. */
const MAX_SHORT = 3;

/** @typedef {{ kind: string, text: string }} Note a warning without its number */

/**
 * A kind of note on single cells.
 *
 * @template {{ comparison: CellComparison }} Described
 * @template {unknown[]} Context
 * @typedef {object} CellNoteKind
 * @property {string} kind
 * @property {(cell: Described, ...context: Context) => string | null} figure printed after the
 *   name of the cell, an empty text for nothing; null where the note does not apply
 * @property {(cells: string, ...context: Context) => string} text of the note, given the cells that it
 *   applies to
 * @property {true} [countsMany] of more than a few cells it says how many, and no names
 */

/**
 * What is known about a run besides its observations.
 *
 * @typedef {object} RunContext
 * @property {Sweep[]} [sweeps]
 * @property {Verdict['ended']} ended
 * @property {Environment | null} environment
 * @property {HostNoise | null} hostNoise
 * @property {RunPart[]} [parts] of a merged run, each with its own host
 * @property {Thresholds} [thresholds] of a calibration of the host
 * @property {Pick<Runtime, 'runtime' | 'lacks'>[]} [runtimes] other than the Node that ran Assay
 * @property {Compared} [variants]
 * @property {Pick<PreparedCorpus, 'name' | 'changedValues'>[]} [corpora]
 */

/** @typedef {{ question: Question, cells: CellDescription[] } & RunContext} NotedRun */

/**
 * What a report is without where a runtime lacks something, and when anybody would miss it.
 *
 * @type {{ needs: Capability, missing: string, isWanted: (question: Question) => boolean }[]}
 */
const MISSING = [
  { needs: 'collections', missing: 'times of garbage collections', isWanted: () => true },
  {
    needs: 'placements',
    missing: 'other placements of the code',
    isWanted: ({ placements = 0 }) => placements > 0,
  },
  { needs: 'node-flags', missing: 'the flags of Node', isWanted: asksForFlags },
  { needs: 'cpu-profile', missing: 'CPU profiles', isWanted: isExplained },
  { needs: 'v8-log', missing: 'deoptimisations', isWanted: isExplained },
  { needs: 'perf-map', missing: 'stacks of perf', isWanted: isExplained },
  { needs: 'heap-profile', missing: 'allocation sites', isWanted: isExplained },
  { needs: 'v8-natives', missing: 'forms of values', isWanted: isExplained },
];

/** @type {(question: Question) => boolean} */
function asksForFlags({ nodeFlags }) {
  return nodeFlags.length > 0;
}

/** @type {(question: Question) => boolean} */
function isExplained({ explain, recorders }) {
  return explain !== 'none' || recorders.length > 0;
}

/** @type {(run: NotedRun) => string | null} what other runtimes than Node cannot provide */
function describeMissing({ question, runtimes = [] }) {
  const phrases = runtimes.flatMap(({ runtime, lacks }) => {
    const missing = MISSING.filter(
      ({ needs, isWanted }) => lacks.includes(needs) && isWanted(question),
    ).map((one) => one.missing);
    return missing.length === 0 ? [] : `${nameRuntime(runtime)} has no ${listWords(missing)}`;
  });
  if (phrases.length === 0) return null;
  const isBlind = runtimes.some(({ lacks }) => lacks.includes('collections'));
  const figures = isBlind
    ? ' Where collections cannot be told apart, a figure is the mean of the batches, which varies more.'
    : '';
  return `${phrases.join('; ')}: these are missing from the report.${figures}`;
}

/** @type {(run: NotedRun) => string | null} */
function describeChanged({ corpora = [] }) {
  const changed = new Map(corpora.map(({ name, changedValues = 0 }) => [name, changedValues]));
  const phrases = [...changed].flatMap(([name, values]) =>
    values === 0 ? [] : `${countOf(values, 'value')} of ${name}`,
  );
  if (phrases.length === 0) return null;
  return `The documents are not quite those of your files: ${listWords(phrases)} changed when the reference read and wrote them ('corpora NAME' lists the changes).`;
}

/** @type {(run: NotedRun) => string | null} which variants take more than in proportion to the size of documents */
function describeFast({ question, sweeps = [] }) {
  const phrases = sweeps.flatMap(({ operation, corpus, exponents, ...sweep }) => {
    const { baseline, candidate } = pairOf(question, sweep);
    const arms = /** @type {const} */ ([
      [baseline, exponents.baseline],
      [candidate, exponents.candidate],
    ]);
    return arms.flatMap(([spec, exponent]) =>
      exponent !== null && growsFaster(exponent)
        ? [`${operation} ${corpus} of ${spec} with ${formatExponent(exponent)}`]
        : [],
    );
  });
  if (phrases.length === 0) return null;
  return `Time grows faster than documents: ${listWords([...new Set(phrases)])}.`;
}

/** Notes on a whole run, in their order. @type {{ kind: string, text: (run: NotedRun) => string | null }[]} */
const RUN_NOTES = [
  {
    kind: 'screen-mode',
    text: ({ question: { mode } }) =>
      mode === 'screen'
        ? 'Screened under --predictable, which changes how Node runs: enough for a first look, but it says nothing about production. Confirm without --screen.'
        : null,
  },
  {
    kind: 'sandbox',
    text: ({ question: { sandbox } }) =>
      sandbox
        ? 'Workers of all arms ran in a sandbox: without network and without the priority that Linux grants to root. Timing starts inside it, so only whole processes take longer.'
        : null,
  },
  {
    kind: 'benchmark-files',
    text: ({ question: { bench } }) =>
      bench === undefined || bench.notes.length === 0
        ? null
        : `Benchmark files: ${bench.notes.join('; ')}.`,
  },
  { kind: 'changed-documents', text: describeChanged },
  { kind: 'grows-faster', text: describeFast },
  { kind: 'runtime-lacks', text: describeMissing },
];

/**
 * The numbered notes: first those on the whole run, then those on cells, kinds in a fixed order.
 * Also appends the numbers that concern a cell to its comparison.
 * @type {(question: Question, cells: CellDescription[], context: RunContext) => Warning[]} numbered from 1
 */
export function collectWarnings(question, cells, context) {
  // Where the gate refused before anything was timed, there are no figures to warn of. It may have
  // refused only one part of a merged run.
  if (context.ended === 'refused' && !cells.some(isMeasured)) return [];
  const { environment, hostNoise, parts, thresholds: own, variants } = context;
  // The manifest of a merged run comes from its first part, whose host says nothing about the others.
  const thresholds = parts === undefined && own !== undefined ? own : USUAL_THRESHOLDS;
  const run = { question, cells, ...context };
  const notes = [
    ...listNotes(RUN_NOTES, run),
    ...(variants === undefined ? [] : noteCode(variants)),
    ...(parts === undefined
      ? noteHost(environment, hostNoise, thresholds)
      : [
          ...noteSeveralHosts(parts),
          ...noteParts(parts, (part) => noteHost(part.environment, part.hostNoise, thresholds)),
        ]),
  ].map((note, index) => ({ number: index + 1, ...note }));
  return [...notes, ...noteCells(CELL_NOTES, cells, notes.length + 1, question, thresholds)];
}

/**
 * One note for each kind that applies to any cell. Also appends its number to those cells' warnings.
 *
 * @template {{ comparison: CellComparison }} Described
 * @template {unknown[]} Context
 * @param {readonly CellNoteKind<Described, Context>[]} kinds
 * @param {Described[]} cells
 * @param {number} firstNumber
 * @param {Context} context
 * @returns {Warning[]}
 */
export function noteCells(kinds, cells, firstNumber, ...context) {
  /** @type {Warning[]} */
  const notes = [];
  for (const { kind, figure: find, text, countsMany } of kinds) {
    const number = firstNumber + notes.length;
    const concerned = cells.flatMap((cell) => {
      const figure = find(cell, ...context);
      if (figure === null) return [];
      const { comparison } = cell;
      comparison.warnings.push(number);
      const { id } = comparison.cell;
      return { id, figure, name: figure === '' ? id : `${id} (${figure})` };
    });
    if (concerned.length === 0) continue;
    if (countsMany === true && concerned.length > MAX_SHORT) {
      const figures = countEach(concerned.map(({ figure }) => figure));
      const share = concerned.length === cells.length ? 'all' : `${concerned.length} of`;
      const counted = `${share} ${countOf(cells.length, 'cell')} (${figures})`;
      notes.push({ number, kind, text: text(counted, ...context) });
      continue;
    }
    const names = concerned.map(({ name }) => name);
    const few = concerned.length <= MAX_SHORT ? concerned.map(({ id }) => id) : names;
    const short = firstSentence(text(nameSome(few, MAX_SHORT, 1), ...context));
    notes.push({
      number,
      kind,
      text: text(nameSome(names, MAX_NAMED, FIRST_NAMED), ...context),
      ...(concerned.length > 1 && { short }),
    });
  }
  return notes;
}

/** @param {string[]} figures @returns {string} each once: `empty`, or `3: empty; 2: late` */
function countEach(figures) {
  const counts = [...new Set(figures)].map((figure) => ({
    figure,
    count: figures.filter((one) => one === figure).length,
  }));
  if (counts.length === 1) return counts[0].figure;
  return counts.map(({ figure, count }) => `${count}: ${figure}`).join('; ');
}

/**
 * @param {string[]} concerned
 * @param {number} most that are all named
 * @param {number} first of more
 * @returns {string} of many cells the first ones: each has the number of the note beside it
 */
function nameSome(concerned, most, first) {
  if (concerned.length <= most) return concerned.join(', ');
  const others = countOf(concerned.length - first, 'other cell');
  return `${concerned.slice(0, first).join(', ')} and ${others}`;
}

/** @param {CellDescription} description */
function isMeasured({ comparison: { processes } }) {
  return processes.baseline > 0 || processes.candidate > 0;
}

/**
 * A note where the parts of a merged run were measured on machines that are not alike.
 * @type {(parts: RunPart[]) => Note[]} one note, or none
 */
function noteSeveralHosts(parts) {
  /** @type {Map<string, number[]>} */
  const hosts = new Map();
  for (const { shard, environment } of parts) {
    const host = describeHost(environment);
    hosts.set(host, [...(hosts.get(host) ?? []), shard]);
  }
  if (hosts.size < 2) return [];
  const places = [...hosts].map(([host, shards]) => `${nameParts(shards)}: ${host}`);
  const text = `Measured on ${hosts.size} kinds of machine: ${places.join('; ')}. All arms of a cell ran on one of them, so every ratio is valid there; times of cells from different parts cannot be compared, and a mean over cells is also a mean over machines.`;
  return [{ kind: 'several-hosts', text }];
}

/**
 * The notes on the machines of single parts, one note a kind.
 * @type {(parts: RunPart[], note: (part: RunPart) => Note[]) => Note[]}
 */
function noteParts(parts, note) {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const part of parts) {
    for (const { kind, text } of note(part)) {
      const ofPart = `${nameParts([part.shard])}: ${text[0].toLowerCase()}${text.slice(1)}`;
      texts.set(kind, [...(texts.get(kind) ?? []), ofPart]);
    }
  }
  return [...texts].map(([kind, ofKind]) => ({ kind, text: ofKind.join(' ') }));
}

/** @param {number[]} shards */
function nameParts(shards) {
  return `${shards.length === 1 ? 'Part' : 'Parts'} ${shards.join(', ')}`;
}

/**
 * @param {Environment} environment
 * @returns {string} what decides how fast a machine is; machines that agree in it count as one kind
 */
export function describeHost({ cpuModel, cpuCount, memoryBytes, kernel, node }) {
  const memory = `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  return `${cpuModel}, ${countOf(cpuCount, 'CPU')}, ${memory}, kernel ${kernel}, Node ${node}`;
}
