import { countOf, formatRoughShare } from '../lib/numbers.js';
import { listPlaces } from './notes.js';
import { isTooLarge, planMemoryJobs } from './plan.js';
import { fitLine } from './means.js';
import { takeMedian } from './robust.js';

/** @import { AllocationResult, Arm, CellMemory, CorpusMemory, HeldPoint, Manifest, MemoryMetric, MemoryObservation, Verdict, Warning } from '../formats/types.ts' */
/** @import { Note } from './notes.js' */
/** @import { sortMemoryResults } from './memory.js' */

/**
 * @typedef {object} MemoryFindings
 * @property {Manifest['question']} question
 * @property {Manifest['corpora']} corpora
 * @property {MemoryObservation[]} observations
 * @property {CellMemory[]} cells
 * @property {CorpusMemory[]} corpusMemories
 * @property {ReturnType<typeof sortMemoryResults>} findResults
 * @property {Verdict['ended']} ended
 * @property {number} firstNumber
 */

/**
 * What a reader of the figures of memory should know.
 *
 * @param {MemoryFindings} findings
 * @returns {Warning[]}
 */
export function collectMemoryWarnings(findings) {
  const notes = [
    ...noteMissing(findings),
    ...noteFailures(findings),
    ...noteControls(findings),
    ...noteUndecided(findings),
    ...noteAllocation(findings),
    ...noteRetention(findings),
  ];
  return notes.map((note, index) => ({ number: findings.firstNumber + index, ...note }));
}

/**
 * What a run that ended early has not measured, or in fewer processes than planned.
 *
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteMissing({ question, corpora, observations, ended }) {
  // Without the kinds, which manifests did not always have, nothing is known of the plan.
  if (ended === 'complete' || ended === 'refused' || question.memoryKinds === undefined) return [];
  const tried = new Set(observations.map(({ id }) => id));
  /** @type {Map<string, { planned: number, tried: number }>} */
  const counts = new Map();
  for (const { id, kind, subject } of planMemoryJobs(question, corpora)) {
    const name = `${kind} ${subject}`;
    const count = counts.get(name) ?? { planned: 0, tried: 0 };
    counts.set(name, {
      planned: count.planned + 1,
      tried: count.tried + (tried.has(id) ? 1 : 0),
    });
  }
  const places = [...counts].flatMap(([name, count]) => {
    if (count.tried === count.planned) return [];
    return [count.tried === 0 ? name : `${name} (${count.tried} of ${count.planned} processes)`];
  });
  return listPlaces(
    'memory-incomplete',
    places,
    (list) =>
      `Memory was not measured, or not in all processes: ${list}. Measure the rest with --resume.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteFailures({ observations }) {
  const done = new Set(
    observations.filter(({ outcome }) => outcome === 'done').map(({ id }) => id),
  );
  const failures = new Map();
  for (const observation of observations) {
    if (observation.outcome === 'failed' && !done.has(observation.id)) {
      failures.set(observation.id, observation.failure);
    }
  }
  return listPlaces(
    'memory-job-failed',
    [...failures].map(([id, { detail, lastLines }]) => {
      const last = lastLines.at(-1);
      return `${id} ${detail}${last === undefined ? '' : `, last words: ${last}`}`;
    }),
    (places) => `Memory jobs brought no result: ${places}.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteControls({ cells, corpusMemories }) {
  return listPlaces(
    'memory-control-differs',
    listMetrics(cells, corpusMemories, ({ verdict }) => verdict === 'untrusted'),
    (list) =>
      `The baseline measured a second time differs by enough to explain the difference: ${list}. The verdict is not to be trusted.`,
  );
}

/**
 * Why a figure has no direction although its interval shows one.
 *
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteUndecided({ question, cells, corpusMemories }) {
  const least = 1 + question.minimumEffect;
  const isUndecided = (/** @type {MemoryMetric} */ { verdict, ratio }) =>
    verdict === 'inconclusive' && ratio !== null && (ratio.low > least || ratio.high < 1 / least);
  return listPlaces(
    'memory-undecided',
    listMetrics(cells, corpusMemories, isUndecided),
    (list) =>
      `The interval excludes 1, but with so few processes, or among so many figures (Holm's adjustment), that can happen by chance: ${list}.`,
  );
}

