/** How far to trust a comparison: what was checked, and what a careful reader should know. */

/** @import { FailedJob, Manifest, Verdict, Warning } from '../../../harness/formats/types.ts' */
/** @import { Inline, ListItem } from '../../document/model.ts' */

import { countOf } from '../../../harness/lib/numbers.js';
import { firstSentence } from '../../../harness/lib/words.js';
import { isDecided } from '../../../harness/stats/verdicts.js';
import { calibrationSentence, describeEnd, listRemedies, summarizeControls } from './verdict.js';
import { listContracts, summarizeContract } from '../contract.js';
import { countMore } from '../build.js';
import { plainText } from '../../document/inline.js';
import { isMeasured } from './counts.js';

/** What a screen holds of notes; of these and explanations of cells together. */
const MIN_NOTES = 2;
const MAX_TOGETHER = 7;
const MAX_FAILED = 1;
/** Notes that say what was checked and found right, or that something is wrong. @type {Record<string, 'ok' | 'wrong'>} */
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

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {ListItem[]} a line or two each
 */
export function listTrust(manifest, verdict) {
  const { question } = manifest;
  const { cells, calibration } = verdict;
  const controls = summarizeControls(question, cells);
  const isUntrusted = cells.some((cell) => cell.verdict === 'untrusted');
  const rate = calibrationSentence(calibration, question);
  return [
    ...listOutput(manifest, verdict),
    // The note says it of the cells that are concerned.
    ...(controls === null || isUntrusted ? [] : [marked('ok', controls)]),
    ...listHosts(verdict),
    ...(rate === null ? [] : [marked('ok', withoutStop(firstSentence(rate)))]),
    ...listEnd(manifest, verdict),
    ...listFailed(verdict.failedJobs),
    ...listNotes(verdict),
  ];
}

/** @type {(mark: 'ok' | 'warning' | 'wrong', text: Inline) => ListItem} */
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
  const measured = cells.filter(isMeasured);
  const isKept = contracts.length > 0 && broken.length === 0;
  const where = measured.length === cells.length ? '' : ' of the cells that were timed';
  return [
    ...(measured.length === 0
      ? []
      : [
          marked('ok', [
            'Same output as ',
            { code: manifest.variants.reference.spec },
            ` for every document${where}${isKept ? '; the behaviour contract holds' : ''}`,
          ]),
        ]),
    ...broken.map(([spec, rows]) =>
      marked(rows.some(({ outcome }) => outcome === 'fails') ? 'wrong' : 'warning', [
        { code: spec },
        `: ${summarizeContract(rows)}`,
      ]),
    ),
  ];
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
  const shown = jobs.slice(0, MAX_FAILED);
  const left = jobs.length - shown.length;
  const more = left > 0 ? ` (and ${countMore(left, 'failed jobs')})` : '';
  return shown.map(({ jobId, failure, measured, failedAttempts }) => {
    const [message] = failure.lastLines;
    const attempts = countOf(failedAttempts, 'failed attempt');
    const ending = measured ? 'succeeded after' : 'gave up after';
    return marked(measured ? 'warning' : 'wrong', [
      { code: jobId },
      `: ${failure.detail}${message === undefined ? '' : `, ${message.trim()}`}; ${ending} ${attempts}${more}`,
    ]);
  });
}

/** @type {(verdict: Verdict) => ListItem[]} the notes in short, those that decide a verdict first */
function listNotes({ warnings, memory, explanation, failedJobs }) {
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
  const left = ordered.length - shown.length;
  return [
    ...shown.map(shortenNote),
    ...(left === 0 ? [] : [marked('warning', `${countMore(left, 'notes')} in the whole report (--full)`)]),
  ];
}

/** @type {(note: Warning) => ListItem} */
function shortenNote({ kind, text, short }) {
  return marked(KIND_MARKS[kind] ?? 'warning', short ?? firstSentence(text));
}
