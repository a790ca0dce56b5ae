/** What there is to say of a host, and what recorders and tools there are, for a terminal. */

/** @import { Diagnosis, HostExamination, Probe } from '../../harness/formats/types.ts' */
/** @import { Tone } from '../types.ts' */

import { calibrationLine } from './calibration-line.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** @typedef {{ width: number, paint: (text: string, tone: Tone) => string }} Page `width` in columns */

/** @type {Record<Diagnosis['state'], { mark: string, tone: Tone }>} */
const STATES = {
  fine: { mark: '✓', tone: 'good' },
  note: { mark: '!', tone: 'doubtful' },
  unknown: { mark: '?', tone: 'quiet' },
};
const NOT_CALIBRATED =
  'This host is not calibrated: how often a comparison here is wrong, and what it finds, is not known. Measure it with: just calibrate';

/**
 * @typedef {object} Finding
 * @property {string} name
 * @property {string} summary one line: what it is for
 * @property {Probe} probe
 */

/**
 * Lays out what figures from a host may depend on: each thing as it is, what that means, and what to
 * do about it; then how good comparisons are there.
 *
 * @param {Pick<HostExamination, 'diagnoses' | 'calibrations'>} host
 * @param {Page} page
 * @returns {string[]} lines
 */
export function layOutDiagnoses({ diagnoses, calibrations }, { width, paint }) {
  const indent = Math.max(0, ...diagnoses.map(({ name }) => name.length)) + 5;
  const notes = diagnoses.filter(({ state }) => state === 'note').length;
  const told = calibrations.flatMap(({ mode, citation, note }) => {
    const line = calibrationLine(citation ?? undefined, mode);
    return [line, note].filter((text) => text !== null);
  });
  const ofInstrument = told.length === 0 ? [NOT_CALIBRATED] : [...new Set(told)];
  return [
    paint('This host', 'title'),
    ...diagnoses.flatMap((diagnosis) => layOutDiagnosis(diagnosis, indent, { width, paint })),
    '',
    notes === 0 ? 'Nothing to note.' : `${notes} of ${diagnoses.length} to note (!).`,
    '',
    paint('Calibration', 'title'),
    ...ofInstrument.flatMap((text) => wrapText(text, width, { first: ' ' })),
    '',
  ];
}

/**
 * @param {Diagnosis} diagnosis
 * @param {number} indent
 * @param {Page} page
 * @returns {string[]}
 */
function layOutDiagnosis({ name, value, state, sentence, advice }, indent, { width, paint }) {
  const next = ' '.repeat(indent);
  const { mark, tone } = STATES[state];
  const [head = '', ...rest] = wrapText(value, width, {
    first: ` ${mark} ${name}`.padEnd(indent),
    next,
  });
  const wrap = (/** @type {string} */ text, /** @type {Tone} */ words) =>
    wrapText(text, width, { first: next }).map((line) => paint(line, words));
  return [
    paint(head.slice(0, indent), tone) + head.slice(indent),
    ...rest,
    ...wrap(sentence, 'quiet'),
    ...(advice?.split('\n') ?? []).flatMap((line) => wrap(line, 'plain')),
  ];
}

/**
 * Lays out what was found, section by section: of each tool whether it is there, what it is for, and
 * where it is missing why and what to do.
 *
 * @param {{ title: string, findings: Finding[] }[]} sections empty ones are left out
 * @param {Page} page
 * @returns {string[]} lines
 */
export function layOutFindings(sections, { width, paint }) {
  const shown = sections.filter(({ findings }) => findings.length > 0);
  const findings = shown.flatMap((section) => section.findings);
  const missing = findings.filter(({ probe }) => !probe.available).length;
  const indent = Math.max(0, ...findings.map(({ name }) => name.length)) + 5;
  const count = missing === 0 ? 'nothing is missing' : `${missing} missing`;
  return [
    ...shown.flatMap(({ title, findings: ofSection }) => [
      paint(title, 'title'),
      ...ofSection.flatMap((finding) => layOutFinding(finding, { indent, width, paint })),
      '',
    ]),
    `${findings.length} looked for, ${count}.`,
  ];
}

/**
 * @param {Finding} finding
 * @param {Page & { indent: number }} page
 * @returns {string[]}
 */
function layOutFinding({ name, summary, probe }, { indent, width, paint }) {
  const next = ' '.repeat(indent);
  const first = `${probe.available ? ' ✓ ' : ' ✗ '}${name}`.padEnd(indent);
  const wrap = (/** @type {string} */ text, /** @type {Tone} */ tone) =>
    wrapText(text, width, { first: next }).map((line) => paint(line, tone));
  const [head = '', ...rest] = wrapText(summary, width, { first, next });
  const lines = [paint(head.slice(0, indent), probe.available ? 'good' : 'bad')];
  lines[0] += head.slice(indent);
  lines.push(...rest);
  if (probe.available) return [...lines, ...wrap(probe.detail, 'quiet')];
  const install = probe.install === null ? [] : wrap(probe.install, 'plain');
  return [...lines, ...wrap(`missing: ${probe.reason}`, 'bad'), ...install];
}