/**
 * @param {CellMemory[]} cells
 * @param {CorpusMemory[]} corpusMemories
 * @param {(metric: MemoryMetric) => boolean} isConcerned
 * @returns {string[]} `serialize flat (collections)`
 */
function listMetrics(cells, corpusMemories, isConcerned) {
  const places = [
    ...cells.map(({ cell, metrics }) => ({ place: cell.id, metrics })),
    ...corpusMemories.flatMap(({ corpus, metrics, groups }) => [
      { place: corpus, metrics },
      ...groups.map(({ name, metric }) => ({ place: `${corpus} ${name}`, metrics: [metric] })),
    ]),
  ];
  return places.flatMap(({ place, metrics }) =>
    metrics.filter(isConcerned).map(({ name }) => `${place} (${name})`),
  );
}

/** Two ways of measuring the same thing should agree to this share. */
const MAX_ALLOCATION_GAP = 0.02;
/** Processes whose code the compiler treated alike agree far better than this. */
const MAX_PROCESS_SPAN = 0.01;
/** In less than this, what the runtime allocates for itself is a large part. */
const TELLING_BYTES = 64;

/** @type {readonly Arm[]} */
const ARMS = ['baseline', 'candidate', 'control'];

/**
 * What a reader of bytes allocated should know.
 *
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteAllocation(findings) {
  return [
    ...noteLeftOut(findings),
    ...noteWindows(findings),
    ...noteModes(findings),
    ...noteAccounts(findings),
  ];
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteLeftOut({ question, corpora }) {
  const ids = question.cells.filter((cell) => isTooLarge(cell, corpora)).map(({ id }) => id);
  return listPlaces(
    'memory-corpus-large',
    ids,
    (places) =>
      `What operations allocate was not measured, because every process would make the whole corpus ready first: ${places}. It is told per document, so fewer documents of the same corpus tell it. Outputs, too, were checked on the number of documents that the corpus has by default.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteWindows({ question, findResults }) {
  const places = question.cells.flatMap(({ id }) => {
    const results = findResults('allocation', id);
    return ARMS.some((arm) => results[arm].some(({ bridged }) => bridged)) ? [id] : [];
  });
  return listPlaces(
    'memory-windows-collected',
    places,
    (list) =>
      `One pass over the corpus allocates more than fits before a collection: ${list}. What was allocated is summed over the collections, as the collector tells it.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteModes({ question, findResults }) {
  const places = question.cells.flatMap(({ id }) => {
    const results = findResults('allocation', id);
    return ARMS.flatMap((arm) => {
      const { low, high } = spanOf(results[arm].map(takeWindow));
      if (!(high >= TELLING_BYTES) || high / low - 1 <= MAX_PROCESS_SPAN) return [];
      return [`${id} ${arm}: ${low.toFixed(0)} to ${high.toFixed(0)} bytes`];
    });
  });
  return listPlaces(
    'memory-process-modes',
    places,
    (list) =>
      `What is allocated differs from process to process: ${list}. Each process is steady; where code is compiled as it runs, the compiler decides once in each which objects it can do without.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteAccounts({ question, findResults }) {
  const places = question.cells.flatMap(({ id }) => {
    const [windows, accounts] = [findResults('allocation', id), findResults('collections', id)];
    return ARMS.flatMap((arm) => {
      const one = spanOf(windows[arm].map(takeWindow));
      const other = spanOf(accounts[arm].map(({ allocatedBytes }) => allocatedBytes));
      const gap = Math.max(one.low / other.high, other.low / one.high) - 1;
      if (!(one.high >= TELLING_BYTES) || !Number.isFinite(gap) || gap <= MAX_ALLOCATION_GAP) {
        return [];
      }
      return [`${id} ${arm}, ${formatRoughShare(gap)} apart`];
    });
  });
  return listPlaces(
    'memory-allocation-disagrees',
    places,
    (list) =>
      `Bytes allocated as windows of documents tell it and as the processes tell it that count collections part by more than ${formatRoughShare(MAX_ALLOCATION_GAP)}: ${list}.`,
  );
}

/** @param {AllocationResult} result */
function takeWindow({ windowHeapBytes }) {
  return takeMedian(windowHeapBytes);
}

