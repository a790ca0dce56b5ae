import { loadCases, OWN_CASES_PATH } from './cases.js';
import { Draft } from './draft.js';
import { makeExaminer } from './examine.js';
import { FastChance } from './fast-chance.js';
import { openJournal } from './journal.js';
import { makePool } from './make-pool.js';
import { mutateDocument } from './mutate-document.js';
import { shrinkDocument } from './shrink.js';

/** @import { FuzzFailure, FuzzJob, FuzzResult } from '../../../harness/formats/types.ts' */
/** @import { Codec } from '../vectors/read-bytes.js' */
/** @import { Problem } from './compare-outcomes.js' */
/** @import { Handling } from './mutate-document.js' */
/** @import { Shrunk } from './shrink.js' */

/** Documents between two reads of the clock and journal entries: about ten milliseconds. */
const DOCUMENTS_PER_LOOK = 256;
/** Number of kinds of failures after which to stop. */
const MAX_FAILURES = 20;

/**
 * Mutates documents and compares a variant with the reference on each.
 *
 * @param {Codec} variant
 * @param {Codec} reference
 * @param {Pick<FuzzJob, 'seed' | 'firstDocument' | 'maxDocuments' | 'maxMs' | 'casesPaths' |
 *   'isCareful'> & { journalPath?: string }} job
 * @returns {FuzzResult}
 */
export function runFuzz(variant, reference, job) {
  // Most documents are rejected, and stack traces are not needed.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return fuzz(variant, reference, job);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** @type {typeof runFuzz} */
function fuzz(variant, reference, job) {
  const cases = [OWN_CASES_PATH, ...job.casesPaths].flatMap(loadCases).map(({ bytes }) => bytes);
  const pool = makePool(reference, job.seed, cases);
  const { examine, tally } = makeExaminer(variant, reference);
  // Documents tried while shrinking are not counted.
  const { examine: examineAgain } = makeExaminer(variant, reference);
  const writeJournal = job.journalPath === undefined ? null : openJournal(job.journalPath);
  const chance = new FastChance();
  const draft = new Draft();
  /** @type {Map<string, FuzzFailure>} */
  const failures = new Map();
  let documents = 0;
  let differences = 0;
  const report = function makeResult() {
    return { documents, differences, ...tally, failures: [...failures.values()] };
  };
  const endMs = performance.now() + job.maxMs;
  while (documents < job.maxDocuments && failures.size < MAX_FAILURES) {
    const number = job.firstDocument + documents;
    const isLook = documents % DOCUMENTS_PER_LOOK === 0;
    if (isLook && performance.now() >= endMs) break;
    if (isLook) writeJournal?.({ document: number }, report());
    chance.reseed(job.seed, number);
    const handling = mutateDocument(draft, pool, chance);
    const bytes = draft.bytes.subarray(0, draft.length);
    if (job.isCareful) writeJournal?.(describeAttempt(number, bytes, handling), report());
    const problem = examine(bytes, handling);
    documents++;
    if (problem === null) continue;
    differences++;
    const signature = signProblem(problem);
    if (failures.has(signature)) continue;
    const shrunk = shrinkDocument(bytes, handling, problem, examineAgain);
    failures.set(signature, describeFailure(number, shrunk));
  }
  writeJournal?.({ document: job.firstDocument + documents }, report());
  return report();
}

/**
 * Documents with the same problem are reported once.
 *
 * @param {Problem} problem
 * @returns {string}
 */
function signProblem({ kind, expected, found }) {
  const isByError = expected.startsWith('refused by ') || found.startsWith('refused by ');
  return isByError ? `${kind} ${expected} ${found}` : kind;
}

/**
 * @param {number} document
 * @param {Buffer} bytes
 * @param {Handling} handling
 */
function describeAttempt(document, bytes, { readOptions, writeOptions }) {
  return { document, hex: bytes.toString('hex'), options: readOptions, writeOptions };
}

/**
 * @param {number} document
 * @param {Shrunk} shrunk
 * @returns {FuzzFailure}
 */
function describeFailure(document, { bytes, handling, problem }) {
  return { ...describeAttempt(document, bytes, handling), ...problem };
}
