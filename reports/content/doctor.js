/** What on a host affects measurements, and which recorders and tools there are. */

/** @import { Diagnosis, HostExamination, Probe } from '../../harness/formats/types.ts' */
/** @import { Document, Fact, Section, Tone } from '../document/model.ts' */

import { countOf } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { listWords } from '../../harness/lib/words.js';
import { fact, factList, paragraph, present, section, untitled } from './build.js';
import { calibrationSentence } from './comparison/verdict.js';

/** @type {Record<Diagnosis['state'], { mark: string, tone: Tone }>} */
const STATES = {
  fine: { mark: '✓', tone: 'good' },
  note: { mark: '!', tone: 'doubtful' },
  unknown: { mark: '?', tone: 'quiet' },
};
const NOT_CALIBRATED = `This host is not calibrated: the error rates and power of comparisons on it are unknown. To measure them: ${PROGRAM} calibrate`;

const PREFERRED = {
  sequential:
    'Comparisons measure one job at a time, which finds smaller effects on this host; for pairs: --schedule paired',
  paired:
    'Comparisons measure two jobs at a time, which finds smaller effects on this host; for one: --schedule sequential',
};

/** @typedef {Pick<HostExamination, 'diagnoses' | 'calibrations' | 'schedule'>} Host */

/**
 * @typedef {object} Finding
 * @property {string} name
 * @property {string} summary one line: what it is for
 * @property {Probe} probe
 */

/**
 * @param {Host} host
 * @param {{ title: string, findings: Finding[] }[]} groups of tools
 * @returns {Document}
 */
export function describeDoctor(host, groups) {
  const findings = groups.flatMap((group) => group.findings);
  const missing = findings.filter(({ probe }) => !probe.available).length;
  return {
    title: 'This host',
    eyebrow: 'Assay doctor',
    source: `${PROGRAM} doctor --json`,
    brief: listAttention(host, findings),
    sections: [
      hostSection(host),
      calibrationSection(host),
      ...groups.map(({ title, findings: ofGroup }, index) =>
        section(`tools-${index + 1}`, title, [factList(ofGroup.map(describeFinding))]),
      ),
      {
        id: 'count',
        title: 'Tools',
        untitled: ['terminal', 'markdown', 'html'],
        blocks: [
          paragraph(`${findings.length} checked, ${missing === 0 ? 'none' : missing} missing.`),
        ],
      },
    ],
    footer: 'A noisy host or a missing tool is no failure.',
  };
}

/**
 * What to do something about, and nothing else.
 * @type {(host: Host, tools: Finding[]) => Section[]}
 */
function listAttention({ diagnoses, calibrations }, tools) {
  const noted = diagnoses.filter(({ state }) => state === 'note');
  const missing = tools.flatMap(({ name, summary, probe }) =>
    probe.available ? [] : [fact(`✗ ${name}`, `${summary}: ${probe.install ?? probe.reason}`)],
  );
  const doubts =
    calibrations.length === 0 ? [NOT_CALIBRATED] : calibrations.flatMap(({ note }) => note ?? []);
  const kinds = present([
    noted.length > 0 && `${noted.length} of ${countOf(diagnoses.length, 'check')}`,
    missing.length > 0 && `${missing.length} of ${countOf(tools.length, 'tool')}`,
    doubts.length > 0 && 'the calibration',
  ]);
  const isOne = kinds.length === 1 && noted.length + missing.length <= 1;
  return [
    untitled('conclusion', [
      paragraph(
        kinds.length === 0
          ? 'This host is ready to measure: nothing needs attention.'
          : `This host can measure; ${listWords(kinds)} ${isOne ? 'needs' : 'need'} attention.`,
        'lead',
      ),
    ]),
    section('host', 'This host', [
      factList([
        ...noted.map((one, index) => {
          const isSaidBelow = noted.slice(index + 1).some(({ advice }) => advice === one.advice);
          return describeDiagnosis(isSaidBelow ? { ...one, advice: null } : one);
        }),
        doubts.length > 0 && [`${STATES.note.mark} calibration`, [...new Set(doubts)].join(' ')],
      ]),
    ]),
    section('tools', 'Missing tools', [factList(missing)]),
    untitled('full', [
      {
        kind: 'command',
        label: 'All checks and tools',
        text: `${PROGRAM} doctor --full`,
        only: ['terminal'],
      },
    ]),
  ];
}

/** @type {(host: Pick<HostExamination, 'diagnoses'>) => Section} */
function hostSection({ diagnoses }) {
  const notes = diagnoses.filter(({ state }) => state === 'note').length;
  return section('host', 'This host', [
    factList(diagnoses.map(describeDiagnosis)),
    paragraph(
      notes === 0
        ? 'Nothing needs attention.'
        : `${notes} of ${diagnoses.length} ${notes === 1 ? 'needs' : 'need'} attention (!).`,
    ),
  ]);
}

/** @type {(diagnosis: Diagnosis) => Fact} as it is, what that means, and what to do about it */
function describeDiagnosis({ name, value, state, sentence, advice }) {
  const { mark, tone } = STATES[state];
  return [
    `${mark} ${name}`,
    [
      { tone: tone === 'good' ? 'plain' : tone, text: value },
      { lineBreak: true },
      { tone: 'quiet', text: sentence },
      ...(advice?.split('\n') ?? []).flatMap((line) => [
        { lineBreak: /** @type {const} */ (true) },
        line,
      ]),
    ],
  ];
}

/** @type {(host: Pick<HostExamination, 'calibrations' | 'schedule'>) => Section} */
function calibrationSection({ calibrations, schedule }) {
  const lines = calibrations.flatMap(({ citation, note, ...conditions }) =>
    [calibrationSentence(citation ?? undefined, conditions), note].filter((text) => text !== null),
  );
  if (schedule !== null) lines.push(PREFERRED[schedule]);
  const texts = lines.length === 0 ? [NOT_CALIBRATED] : [...new Set(lines)];
  return section(
    'calibration',
    'Calibration',
    texts.map((text) => paragraph(text)),
  );
}

/** @type {(finding: Finding) => Fact} what it is for, where it is, or why it is missing and what to do */
function describeFinding({ name, summary, probe }) {
  const lineBreak = { lineBreak: /** @type {const} */ (true) };
  if (probe.available) {
    return [`✓ ${name}`, [summary, lineBreak, { tone: 'quiet', text: probe.detail }]];
  }
  const install = probe.install === null ? [] : [lineBreak, probe.install];
  const reason = { tone: /** @type {const} */ ('bad'), text: `missing: ${probe.reason}` };
  return [`✗ ${name}`, [summary, lineBreak, reason, ...install]];
}
