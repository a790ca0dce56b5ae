/** Finds earlier results of the same experiment: whole runs for `--reuse`, interrupted ones to go on with, recorded comparisons for trends. */

import { messageOf } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { listWords } from '../../lib/words.js';
import {
  describeDifference,
  listDifferences,
  REFUSED,
  selectDifferences,
} from '../../run/identity.js';
import { rereadCode } from '../../run/code.js';
import { agreeOn, pickCompared } from '../../run/question-fields.js';
import { sumSessions } from '../../run/sessions.js';
import { listRuns, readManifest, readRun } from '../../run/store.js';

/** @import { ComparisonRecord, Manifest, Question } from '../../formats/types.ts' */
/** @import { Identity } from '../../run/identity.js' */
/** @import { StoredRun } from '../../run/store.js' */

/** @typedef {Identity & Pick<Manifest, 'question' | 'variants' | 'environment'>} Experiment */

/** @typedef {{ path: string, manifest: Manifest, reasons: string[] }} Earlier `reasons` against its reuse */

/**
 * Finds the newest complete run of the same experiment: the same question except for seed and budget, the same
 * variants, documents, runtimes, host, and sources of Assay. It does not look at the results, so that no run is
 * chosen for them.
 *
 * @param {Experiment} now
 * @param {string} runsPath
 * @param {(path: string) => string} showPath for messages
 * @returns {Promise<{ run: StoredRun | null, notes: string[] }>} `notes`: runs that cannot be read, and what
 *   differs in the most similar one if none can be reused
 */
export async function findReusableRun(now, runsPath, showPath) {
  const { earlier, unreadable } = listEarlier(now, runsPath, showPath);
  for (const each of earlier.filter(({ reasons }) => reasons.length === 0)) {
    const run = await readUnchanged(each);
    if (run === null) continue;
    const { ended } = sumSessions(run);
    if (ended === 'complete') return { run, notes: describeUnreadable(unreadable) };
    each.reasons.push(`measuring ended early (${ended})`);
  }
  return {
    run: null,
    notes: [...describeUnreadable(unreadable), explain(now, earlier, showPath)],
  };
}

/**
 * Finds the newest run of the same experiment that was interrupted, to be resumed instead of measuring anew.
 *
 * @param {Experiment} now
 * @param {string} runsPath
 * @returns {Promise<StoredRun | null>} null where there is none
 */
export async function findInterruptedRun(now, runsPath) {
  for (const each of listEarlier(now, runsPath, (path) => path).earlier) {
    if (each.reasons.length > 0 || each.manifest.fleet !== undefined) continue;
    const run = await readUnchanged(each);
    if (run !== null && sumSessions(run).ended === 'interrupted') return run;
  }
  return null;
}

/** @type {(each: Earlier) => Promise<StoredRun | null>} null with another reason, where a file of it cannot be read or its code is another one now */
async function readUnchanged({ path, reasons }) {
  const run = await readRun(path).catch(messageOf);
  if (typeof run === 'string') {
    reasons.push(`a file cannot be read: ${run}`);
    return null;
  }
  const { loadedFiles } = run;
  const changed = listDifferences({ loaded: loadedFiles }, { loaded: rereadCode(loadedFiles) });
  reasons.push(...changed.map(describeDifference));
  return changed.length === 0 ? run : null;
}

/**
 * @param {Experiment} now
 * @param {string} runsPath
 * @param {(path: string) => string} showPath
 * @returns {{ earlier: Earlier[], unreadable: string[] }} runs of the same variants, the newest first
 */
function listEarlier(now, runsPath, showPath) {
  /** @type {Earlier[]} */
  const earlier = [];
  /** @type {string[]} */
  const unreadable = [];
  for (const path of listRuns(runsPath)) {
    try {
      const manifest = readManifest(path);
      if (!comparesSameVariants(manifest, now)) continue;
      earlier.push({ path, manifest, reasons: listReasons(manifest, now) });
    } catch (error) {
      unreadable.push(`${showPath(path)}: ${messageOf(error)}`);
    }
  }
  earlier.sort((a, b) => (a.manifest.createdAt > b.manifest.createdAt ? -1 : 1));
  return { earlier, unreadable };
}

/** @type {(manifest: Manifest, now: Experiment) => boolean} */
function comparesSameVariants({ question }, now) {
  const { family, baseline, candidates } = now.question;
  return (
    question.family === family &&
    question.baseline === baseline &&
    question.candidates.length === candidates.length &&
    question.candidates.every((spec, index) => spec === candidates[index])
  );
}

/**
 * @param {Manifest} before
 * @param {Experiment} now
 * @returns {string[]} why a run might now have other results; empty if nothing suggests it
 */
function listReasons(before, now) {
  if (before.merged === true) return ['it was merged from several runs'];
  if (before.part !== undefined) return ['it is one part of a plan'];
  if (before.instrument === undefined) return ['it does not say which sources measured'];
  const [left, right] = [before, now].map((identity) => ({
    ...identity,
    question: /** @type {Question} */ (pickCompared(identity.question, 'reuse')),
  }));
  return selectDifferences(listDifferences(left, right), REFUSED.reuse).map(describeDifference);
}

/** @param {string[]} unreadable @returns {string[]} at most one note */
function describeUnreadable([first, ...others]) {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'other run')}`;
  return [`skipped, because it cannot be read: ${first}${more}`];
}

/**
 * @param {Experiment} now
 * @param {Earlier[]} earlier the newest first
 * @param {(path: string) => string} showPath
 */
function explain({ question: { baseline, candidates } }, earlier, showPath) {
  const [closest] = earlier.toSorted((a, b) => a.reasons.length - b.reasons.length);
  if (closest === undefined) {
    return `nothing is reused: there is no run of ${baseline} against ${listWords(candidates)}`;
  }
  return `nothing is reused: in the closest run, ${showPath(closest.path)}, ${closest.reasons.join('; ')}`;
}

/**
 * Reports whether a recorded comparison would be measured now as it was then, by the code that is there now, whatever
 * else its question asked.
 *
 * @param {ComparisonRecord} record
 * @param {Experiment} now
 * @param {string} [candidate] spec; without one, the code of variants is not compared
 * @returns {boolean} false for results of several hosts
 */
export function isSameExperiment(record, { question, ...now }, candidate) {
  const { identity, instrument, settings, severalHosts } = record;
  if (instrument === undefined || severalHosts === true) return false;
  if (!agreeOn('conditions', identity.question, question)) return false;
  const { assay, corpora, runtimes, environment } = identity;
  const { baseline, candidates } = identity.variants;
  const variants =
    candidate === undefined
      ? {}
      : { baseline, candidates: candidates.filter(({ spec }) => spec === candidate) };
  const before = { assay, instrument, settings, corpora, runtimes, environment, variants };
  return selectDifferences(listDifferences(before, now), REFUSED.recall).length === 0;
}
