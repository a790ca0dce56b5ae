/** How far to trust a comparison: what was checked, and what a careful reader should know. */

/** @import { FailedJob, Manifest, Verdict, Warning } from '../../../harness/formats/types.ts' */
/** @import { Inline, ListItem, Mark, Section } from '../../document/model.ts' */

import { countOf } from '../../../harness/lib/numbers.js';
import { RUNS } from '../../../harness/lib/project.js';
import { firstSentence } from '../../../harness/lib/words.js';
import { isDecided } from '../../../harness/stats/verdicts.js';
import { calibrationSentence, describeEnd, listRemedies, summarizeControls } from './verdict.js';
import { listContracts, summarizeContract } from '../contract.js';
import { REST, countMore, paragraph, section, separate } from '../build.js';
import { plainText, readItem } from '../../document/inline.js';
import { nameChecked } from './words.js';

/** What a screen holds of notes; of these and explanations of cells together. */
const MIN_NOTES = 2;
const MAX_TOGETHER = 7;
/** Failed jobs, one of each kind of failure. */
const MAX_FAILED = 3;
/** Notes that say what was checked and found right, or that something is wrong. @type {Record<string, Mark>} */
const KIND_MARKS = { 'placement-holds': 'ok', sandbox: 'ok', 'wrong-output': 'wrong' };
/** Kinds of notes that come first: they say why a verdict is what it is. */
const FIRST_KINDS = [
  'wrong-output',
  'control-differs',
  'placement',
  'placement-multiplicity',
  'placement-missing',
  'no-placement',
  'placement-holds',
  'multiplicity',
  'too-few-figures',
  'equal-figures',
  'host-disagrees',
  'few-hosts',
];
/** Notes on what another item says in more detail. */
const TOLD_KINDS = ['failed-jobs'];

/** @type {(manifest: Manifest, verdict: Verdict) => Section} in a comment on one line */
export function makeTrustSection(manifest, verdict) {
  const { items, left } = listTrust(manifest, verdict);
  const listed = (/** @type {string} */ where) =>
    left === 0 ? items : [...items, marked('warning', `${countMore(left, 'notes')} ${where}`)];
  const below = listed(REST.below);
  // A path of this machine means nothing to who reads it elsewhere.
  const rest = describeEnd(verdict, `${RUNS}/${manifest.runId}`)?.command ?? null;
  return section('trust', 'How far to trust this', [
    { kind: 'list', items: listed(REST.terminal), only: ['terminal'] },
    { kind: 'list', items: below, only: ['html'] },
    { ...paragraph(joinItems(below)), only: ['markdown'] },
    {
      kind: 'facts',
      facts: rest === null ? [] : [['Continue', { command: rest }]],
      only: ['markdown', 'html'],
    },
  ]);
}

