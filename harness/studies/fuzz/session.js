import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOfFormat } from '../../formats/schemas.js';
import { makeDirectory, makeTemporaryDirectory } from '../../lib/files.js';
import { omitUndefined } from '../../lib/records.js';
import {
  chooseStart,
  composeStart,
  describeJob,
  describeJobVariant,
  runConfined,
} from '../../run/jobs.js';

/** @import { Failure, FuzzFailure, FuzzJob, FuzzJournal, FuzzReport, FuzzResult, ResolvedVariant, Runtime, Sandbox } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { WorkerOutcome } from '../../run/process.js' */

/** More documents than a job tries between two journal entries. */
const CAREFUL_DOCUMENTS = 1_000;

/**
 * @typedef {object} SessionSettings
 * @property {ResolvedVariant} variant
 * @property {ResolvedVariant | undefined} [reference] in place of that of the family
 * @property {FoundFamily} family
 * @property {number} seed
 * @property {number} maxDocuments
 * @property {number} maxMs
 * @property {number} maxStops after so many hangs and crashes fuzzing stops
 * @property {string[]} casesPaths directories with additional cases to mutate
 *
 * @typedef {object} SessionResult
 * @property {FuzzResult} result
 * @property {'complete' | 'interrupted' | 'stopped' | 'failed'} ended `stopped`: too many
 *   failures; `failed`: the worker ended before its first document
 * @property {Failure | null} failure of the worker
 */

/**
 * Fuzzes a variant in a separate process. After a hang or crash it is restarted after the document that
 * caused it, which is found by trying the last few one by one.
 *
 * @param {SessionSettings} settings
 * @param {Pick<Watch, 'environment' | 'signal' | 'runtimes' | 'sandbox' | 'hangMs'> & { onProgress: (result: FuzzResult) => void, nowMs: () => number }} context
 * @returns {Promise<SessionResult>}
 */
