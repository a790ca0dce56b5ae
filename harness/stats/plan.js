import { MEMORY_KINDS } from '../formats/memory-kinds.js';

import { generatorFor, shuffle } from './random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, Cell, MemoryJobKind, PlannedJob, PlannedMemoryJob, PreparedCorpus, Question } from '../formats/types.ts' */

/** The arms of every block. The control is the baseline measured under another name. */
export const ARMS = Object.freeze(/** @type {Arm[]} */ (['baseline', 'candidate', 'control']));

/** A mirrored block runs each arm this often: once on the way there, once on the way back. */
export const PROCESSES_PER_BLOCK = 2;

/**
 * The timed jobs that bring the given cells from one number of processes a side to another, in the
 * order in which they run. Rounds go over the cells in random order; within a round each cell gets
 * one block: its arms in random order, then the same order backwards, so that a steady drift of the
 * machine weighs the same on every arm. The order depends on the seed, the cell and the block alone,
 * so a run that was cut off goes on with the very jobs that are missing.
 *
 * @param {Question} question
 * @param {Cell[]} cells the cells that still measure
 * @param {{ from: number, to: number }} processes a side already planned, and wanted; even numbers
 * @returns {PlannedJob[]}
 */
export function planJobs(question, cells, { from, to }) {
  const jobs = [];
  const allCells = question.shard?.cells ?? question.cells;
  for (let block = from / PROCESSES_PER_BLOCK; block < to / PROCESSES_PER_BLOCK; block++) {
    const order = shuffle(cells, generatorFor(question.seed, block, 0));
    for (const cell of order) {
      const cellNumber = allCells.findIndex(({ id }) => id === cell.id) + 1;
      jobs.push(...planBlock(cell.id, block, generatorFor(question.seed, block, cellNumber)));
    }
  }
  return jobs;
}

/**
 * @param {string} cellId
 * @param {number} block
 * @param {RandomGenerator} random
 * @returns {PlannedJob[]}
 */
function planBlock(cellId, block, random) {
  const there = shuffle(ARMS, random);
  const mirrored = [...there, ...there.toReversed()];
  return mirrored.map((arm, position) => ({
    id: `${cellId}/${String(block).padStart(3, '0')}/${position}/${arm}`,
    cellId,
    arm,
    block,
    position,
  }));
}

/** Processes an arm. Bytes hardly differ from process to process but for what the compiler decides
 * once in each, so that few are enough; what a snapshot says repeats to the byte, and the second
 * process shows that it does. */
const PROCESSES = Object.freeze({
  allocation: 6,
  collections: 4,
  'retained-snapshot': 2,
  'retained-slope': 3,
});

/** ObjectIds of 16 bytes that one slab of Node's buffer pool has room for. In such numbers they fill
 * their slabs, so that an id's share of them is whole. */
const IDS_PER_SLAB = 512;
/** Documents in a snapshot, which is few seconds of work: full slabs, and a whole number of corpora of
 * 1000, 100 or 10 documents. */
const MAX_SNAPSHOT_DOCUMENTS = 125 * IDS_PER_SLAB;
/** Their BSON; what it becomes is several times as large. */
const MAX_SNAPSHOT_BYTES = 20 * 2 ** 20;
/** Documents that a small corpus is repeated to for the slope, and their BSON. */
const SLOPE_DOCUMENTS = 100_000;
const SLOPE_BYTES = 32 * 2 ** 20;
/** BSON of the largest corpus that is held whole. */
const MAX_SLOPE_BYTES = 2 ** 30;
/** BSON of the largest corpus that an operation is run on: every process of it makes all documents
 * ready before it begins, and the figures are per document anyway. */
const MAX_CELL_BYTES = 32 * 2 ** 20;
/** A slope needs as many points, each of another number of documents. */
const MIN_DOCUMENTS = 4;

/**
 * The memory jobs of a run: of every cell what it allocates and how that is collected, of every
 * corpus that a cell reads what its documents retain. Arms take turns, in mirrored order from process
 * to process.
 *
 * @param {Pick<Question, 'cells' | 'memoryKinds'>} question
 * @param {PreparedCorpus[]} corpora
 * @returns {PlannedMemoryJob[]}
 */
