/** The report of a comparison. */

/** @import { Verdict } from '../../harness/formats/types.ts' */
/** @import { RenderInput } from '../types.ts' */
/** @import { Document, Section } from '../document/model.ts' */
/** @import { Detail } from './comparison/cell.js' */

import { REPLAY_END, REPLAY_START } from '../../harness/formats/replay-marks.js';
import { contrastOf } from '../../harness/stats/contrast.js';
import { dayOf } from '../../harness/lib/words.js';
import { makeAnswer, makePageAnswer } from './comparison/answer.js';
import { makeHostSection, makeRepeatSection } from './comparison/background.js';
import { describedCells, makeCellsSection } from './comparison/cell.js';
import { makeTimesSection } from './comparison/cells.js';
import {
  makeDifferencesSection,
  makeFailedJobsSection,
  makeNotesSection,
  makePlacementSection,
} from './comparison/checks.js';
import { makeExplanationSection } from './comparison/explanation.js';
import { makeHostsSection } from './comparison/hosts.js';
import { makeMeansSection } from './comparison/means.js';
import { makeMemorySection } from './comparison/memory.js';
import { makeMethodSection } from './comparison/method.js';
import { makeRankingSection } from './comparison/ranking.js';
import { makeResourcesSection } from './comparison/resources.js';
import { makeRuntimesSection } from './comparison/runtimes.js';
import { makeSeriesSection } from './comparison/series.js';
import { makeSizesSection } from './comparison/sizes.js';
import { makeSweepSection } from './comparison/sweep.js';
import { makePercentilesSection, makeThroughputSection } from './comparison/throughput.js';
import { makeVerdictSection } from './comparison/verdict.js';
import { nameComparison } from './comparison/words.js';
import { makeContractSection } from './contract.js';

/** From everything to the least. @type {[Detail, ...Detail[]]} */
const DETAILS = [
  { rows: 12, lines: 25, plots: 'all', nodes: 1500 },
  { rows: 8, lines: 12, plots: 'differing', nodes: 400 },
  { rows: 4, lines: 0, plots: 'none', nodes: 0 },
];
/** Keys of verdict.json that a reader looks for; the others follow by alphabet. */
const LEADING_KEYS = ['formatVersion', 'runId', 'ended', 'cell', 'verdict', 'number', 'operation'];

/** @type {(input: RenderInput) => Document} */
export function describeComparison(input) {
  return makeDocument(input, DETAILS[0], false);
}

/**
 * The same with less and less detail, of which a remark on the page tells, for a page that would be
 * too large.
 * @type {(input: RenderInput) => (() => Document)[]}
 */
export function listShorterComparisons(input) {
  return DETAILS.slice(1).map((detail) => () => makeDocument(input, detail, true));
}

/** @type {(input: RenderInput, detail: Detail, isCut: boolean) => Document} */
function makeDocument(input, detail, isCut) {
  const { manifest, verdict } = input;
  const { family } = manifest.question;
  return {
    title: nameComparison(manifest.question),
    eyebrow: `Assay report · ${family} · ${dayOf(manifest.createdAt)}`,
    marker: manifest.runId,
    sections: listSections(input, detail, isCut),
    brief: makeAnswer(input),
    footer: [`Assay ${manifest.assay.version} · run `, { code: manifest.runId }],
    source: 'verdict.json in the run directory',
    embedded: { start: REPLAY_START, end: REPLAY_END, data: verdict.replay },
  };
}

/**
 * @param {RenderInput} input
 * @param {Detail} detail
 * @param {boolean} isCut
 * @returns {Section[]} in the order in which a reader asks for them
 */
function listSections(input, detail, isCut) {
  const { manifest, verdict, observations = [], hosts = [], runPath } = input;
  if (!contrastOf(manifest.question).hasBaseline) {
    return [
      makeVerdictSection(manifest, verdict, { runPath, isCut }),
      makeRankingSection(manifest, verdict),
      ...makePageAnswer(manifest, verdict),
      makeSizesSection(manifest, verdict),
      makeNotesSection(verdict),
      makeThroughputSection(manifest, verdict),
      makePercentilesSection(manifest, verdict),
      ...listBackground(input),
    ];
  }
  return [
    makeVerdictSection(manifest, verdict, { runPath, isCut }),
    makeSeriesSection(manifest, verdict, observations),
    makeSweepSection(manifest, verdict),
    makeRuntimesSection(manifest, verdict),
    makeTimesSection(manifest, verdict, describedCells(input)),
    ...makePageAnswer(manifest, verdict),
    makeMeansSection(manifest, verdict),
    makeSizesSection(manifest, verdict),
    makeHostsSection(manifest, verdict, hosts),
    makePlacementSection(verdict),
    makeNotesSection(verdict),
    makeExplanationSection(manifest, verdict, runPath),
    makeCellsSection(input, detail),
    makeResourcesSection(manifest, verdict),
    makeThroughputSection(manifest, verdict),
    makePercentilesSection(manifest, verdict),
    makeMemorySection(manifest, verdict),
    ...listBackground(input),
  ];
}

/** @type {(input: RenderInput) => Section[]} */
function listBackground({ manifest, verdict, runPath }) {
  return [
    makeContractSection(manifest),
    makeDifferencesSection(manifest, verdict),
    makeFailedJobsSection(verdict),
    makeRepeatSection(manifest, verdict, runPath),
    makeHostSection(manifest, verdict),
    makeMethodSection(manifest, verdict),
  ];
}

/**
 * @param {Verdict} verdict
 * @returns {unknown} what verdict.json holds: the same, with its keys in a fixed order, so
 *   that two files of the same data are the same text
 */
export function orderVerdict(verdict) {
  return orderKeys(verdict);
}

/** @type {(value: unknown) => unknown} */
function orderKeys(value) {
  if (Array.isArray(value)) return value.map(orderKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareKeys(a, b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, orderKeys(inner)]));
}

/** @type {(a: string, b: string) => number} */
function compareKeys(a, b) {
  const difference = placeOf(a) - placeOf(b);
  if (difference !== 0) return difference;
  return a < b ? -1 : 1;
}

/** @type {(key: string) => number} */
function placeOf(key) {
  const place = LEADING_KEYS.indexOf(key);
  return place === -1 ? LEADING_KEYS.length : place;
}
