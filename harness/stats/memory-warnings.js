import { planMemoryJobs } from './plan-memory.js';
import { listPlaces } from './list-places.js';
import { noteAllocation } from './memory-allocation-notes.js';
import { noteRetention } from './memory-retention-notes.js';

/** @import { CellMemory, CorpusMemory, Manifest, MemoryMetric, MemoryObservation, Verdict, Warning } from '../formats/types.ts' */
/** @import { Note } from './list-places.js' */
/** @import { sortMemoryResults } from './memory-samples.js' */

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
