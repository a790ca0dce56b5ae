import { renameSync, writeFileSync } from 'node:fs';
import * as bson from 'bson';
import { withoutStackTraces } from '../support/without-stack-traces.js';
import { Draft, FastChance } from './fuzz/draft.js';
import { makeExaminer } from './fuzz/examine.js';
import { drawDocument } from './fuzz/vary.js';
import { OWN_CASES_PATH, loadCases, makePool } from './fuzz/pool.js';
import { shrinkDocument } from './fuzz/shrink.js';

/** @import { FuzzFailure, FuzzJob, FuzzResult } from '../../harness/formats/types.ts' */
/** @import { Codec } from './vectors/read-bytes.js' */
/** @import { Problem } from './fuzz/examine.js' */
/** @import { Handling } from './fuzz/mutate.js' */
/** @import { Pool } from './fuzz/pool.js' */
/** @import { Shrunk } from './fuzz/shrink.js' */

/**
 * Documents between two readings of the clock and journal entries, each of which takes some milliseconds. A session
 * tries more one by one after a hang.
 */
const DOCUMENTS_PER_LOOK = 800;
/** Stop after this many kinds of failures. */
const MAX_FAILURES = 20;

/**
 * Compares a variant with npm `bson`, or with the module of another reference, on mutated documents, for
 * `just fuzz VARIANT`.
 * @param {Codec} variant
 * @param {Pick<FuzzJob, 'seed' | 'firstDocument' | 'maxDocuments' | 'maxMs' | 'casesPaths' |
 *   'isCareful'> & { journalPath?: string, reference?: Codec | undefined }} job
 * @param {Pool} [pool] the documents to mutate, for calls that share them
 * @returns {FuzzResult}
 */
export function runFuzz(variant, job, pool = gatherPool(job)) {
  return withoutStackTraces(() => fuzz(variant, job, pool));
}

/** @type {(job: Pick<FuzzJob, 'seed' | 'casesPaths'>) => Pool} */
export function gatherPool({ seed, casesPaths }) {
  const cases = [OWN_CASES_PATH, ...casesPaths].flatMap(loadCases).map(({ bytes }) => bytes);
  return makePool(bson, seed, cases);
}

/**
 * @param {Parameters<typeof runFuzz>[0]} variant
 * @param {Parameters<typeof runFuzz>[1]} job
 * @param {Pool} pool
 * @returns {FuzzResult}
 */
function fuzz(variant, job, pool) {
  const { reference = /** @type {Codec} */ (bson) } = job;
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
    const handling = drawDocument(draft, pool, chance, { seed: job.seed, number });
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

/** @type {(problem: Problem) => string} the same for all problems that are reported once */
function signProblem({ kind, expected, found }) {
  const isByError = expected.startsWith('refused by ') || found.startsWith('refused by ');
  return isByError ? `${kind} ${expected} ${found}` : kind;
}

/** @param {number} document @param {Buffer} bytes @param {Handling} handling */
function describeAttempt(document, bytes, { readOptions, writeOptions }) {
  return { document, hex: bytes.toString('hex'), options: readOptions, writeOptions };
}

/** @type {(document: number, shrunk: Shrunk) => FuzzFailure} */
function describeFailure(document, { bytes, handling, problem }) {
  return { ...describeAttempt(document, bytes, handling), ...problem };
}

/**
 * The next document to try.
 * @typedef {object} Attempt
 * @property {number} document its number
 * @property {string} [hex] its bytes, in a careful job
 * @property {object} [options]
 * @property {object} [writeOptions]
 */

/**
 * Makes the function that writes the progress of a job, for display and for resuming after a hang or
 * crash. The file is never partial.
 * @type {(path: string) => (attempt: Attempt, result: FuzzResult) => void}
 */
function openJournal(path) {
  const draft = `${path}.new`;
  return function writeJournal(attempt, result) {
    writeFileSync(draft, JSON.stringify({ attempt, result }));
    renameSync(draft, path);
  };
}