/** @type {(items: ListItem[]) => Inline} */
function joinItems(items) {
  const texts = items.map((item) => {
    const { text, mark } = readItem(item);
    return [mark === null ? '' : `${mark.sign} `, text];
  });
  return separate(texts, ' · ');
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {{ items: ListItem[], left: number }} a line or two each, and how many notes have none
 */
function listTrust(manifest, verdict) {
  const { question } = manifest;
  const { cells, calibration } = verdict;
  const controls = summarizeControls(question, cells);
  const isUntrusted = cells.some((cell) => cell.verdict === 'untrusted');
  const rate = calibrationSentence(calibration, question);
  const { shown, left } = chooseNotes(verdict);
  const items = [
    ...listOutput(manifest, verdict),
    // The note says it of the cells that are concerned.
    ...(controls === null || isUntrusted
      ? []
      : [marked(controls.isNear ? 'ok' : 'warning', controls.text)]),
    ...listHosts(verdict),
    ...(rate === null ? [] : [marked(markRate(calibration, question), firstSentence(rate))]),
    ...listEnd(manifest, verdict),
    ...listFailed(verdict.failedJobs),
    ...shown.map(shortenNote),
  ];
  return { items, left };
}

/** @type {(mark: Mark, text: Inline) => ListItem} */
function marked(mark, text) {
  return { mark, text };
}

/** @param {string} text */
function withoutStop(text) {
  return text.replace(/\.$/, '');
}

/** @type {(manifest: Manifest, verdict: Verdict) => ListItem[]} whether the output is right and the contract kept */
function listOutput(manifest, { cells }) {
  const contracts = listContracts(manifest);
  const broken = contracts.filter(([, rows]) => rows.some(({ outcome }) => outcome !== 'holds'));
  const checked = nameChecked(cells);
  const isKept = contracts.length > 0 && broken.length === 0;
  const isRefused = cells.some(({ verdict }) => verdict === 'refused');
  const where = isRefused ? ' of the other cells' : checked;
  return [
    ...(checked === null
      ? []
      : [
          marked('ok', [
            'Same output as ',
            { code: manifest.variants.reference.spec },
            ` for every document${where}${isKept ? '; the behaviour contract holds' : ''}`,
          ]),
        ]),
    ...broken.map(([spec, rows]) =>
      marked(markContract(rows), [{ code: spec }, `: ${summarizeContract(rows)}`]),
    ),
  ];
}

/** @type {(rows: { outcome: string }[]) => Mark} a variant may declare that a row differs */
function markContract(rows) {
  const has = (/** @type {string} */ wanted) => rows.some(({ outcome }) => outcome === wanted);
  if (has('fails')) return 'wrong';
  return has('accepted') ? 'warning' : 'ok';
}

/** @type {(calibration: Verdict['calibration'], question: Manifest['question']) => Mark} whether the rate may be what the rule allows */
function markRate(calibration, { alpha }) {
  return (calibration?.falsePositives.low ?? 0) > alpha ? 'warning' : 'ok';
}

/** @type {(verdict: Verdict) => ListItem[]} where several hosts agree */
function listHosts({ cells }) {
  const hosts = cells.flatMap((cell) => cell.hosts?.effects ?? []);
  if (hosts.length === 0 || hosts.some(({ disagrees }) => disagrees)) return [];
  const names = new Set(hosts.map(({ host }) => host));
  return [marked('ok', `${countOf(names.size, 'host')} agree`)];
}

/** @type {(manifest: Manifest, verdict: Verdict) => ListItem[]} why measuring ended before all was settled, or what would settle it */
function listEnd(manifest, verdict) {
  const end = describeEnd(verdict, undefined);
  const open = verdict.cells.filter((cell) => !isDecided(cell.verdict)).length;
  const subject = open === 1 ? 'the open cell' : 'the open cells';
  return [
    ...(end === null ? [] : [marked('warning', end.text)]),
    ...listRemedies(manifest, verdict, subject).map((remedy) =>
      marked('warning', withoutStop(plainText(remedy))),
    ),
  ];
}

/** @type {(jobs: FailedJob[]) => ListItem[]} */
function listFailed(jobs) {
  const kinds = new Map(jobs.toReversed().map((job) => [job.failure.detail, job]));
  const shown = jobs.filter((job) => kinds.get(job.failure.detail) === job).slice(0, MAX_FAILED);
  const left = jobs.length - shown.length;
  return shown.map(({ jobId, failure, measured, failedAttempts }, index) => {
    const isLast = index === shown.length - 1;
    const more = isLast && left > 0 ? ` (and ${countMore(left, 'failed jobs')})` : '';
    const [message] = failure.lastLines;
    const attempts = countOf(failedAttempts, 'failed attempt');
    const ending = measured ? 'succeeded after' : 'gave up after';
    return marked(measured ? 'warning' : 'wrong', [
      { code: jobId },
      `: ${failure.detail}${message === undefined ? '' : `, ${message.trim()}`}; ${ending} ${attempts}${more}`,
    ]);
  });
}

/** @type {(verdict: Verdict) => { shown: Warning[], left: number }} the notes that have a line, those that decide a verdict first */
function chooseNotes({ warnings, memory, explanation, failedJobs }) {
  const all = [...warnings, ...(memory?.warnings ?? []), ...(explanation?.warnings ?? [])].filter(
    ({ kind }) => failedJobs.length === 0 || !TOLD_KINDS.includes(kind),
  );
  const rankOf = (/** @type {Warning} */ { kind }) => {
    const place = FIRST_KINDS.indexOf(kind);
    return place === -1 ? FIRST_KINDS.length : place;
  };
  const ordered = all.toSorted((a, b) => rankOf(a) - rankOf(b));
  const explained = (explanation?.cells ?? []).filter(({ summary }) => summary !== undefined);
  const shown = ordered.slice(0, Math.max(MIN_NOTES, MAX_TOGETHER - explained.length));
  return { shown, left: ordered.length - shown.length };
}

/** @type {(note: Warning) => ListItem} */
function shortenNote({ kind, text, short }) {
  return marked(KIND_MARKS[kind] ?? 'warning', short ?? firstSentence(text));
}
