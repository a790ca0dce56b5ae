/** What recorders and tools there are, for a terminal. */

/** @import { Probe } from '../../harness/types.ts' */
/** @import { Tone } from '../types.ts' */

import { wrapText } from './wrap.js';

/**
 * @typedef {object} Finding
 * @property {string} name
 * @property {string} summary one line: what it is for
 * @property {Probe} probe
 */

/**
 * Lays out what was found, section by section: of each tool whether it is there, what it is for, and
 * where it is missing why and what to do.
 *
 * @param {{ title: string, findings: Finding[] }[]} sections empty ones are left out
 * @param {{ width: number, paint: (text: string, tone: Tone) => string }} terminal `width` in columns
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
 * @param {{ indent: number, width: number, paint: (text: string, tone: Tone) => string }} page
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
