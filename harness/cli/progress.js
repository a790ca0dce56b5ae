import {
  countSettled,
  describeHosts,
  describeSettled,
  describeStep,
  drawProgress,
} from '../../reports/content/progress.js';
import { hasColor } from './terminal.js';
import { writeLine } from '../lib/messages.js';

/** @import { ShowProgress } from '../formats/types.ts' */
/** @import { Io, TextSink } from './cli.js' */

/** Drawing takes time of the cores that are measured on, so a terminal is updated this seldom. */
const TERMINAL_INTERVAL_MS = 1_000;
/** In a log the lines remain, so they are few. */
const LOG_INTERVAL_MS = 60_000;
const MAX_COLUMNS = 120;

/**
 * Returns a function that shows progress on standard error: below all other text on a terminal, as lines in
 * a log. It is called between jobs and draws at once, so never while a timed job runs.
 *
 * @param {Pick<Io, 'stderr' | 'environment'>} io
 * @param {boolean} [isQuiet] whether nothing is shown
 * @param {() => number} [nowMs]
 * @returns {ShowProgress}
 */
export function makeProgressPrinter(io, isQuiet = false, nowMs = () => performance.now()) {
  if (isQuiet) return () => undefined;
  const showStatus = canRedraw(io.environment) ? io.stderr.showStatus : undefined;
  return showStatus === undefined
    ? makeLog(io.stderr, nowMs)
    : makeDisplay({ ...io, showStatus }, nowMs);
}

/**
 * Some CI systems provide a terminal, but keep everything that is written to it.
 * @type {(environment: Io['environment']) => boolean}
 */
export function canRedraw({ CI = '', TERM = '' }) {
  return ['', 'false', '0'].includes(CI) && TERM !== 'dumb';
}

/**
 * Draws once a second, and at once what is new.
 *
 * @param {Pick<Io, 'stderr' | 'environment'> & { showStatus: NonNullable<TextSink['showStatus']> }} io
 * @param {() => number} nowMs
 * @returns {ShowProgress}
 */
function makeDisplay({ stderr, environment, showStatus }, nowMs) {
  let lastMs = -Infinity;
  return function display(describe, isNews = false) {
    if (!isNews && nowMs() - lastMs < TERMINAL_INTERVAL_MS) return;
    lastMs = nowMs();
    const { columns = 80, rows: height = 24 } = stderr;
    // The last column stays free: a terminal that reaches it may begin another line.
    const width = Math.min(columns - 1, MAX_COLUMNS);
    showStatus(drawProgress(describe(), { width, height, color: hasColor(stderr, environment) }));
  };
}

/**
 * Writes a line when a cell is settled, or a host joins or is silent, otherwise at most one a
 * minute.
 * @type {(sink: TextSink, nowMs: () => number) => ShowProgress}
 */
function makeLog(sink, nowMs) {
  let lastMs = -Infinity;
  /** @type {Map<string, string>} */
  let written = new Map();
  /** @type {Map<string, string>} */
  const hostLines = new Map();
  return function log(describe, isNews = false) {
    const isDue = nowMs() - lastMs >= LOG_INTERVAL_MS;
    if (!isNews && !isDue) return;
    const progress = describe();
    const { comparison } = progress;
    const settled = describeSettled(comparison);
    const changed = settled.filter(({ cellId, line }) => written.get(cellId) !== line);
    written = new Map(settled.map(({ cellId, line }) => [cellId, line]));
    for (const { host, line } of describeHosts(progress.hosts)) {
      if (hostLines.get(host) !== line) sink.write(`${line}\n`);
      hostLines.set(host, line);
    }
    if (changed.length === 0 && !isDue) return;
    lastMs = nowMs();
    const lines =
      comparison === undefined || changed.length === 0
        ? [describeStep(progress)]
        : changed.map(({ line }) => `${line} · ${countSettled(comparison)}`);
    sink.write(`${lines.join('\n')}\n`);
  };
}

/**
 * Returns a function that writes a line of progress that stays.
 *
 * @param {Pick<Io, 'stderr'>} io
 * @param {boolean} [isQuiet] whether nothing is written
 * @returns {(line: string) => void}
 */
export function makeAnnouncer({ stderr }, isQuiet = false) {
  return (line) => {
    if (!isQuiet) writeLine(stderr, line);
  };
}
