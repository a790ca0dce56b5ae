import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { describeJobNode, describeJobVariant } from '../../run/job-variant.js';
import { makeTemporaryDirectory } from '../../lib/make-temporary-directory.js';
import { readJournal } from './read-journal.js';
import { addResults, failureResult, NO_RESULT } from './results.js';
import { watchJob } from './watch-job.js';

/** @import { Failure, FuzzFailure, FuzzJob, FuzzReport, FuzzResult, ResolvedVariant } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Watch } from './watch-job.js' */

/** More than a job tries between two entries of its journal. */
const CAREFUL_DOCUMENTS = 1_000;
/**
 * @typedef {object} SessionSettings
 * @property {ResolvedVariant} variant
 * @property {FoundFamily} family
 * @property {number} seed
 * @property {number} maxDocuments
 * @property {number} maxMs
 * @property {number} maxStops a variant that hangs or dies this often is given up
 * @property {string[]} casesPaths directories with cases to mutate too
 *
 * @typedef {object} SessionResult
 * @property {FuzzResult} result
 * @property {'complete' | 'interrupted' | 'stopped' | 'failed'} ended `stopped`: there are so many
 *   failures that more would tell nothing; `failed`: the worker ended before its first document
 * @property {Failure | null} failure of the worker
 */

/**
 * Fuzzes a variant in a process of its own. One that hangs or dies is started again behind the
 * document that made it, which is found by trying the last few one by one.
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
    for (let stops = 0; stops < settings.maxStops; stops++) {
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
      result = addResults(addResults(result, found.before), failureResult(found.failure));
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
 * Tries documents one by one, each noted before it is tried, until the variant hangs or dies again.
 *
 * @param {SessionSettings} settings
 * @param {string} directory
 * @param {number} firstDocument
 * @param {Pick<Watch, 'environment' | 'signal' | 'runtimes' | 'sandbox' | 'hangMs'>} watch
 * @returns {Promise<{ before: FuzzResult, failure: FuzzFailure } | null>} what the documents before
 *   it gave; null where it does neither this time
 */
async function pinDown(settings, directory, firstDocument, watch) {
  const limits = { firstDocument, maxDocuments: CAREFUL_DOCUMENTS, maxMs: watch.hangMs * 10 };
  const job = makeJob(settings, directory, { ...limits, isCareful: true });
  const outcome = await watchJob(job, { ...watch, onJournal: () => {} });
  const journal = readJournal(job.journalPath);
  if ('report' in outcome || journal?.attempt.hex === undefined) return null;
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
function makeJob({ variant, family, seed, casesPaths }, directory, limits) {
  const manner = limits.isCareful ? 'careful' : 'fast';
  return {
    formatVersion: FORMAT_VERSION,
    id: `fuzz/${variant.spec}/${limits.firstDocument}/${manner}`,
    kind: 'fuzz',
    family: family.name,
    familyPath: family.path,
    variant: describeJobVariant(variant),
    ...describeJobNode(variant),
    seed,
    casesPaths,
    journalPath: join(directory, `${manner}-${limits.firstDocument}.json`),
    ...limits,
  };
}