export function planMemoryJobs({ cells, memoryKinds = MEMORY_KINDS }, corpora) {
  const read = new Set(
    cells.flatMap(({ corpus, readsDocuments = false }) => (readsDocuments ? corpus : [])),
  );
  const heldCorpora = corpora.filter(({ label }) => read.has(label));
  return MEMORY_KINDS.filter((kind) => memoryKinds.includes(kind)).flatMap((kind) => {
    const subjects = isRetention(kind)
      ? heldCorpora.map((corpus) => ({
          subject: corpus.label,
          documentCount: countDocumentsToHold(kind, corpus),
        }))
      : cells
          .filter((cell) => !isTooLarge(cell, corpora))
          .map(({ id }) => ({ subject: id, documentCount: null }));
    return subjects.flatMap((subject) => planProcesses(kind, subject));
  });
}

/**
 * @param {MemoryJobKind} kind
 * @returns {boolean} whether it measures what the documents of a corpus retain
 */
export function isRetention(kind) {
  return kind === 'retained-slope' || kind === 'retained-snapshot';
}

/**
 * Whether a cell's corpus has more documents than a memory job runs its operation on.
 *
 * @param {Cell} cell
 * @param {PreparedCorpus[]} corpora
 * @returns {boolean}
 */
export function isTooLarge(cell, corpora) {
  return corpora.some((corpus) => corpus.label === cell.corpus && isLargeCorpus(corpus));
}

/**
 * Whether a corpus has more documents than a job has ready at once.
 *
 * @param {Pick<PreparedCorpus, 'sizeBytes'>} corpus
 * @returns {boolean}
 */
export function isLargeCorpus({ sizeBytes }) {
  return sizeBytes > MAX_CELL_BYTES;
}

/**
 * @param {MemoryJobKind} kind
 * @param {Pick<PlannedMemoryJob, 'subject' | 'documentCount'>} subject
 * @returns {PlannedMemoryJob[]}
 */
function planProcesses(kind, { subject, documentCount }) {
  return Array.from({ length: PROCESSES[kind] }, (_, process) => {
    const arms = process % 2 === 0 ? ARMS : ARMS.toReversed();
    return arms.map((arm) => {
      const id = `${kind}/${subject}/${process}/${arm}`;
      return { id, kind, subject, arm, process, documentCount };
    });
  }).flat();
}

/**
 * How many documents a job holds. Small corpora are repeated, as whole corpora where possible, so
 * that the mean is theirs; of a corpus too large to hold it is as many as fit.
 *
 * @param {MemoryJobKind} kind
 * @param {Pick<PreparedCorpus, 'documentCount' | 'sizeBytes'>} corpus
 * @returns {number}
 */
export function countDocumentsToHold(kind, { documentCount, sizeBytes }) {
  const meanBytes = Math.max(1, sizeBytes / Math.max(1, documentCount));
  const limit = (/** @type {number} */ documents, /** @type {number} */ bytes) =>
    Math.max(MIN_DOCUMENTS, Math.min(documents, Math.floor(bytes / meanBytes)));
  if (kind === 'retained-snapshot') {
    return takeWholeCorpora(limit(MAX_SNAPSHOT_DOCUMENTS, MAX_SNAPSHOT_BYTES), documentCount);
  }
  const repeated = limit(SLOPE_DOCUMENTS, SLOPE_BYTES);
  if (documentCount >= repeated) return limit(documentCount, MAX_SLOPE_BYTES);
  // Four whole numbers of corpora, one at each point of the slope.
  return takeWholeCorpora(repeated, documentCount * MIN_DOCUMENTS);
}

/**
 * @param {number} limit documents
 * @param {number} unit documents
 * @returns {number} the largest multiple of the unit within the limit, or else the limit
 */
function takeWholeCorpora(limit, unit) {
  const fullSlabs = limit - (limit % IDS_PER_SLAB) || limit;
  const whole = fullSlabs - (fullSlabs % Math.max(1, unit));
  return whole > 0 ? whole : fullSlabs;
}