/**
 * @param {number[]} values
 * @returns {{ low: number, high: number }} an empty span without values
 */
function spanOf(values) {
  return { low: Math.min(...values), high: Math.max(...values) };
}

/** Two ways of measuring the same thing should agree to this share. */
const MAX_RETENTION_GAP = 0.02;
/** Beyond it the points do not lie on a line, and their slope means little. */
const MAX_RESIDUAL = 0.02;

/**
 * What a reader of bytes retained should know.
 *
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteRetention(findings) {
  return [...noteSlopes(findings), ...noteResiduals(findings), ...noteUnrepeated(findings)];
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteSlopes({ corpusMemories }) {
  const places = corpusMemories.flatMap(({ corpus, metrics, documents }) => {
    const [snapshot, slope] = /** @type {const} */ (['retained', 'retained-slope']).map((name) =>
      metrics.find((metric) => metric.name === name),
    );
    return ARMS.flatMap((arm) => {
      const [one, other] = [snapshot?.values[arm], slope?.values[arm]];
      if (one == null || other == null || differBy(one, other) <= MAX_RETENTION_GAP) return [];
      const held = `${documents.snapshot} and ${countOf(documents.slope, 'document')}`;
      return [`${corpus} ${arm}: ${one.toFixed(0)} and ${other.toFixed(0)} bytes (${held})`];
    });
  });
  return listPlaces(
    'memory-slope-disagrees',
    places,
    (list) =>
      `Retained bytes per document by heap snapshot and by the slope of the collected heap part by more than ${formatRoughShare(MAX_RETENTION_GAP)}: ${list}. A snapshot sees only what documents hold; the slope sees whatever grew meanwhile.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteResiduals({ corpora, findResults }) {
  const places = corpora.flatMap(({ label }) => {
    const results = findResults('retained-slope', label);
    return ARMS.flatMap((arm) => {
      const shares = results[arm].map(({ points }) => fitHeldSlope(points).residualShare);
      const worst = Math.max(0, ...shares);
      return worst > MAX_RESIDUAL ? [`${label} ${arm}, ${formatRoughShare(worst)} off`] : [];
    });
  });
  return listPlaces(
    'memory-slope-bends',
    places,
    (list) => `The collected heap does not grow on a straight line: ${list}.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteUnrepeated({ corpusMemories }) {
  const places = corpusMemories.flatMap(({ corpus, metrics }) =>
    metrics.flatMap(({ name, exact, ratio, processes }) => {
      const fewest = Math.min(processes.baseline, processes.candidate);
      if (name !== 'retained' || exact || ratio === null || fewest < 2) return [];
      return [`${corpus}, ${formatRoughShare(ratio.high / ratio.low - 1)} from end to end`];
    }),
  );
  return listPlaces(
    'memory-not-repeated',
    places,
    (list) =>
      `Retained bytes did not repeat to the byte from process to process: ${list}. The interval is the range that was seen.`,
  );
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {number} share
 */
function differBy(one, other) {
  return Math.abs(one - other) / Math.min(one, other);
}

/**
 * Bytes that each further document holds, by least squares through the points of one process.
 *
 * @param {HeldPoint[]} points at least two numbers of documents
 * @returns {{ bytesPerDocument: number, residualShare: number }} the largest distance from the line
 *   is given as a share of what all documents hold; NaN where there is no line
 */
export function fitHeldSlope(points) {
  const line = points.map(({ documents, heapUsedBytes, externalBytes }) => ({
    x: documents,
    // Array buffers are part of the external bytes.
    y: heapUsedBytes + externalBytes,
  }));
  const { slope, meanX, meanY } = fitLine(line);
  const distances = line.map(({ x, y }) => Math.abs(y - meanY - slope * (x - meanX)));
  const largestX = Math.max(...line.map(({ x }) => x));
  return {
    bytesPerDocument: slope,
    residualShare: Math.max(...distances) / Math.abs(slope * largestX),
  };
}
