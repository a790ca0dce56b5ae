/**
 * Draws the live table of the manual, `docs/live-table.svg`, as a terminal shows it during a comparison:
 * `node scripts/draw-live-table.js`. It runs the comparison until its last cell is measured, for some seconds.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callAssay } from '../harness/testing/support/project.js';
import { openScreen } from '../harness/testing/support/screen.js';
import { escapeHtml } from '../reports/document/markup.js';

const COMMAND = 'compare recursive generator indexed --op serialize';
const PICTURE = new URL('../docs/live-table.svg', import.meta.url);
const COLUMNS = 100;
/** In a row with a ratio, in one that waits, and in one that is measured. */
const [RESULT, WAITING, MEASURING] = ['●', '· –', '… '];

/** Units of the picture. */
const CHARACTER = { width: 8.4, height: 20, font: 14 };
const MARGIN = 16;
/** By the number of their ANSI sequence; see `reports/document/terminal.js`. */
const COLORS = { 0: '#e6edf3', 2: '#8b949e', 31: '#ff7b72', 32: '#56d364', 33: '#e3b341' };

/** @returns {Promise<string[]>} what the terminal showed, one frame after the other */
async function recordFrames() {
  const out = mkdtempSync(join(tmpdir(), 'assay-picture-'));
  const interrupts = new AbortController();
  const screen = openScreen({ columns: COLUMNS });
  /** @type {string[]} */
  const frames = [];
  await callAssay([...COMMAND.split(' '), '--out', out], {
    screen: {
      ...screen,
      write(text) {
        screen.write(text);
        // eslint-disable-next-line no-control-regex
        frames.push(text.replaceAll(/\r|\u001b\[\d*[AJ]/g, ''));
        if (text.includes(RESULT) && !text.includes(WAITING)) interrupts.abort();
      },
    },
    environment: { ...process.env, NO_COLOR: '', CI: '', TERM: 'xterm' },
    signal: interrupts.signal,
  });
  rmSync(out, { recursive: true });
  return frames;
}

/** @type {(frame: string) => boolean} whether rows wait, are measured and have results */
function showsAllStates(frame) {
  return [WAITING, MEASURING, RESULT].every((sign) => frame.includes(sign));
}

/**
 * @param {string[]} lines with the colours of `reports/document/terminal.js`
 * @returns {string} SVG
 */
function drawTerminal(lines) {
  const width = 2 * MARGIN + COLUMNS * CHARACTER.width;
  const height = 2 * MARGIN + lines.length * CHARACTER.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="${CHARACTER.font}" role="img">`,
    `<title>A comparison under way: ${COMMAND}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...lines.flatMap(drawLine),
    '</svg>',
    '',
  ].join('\n');
}

/** @type {(line: string, index: number) => string[]} */
function drawLine(line, index) {
  const y = MARGIN + (index + 0.7) * CHARACTER.height;
  const drawn = [];
  let column = 0;
  let color = COLORS[0];
  // eslint-disable-next-line no-control-regex
  for (const [text, sequence] of line.matchAll(/\u001b\[(\d*)m| +|[^ \u001b]+(?: [^ \u001b]+)*/g)) {
    if (sequence !== undefined) {
      color = Reflect.get(COLORS, sequence) ?? COLORS[0];
      continue;
    }
    // Placed and stretched, so that columns line up in any font.
    const place = `x="${round(MARGIN + column * CHARACTER.width)}" y="${round(y)}"`;
    const length = `textLength="${round(text.length * CHARACTER.width)}" lengthAdjust="spacingAndGlyphs"`;
    if (text.trim() !== '') {
      drawn.push(`<text ${place} ${length} fill="${color}">${escapeHtml(text)}</text>`);
    }
    column += text.length;
  }
  return drawn;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

const frame = (await recordFrames()).findLast(showsAllStates);
if (frame === undefined) throw new Error('the table never had rows in all states');
writeFileSync(PICTURE, drawTerminal([`$ just ${COMMAND}`, ...frame.split('\n')]));
