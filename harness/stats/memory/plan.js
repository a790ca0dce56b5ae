import { MEMORY_KINDS } from '../../formats/memory-kinds.js';
import { ARMS, groupShared, jobCellId } from '../plan.js';
import { scheduleOf } from '../schedule.js';

/** @import { Cell, MemoryJobKind, PlannedMemoryJob, PreparedCorpus, Question } from '../../formats/types.ts' */

/**
 * What memory is measured of: a cell, or the documents of a corpus after they were read. Several candidates
 * share the jobs of baseline and control, as in cells.
 *
 * @typedef {import('../plan.js').Sharing} Subject
 */

/** @typedef {Subject & { corpus: string, candidate?: number }} HeldCorpus */

/** Processes per arm. Six against twelve of baseline and control have 18 564 assignments, enough for Holm's
 * adjustment over hundreds of figures. A snapshot takes several times as long and repeats to the byte,
 * which four processes confirm. All are even, because every other process runs the arms in reverse. */
export const PROCESSES = Object.freeze({
  allocation: 6,
  collections: 6,
  'retained-snapshot': 4,
  'retained-slope': 6,
});

/** ObjectIds of 16 bytes that fit into one slab of Node's buffer pool. Multiples of it fill their slabs,
 * so each id has an equal share of them. */
const IDS_PER_SLAB = 512;
/** How many documents and bytes of BSON a job holds at most; in memory they are several times as large. A small corpus is
 * repeated up to `repeated`. A larger one is held once, up to `whole`. */
const LIMITS = Object.freeze({
  // Exact, so it needs few.
  'retained-snapshot': {
    repeated: { documents: 5 * IDS_PER_SLAB, bytes: 2 * 2 ** 20 },
    whole: { documents: 125 * IDS_PER_SLAB, bytes: 20 * 2 ** 20 },
  },
  // The collected heap varies by 100 kB or so, however many documents it holds.
  'retained-slope': {
    repeated: { documents: 50_000, bytes: 32 * 2 ** 20 },
    whole: { documents: Infinity, bytes: 2 ** 30 },
  },
});
/** Largest corpus that an operation runs on, in bytes of BSON: every process prepares all documents
 * first, and figures are per document anyway. */
const MAX_CELL_BYTES = 32 * 2 ** 20;
/** A slope needs this number of points, each with another number of documents. */
const MIN_DOCUMENTS = 4;

/**
 * The memory jobs of a run: allocation and garbage collection of every cell, and retained memory of
 * every corpus that a cell reads. Arms alternate, in mirrored order from process to process.
 *
 * @param {Pick<Question, 'cells' | 'candidates' | 'memoryKinds'>} question
 * @param {PreparedCorpus[]} corpora
 * @returns {PlannedMemoryJob[]}
 */
export function planMemoryJobs(question, corpora) {
  const { cells, memoryKinds = MEMORY_KINDS } = question;
  const held = groupShared(listHeld(question, corpora));
  const measured = groupShared(cells.filter((cell) => !isTooLarge(cell, corpora)));
  return MEMORY_KINDS.filter((kind) => memoryKinds.includes(kind)).flatMap((kind) => {
    if (!isRetention(kind)) {
      return [...measured.values()].flatMap((subjects) => planProcesses(kind, subjects, null));
    }
    return [...held.values()].flatMap((subjects) => {
      const [{ corpus: label }] = subjects;
      const corpus = /** @type {PreparedCorpus} */ (corpora.find((each) => each.label === label));
      return planProcesses(kind, subjects, countDocumentsToHold(kind, corpus));
    });
  });
}

/**
 * @param {Pick<Question, 'cells' | 'candidates'>} question
 * @param {Pick<PreparedCorpus, 'label'>[]} corpora
 * @returns {HeldCorpus[]} every corpus that a cell reads, with each of its candidates, in the order of the
 *   corpora
 */
export function listHeld({ cells, candidates }, corpora) {
  return corpora.flatMap(({ label }) => {
    const reading = cells.filter(
      ({ corpus, readsDocuments = false }) => readsDocuments && corpus === label,
    );
    return [...new Set(reading.map(({ candidate }) => candidate))].map((candidate) =>
      candidate === undefined
        ? { id: label, corpus: label }
        : { id: `${label} ${candidates[candidate]}`, sharedId: label, corpus: label, candidate },
    );
  });
}

/** @type {(kind: MemoryJobKind) => kind is keyof typeof LIMITS} whether it measures the retained memory of a corpus */
export function isRetention(kind) {
  return kind === 'retained-slope' || kind === 'retained-snapshot';
}