export async function runFuzzSession(settings, { onProgress, nowMs, ...watch }) {
  const directory = makeTemporaryDirectory('fuzz');
  const endMs = nowMs() + settings.maxMs;
  let result = NO_RESULT;
  try {
    let stops = 0;
    while (stops < settings.maxStops) {
      const limits = {
        firstDocument: result.documents,
        maxDocuments: settings.maxDocuments - result.documents,
        maxMs: endMs - nowMs(),
      };
      if (limits.maxDocuments < 1 || limits.maxMs <= 0) return endSession(result, 'complete');
      const before = result;
      const job = makeJob(settings, directory, { ...limits, isCareful: false });
      const outcome = await watchJob(job, {
        ...watch,
        onJournal: (journal) => onProgress(addResults(before, journal.result)),
      });
      if ('report' in outcome) {
        result = addResults(before, /** @type {FuzzReport} */ (outcome.report).result);
        const isComplete = result.documents >= settings.maxDocuments || nowMs() >= endMs;
        return endSession(result, isComplete ? 'complete' : 'stopped');
      }
      const journal = readJournal(job.journalPath);
      if (journal !== null) result = addResults(before, journal.result);
      if (watch.signal.aborted) return endSession(result, 'interrupted');
      if (journal === null) return endSession(result, 'failed', outcome.failure);
      const found = await pinDown(settings, directory, journal.attempt.document, watch);
      if (found === null) return endSession(result, 'failed', outcome.failure);
      result = addResults(result, found.before);
      if (found.failure === null) continue;
      result = addResults(result, failureResult(found.failure));
      stops++;
    }
    return endSession(result, 'stopped');
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * @param {FuzzResult} result
 * @param {SessionResult['ended']} ended
 * @param {Failure | null} [failure]
 * @returns {SessionResult}
 */
function endSession(result, ended, failure = null) {
  return { result, ended, failure };
}

/**
 * Tries documents one by one, each written to the journal first, until the variant hangs or crashes again.
 *
 * @param {SessionSettings} settings
 * @param {string} directory
 * @param {number} firstDocument
 * @param {Pick<Watch, 'environment' | 'signal' | 'runtimes' | 'sandbox' | 'hangMs'>} watch
 * @returns {Promise<{ before: FuzzResult, failure: FuzzFailure | null } | null>} results of the documents
 *   before it. No failure where it does neither this time, as a process that a busy machine has held up; null where no
 *   document was tried
 */
async function pinDown(settings, directory, firstDocument, watch) {
  const maxDocuments = Math.min(CAREFUL_DOCUMENTS, settings.maxDocuments - firstDocument);
  const limits = { firstDocument, maxDocuments, maxMs: watch.hangMs * 10 };
  const job = makeJob(settings, directory, { ...limits, isCareful: true });
  const outcome = await watchJob(job, { ...watch, onJournal: () => {} });
  const journal = readJournal(job.journalPath);
  if ('report' in outcome) {
    const before = /** @type {FuzzReport} */ (outcome.report).result;
    return before.documents > 0 ? { before, failure: null } : null;
  }
  if (journal?.attempt.hex === undefined) return null;
  const { document, hex, options = {}, writeOptions = {} } = journal.attempt;
  const { reason, detail } = outcome.failure;
  const isHanging = reason === 'timeout';
  const found = isHanging ? `no end after ${watch.hangMs / 1000} s` : `the process ${detail}`;
  const kind = isHanging ? 'hangs' : 'dies';
  const failure = { document, kind, hex, options, writeOptions, expected: 'an end', found };
  return { before: journal.result, failure };
}

/**
 * @param {SessionSettings} settings
 * @param {string} directory
 * @param {Pick<FuzzJob, 'firstDocument' | 'maxDocuments' | 'maxMs' | 'isCareful'>} limits
 * @returns {FuzzJob}
 */
function makeJob({ variant, reference, family, seed, casesPaths }, directory, limits) {
  const manner = limits.isCareful ? 'careful' : 'fast';
  return {
    ...describeJob(`fuzz/${variant.spec}/${limits.firstDocument}/${manner}`, { variant, family }),
    kind: 'fuzz',
    ...omitUndefined({ reference: reference && describeJobVariant(reference) }),
    seed,
    casesPaths,
    journalPath: join(directory, `${manner}-${limits.firstDocument}.json`),
    ...limits,
  };
}

/** @type {FuzzResult} */
export const NO_RESULT = {
  documents: 0,
  differences: 0,
  accepted: 0,
  refused: 0,
  checks: 0,
  errors: {},
  failures: [],
};

/** Adds the results of two jobs. @type {(a: FuzzResult, b: FuzzResult) => FuzzResult} */
export function addResults(a, b) {
  const errors = { ...a.errors };
  for (const [name, count] of Object.entries(b.errors)) errors[name] = (errors[name] ?? 0) + count;
  return {
    documents: a.documents + b.documents,
    differences: a.differences + b.differences,
    accepted: a.accepted + b.accepted,
    refused: a.refused + b.refused,
    checks: a.checks + b.checks,
    errors,
    failures: [...a.failures, ...b.failures],
  };
}

/**
 * The result of a document on which the variant hung or crashed.
 * @type {(failure: FuzzFailure) => FuzzResult}
 */
function failureResult(failure) {
  return { ...NO_RESULT, documents: 1, differences: 1, failures: [failure] };
}

/**
 * @param {string} path
 * @returns {FuzzJournal | null} null before the first entry, or if the file is invalid
 */
export function readJournal(path) {
  try {
    const journal = JSON.parse(readFileSync(path, 'utf8'));
    return isOfFormat('fuzz-journal', journal) ? journal : null;
  } catch {
    return null;
  }
}

const LOOK_INTERVAL_MS = 1_000;
/** A job ends itself; this limit is for one that does not although its journal advances. */
const SPARE_MS = 60_000;

/** Loading a variant and creating the first documents takes a second, and half a minute on a very busy machine. */
const START_MS = 120_000;
const NOT_STARTED = -1;

/**
 * @typedef {object} Watch
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {Runtime[]} runtimes that the job may use
 * @property {Sandbox | null} [sandbox] that the worker runs in
 * @property {number} hangMs a job whose journal does not change for this long hangs
 * @property {(journal: FuzzJournal) => void} onJournal about once a second
 */

/**
 * Runs a fuzz job, and kills it when it hangs.
 *
 * @param {FuzzJob} job
 * @param {Watch} watch
 * @returns {Promise<WorkerOutcome>} a failure with reason `timeout` if it hung
 */
async function watchJob(job, { hangMs, onJournal, ...watch }) {
  const { environment, signal, runtimes, sandbox } = watch;
  const hang = new AbortController();
  let lastDocument = NOT_STARTED;
  let idleMs = 0;
  const timer = setInterval(() => {
    const journal = readJournal(job.journalPath);
    const document = journal?.attempt.document ?? NOT_STARTED;
    idleMs = document === lastDocument ? idleMs + LOOK_INTERVAL_MS : 0;
    lastDocument = document;
    if (journal !== null) onJournal(journal);
    if (idleMs >= (journal === null ? START_MS : hangMs)) hang.abort();
  }, LOOK_INTERVAL_MS);
  try {
    const command = {
      ...composeStart(chooseStart(job.runtime, runtimes), []),
      environment,
      timeoutMs: job.maxMs + SPARE_MS,
      signal: AbortSignal.any([signal, hang.signal]),
    };
    const outcome = await runConfined(job, command, { sandbox });
    if (!('failure' in outcome) || !hang.signal.aborted) return outcome;
    const detail = `hung for ${hangMs / 1000} s and was killed`;
    return { ...outcome, failure: { ...outcome.failure, reason: 'timeout', detail } };
  } finally {
    clearInterval(timer);
  }
}

/**
 * Writes a document that failed to a file, for tests and later runs. The same document has the same file.
 *
 * @param {FuzzFailure} failure
 * @param {{ directory: string, spec: string, reference: string, seed: number }} origin
 * @returns {string} path of the file
 */
export function writeCase(failure, { directory, spec, reference, seed }) {
  const { hex, options, writeOptions, expected, found, kind, document } = failure;
  const content = {
    hex,
    options,
    writeOptions,
    expected: `${reference}: ${expected}`,
    note: `${kind}: ${spec} gave '${found}' (seed ${seed}, document ${document})`,
  };
  const identity = JSON.stringify([hex, options, writeOptions]);
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  const path = join(directory, `${kind}-${digest}.json`);
  makeDirectory(directory, 'name another directory with --corpus-dir');
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
}