/**
 * Whether a cell's corpus has more documents than a memory job runs its operation on.
 * @type {(cell: Cell, corpora: PreparedCorpus[]) => boolean}
 */
export function isTooLarge(cell, corpora) {
  return corpora.some((corpus) => corpus.label === cell.corpus && isLargeCorpus(corpus));
}

/**
 * Whether a corpus has more documents than a job prepares at once.
 * @type {(corpus: Pick<PreparedCorpus, 'sizeBytes'>) => boolean}
 */
export function isLargeCorpus({ sizeBytes }) {
  return sizeBytes > MAX_CELL_BYTES;
}

/**
 * Plans the processes of subjects that share the jobs of baseline and control.
 * @type {(kind: MemoryJobKind, subjects: Subject[], documentCount: number | null) => PlannedMemoryJob[]}
 */
function planProcesses(kind, subjects, documentCount) {
  const there = ARMS.flatMap((arm) =>
    (arm === 'candidate' ? subjects : subjects.slice(0, 1)).map((each) => ({
      arm,
      subject: jobCellId(each, arm),
    })),
  );
  return Array.from({ length: PROCESSES[kind] }, (_, process) => {
    const jobs = process % 2 === 0 ? there : there.toReversed();
    return jobs.map(({ arm, subject }) => {
      const place = { kind, subject, arm, process, documentCount };
      return { id: nameMemoryJob(place), ...place };
    });
  }).flat();
}

/** The identity of a memory job. @type {(place: Omit<PlannedMemoryJob, 'id'>) => string} */
export function nameMemoryJob({ kind, subject, process, arm }) {
  return `${kind}/${subject}/${process}/${arm}`;
}

/**
 * Groups memory jobs that run at the same time: those that hold documents, where the schedule has room for two.
 * What an operation allocates depends on when its code is compiled, and collections are timed, so these run alone; and so
 * does a job that holds a large corpus, because two of them may need more memory than there is.
 *
 * @param {PlannedMemoryJob[]} jobs in the order of the plan
 * @param {Pick<Question, 'cells' | 'candidates' | 'schedule'>} question
 * @param {Pick<PreparedCorpus, 'label' | 'sizeBytes'>[]} corpora
 * @returns {PlannedMemoryJob[][]}
 */
export function groupMemoryJobs(jobs, question, corpora) {
  const { width } = scheduleOf(question);
  const large = listHeld(question, corpora.filter(isLargeCorpus)).flatMap((held) =>
    ARMS.map((arm) => jobCellId(held, arm)),
  );
  /** @type {(job: PlannedMemoryJob) => boolean} */
  const isAlone = ({ kind, subject }) => !isRetention(kind) || large.includes(subject);
  /** @type {PlannedMemoryJob[][]} */
  const groups = [];
  for (const job of jobs) {
    const last = groups.at(-1) ?? [];
    const hasRoom = last.length > 0 && last.length < width && last[0].kind === job.kind;
    if (hasRoom && !isAlone(job) && !isAlone(last[0])) last.push(job);
    else groups.push([job]);
  }
  return groups;
}

/**
 * How many documents a job holds. Small corpora are repeated, where possible a whole number of
 * times, so that the mean is that of the corpus; of a large corpus it is as many as fit.
 * @type {(kind: keyof typeof LIMITS, corpus: Pick<PreparedCorpus, 'documentCount' | 'sizeBytes'>) => number}
 */
function countDocumentsToHold(kind, { documentCount, sizeBytes }) {
  const meanBytes = Math.max(1, sizeBytes / Math.max(1, documentCount));
  const limit = (/** @type {{ documents: number, bytes: number }} */ { documents, bytes }) =>
    Math.max(MIN_DOCUMENTS, Math.min(documents, Math.floor(bytes / meanBytes)));
  const { repeated, whole } = LIMITS[kind];
  if (documentCount >= limit(repeated)) return Math.min(documentCount, limit(whole));
  // Whole corpora at each point of the slope.
  const unit = kind === 'retained-slope' ? documentCount * MIN_DOCUMENTS : documentCount;
  return takeWholeCorpora(limit(repeated), unit);
}

/**
 * The largest multiple of a number of documents within a limit or, without one, the limit.
 * @type {(limit: number, unit: number) => number}
 */
function takeWholeCorpora(limit, unit) {
  const fullSlabs = limit - (limit % IDS_PER_SLAB) || limit;
  const whole = fullSlabs - (fullSlabs % Math.max(1, unit));
  return whole > 0 ? whole : fullSlabs;
}
