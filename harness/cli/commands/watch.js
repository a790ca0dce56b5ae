import { resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { writeLine } from '../../lib/messages.js';
import { PROGRAM } from '../../lib/program.js';
import { RUNS } from '../../lib/project.js';
import { ASKED } from '../../run/question-fields.js';
import { asCommand, formatInvocation } from '../invocation.js';
import { choice, COMPARISON_OPTIONS, HOST_OPTIONS, option, word } from '../options.js';
import { showPath, terminalOf } from '../terminal.js';

/** @import { Question, ShowProgress, WatchLine } from '../../formats/types.ts' */
/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */

const { op, corpus, mei, processes, schedule, seed, nodeFlag, runtime, server } =
  COMPARISON_OPTIONS;
const { accept, reference, family, sandbox } = COMPARISON_OPTIONS;

const OPTIONS = {
  build: option(
    '--build <command>',
    'builds the candidate, in its directory, before each measurement; and a git: baseline',
    word,
    { ofQuestion: ASKED.build },
  ),
  ...{ op, corpus, mei, processes, schedule, seed, nodeFlag, runtime, server },
  ...{ accept, reference, family, sandbox },
  format: choice(
    '--format <name>',
    'format of the output: lines for a reader, or one JSON value a line',
    ['terminal', 'ndjson'],
    { default: 'terminal', transient: true },
  ),
  out: HOST_OPTIONS.out,
  restore: option('--restore <edit>', 'instead: write the files of an edit where they were', word, {
    transient: true,
    alone: { but: [], because: 'it measures nothing' },
  }),
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'check and measure a variant again whenever its files change',
  arguments: [
    ['[variants...]', 'specs of baseline and candidate (default: HEAD and the working tree)'],
  ],
  options: OPTIONS,
  notes: `
The candidate is a built-in variant or path:DIRECTORY_OR_FILE. Watch copies the files
that it loads, checks their output, and measures them until the next change, or until
there are enough processes. A line for each edit has its ratio to the baseline and to
the edit before, with intervals, and where most of the change comes from. A wrong
output is shown before anything is timed. The baseline stays as it was at first, even
if it is the same variant.
A line is a screen. Ctrl-C ends, and prints a table of all edits with the commands
that compare, confirm and restore them. All edits are kept in ${RUNS}.
With --build, the sources are followed, as far as git does not ignore them.

Examples:
  ${PROGRAM} watch generator generator            how far do I get from here?
  ${PROGRAM} watch npm:bson@7.3.1 path:../js-bson --build 'npm run build'
  ${PROGRAM} watch generator linked-list --op serialize --corpus flat
  ${PROGRAM} watch --restore ${RUNS}/DIR/3

Exit status: 0 done, 2 usage, 4 the machine failed.`,
  run,
};

/** Drawing takes time of the cores that are measured on. */
const REDRAW_MS = 1_000;
/** HEAD and the working tree. */
const USUAL_VARIANTS = ['git:.@HEAD', 'path:.'];

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 */
async function run([variants], options, io, invocation) {
  if (options.restore !== undefined) return restore(options.restore, io);
  const { askComparison } = await import('../comparison.js');
  const { findRunsPath, openSession } = await import('../session.js');
  const { nameMoment } = await import('../../run/run.js');
  const { createRunDirectory } = await import('../../run/store.js');
  const { watchVariant } = await import('../../studies/watch/watch.js');
  const { COMPARE } = await import('./compare.js');

  const { build, format, out, ...asked } = options;
  const specs = variants.length === 0 ? USUAL_VARIANTS : variants;
  if (specs.length > 2) {
    throw new UsageError(`watch follows one candidate, and '${specs[2]}' is another one`, {
      remedy: `compare several with: ${PROGRAM} compare`,
    });
  }
  const isBuilt = build !== undefined && specs[0].startsWith('git:');
  const {
    families,
    family: found,
    question,
  } = await askComparison(
    specs,
    { ...asked, placements: 0, explain: 'all', ...(isBuilt ? { build } : {}) },
    io,
    { command: 'watch', example: `${PROGRAM} watch generator generator` },
  );
  const { path: home } = createRunDirectory(
    findRunsPath(out, io),
    `${nameMoment(new Date())}-edits`,
  );
  const show = (/** @type {string} */ path) => showPath(path, io.workingPath);
  const compareCommand = (/** @type {string} */ one, /** @type {string} */ other) =>
    formatInvocation(asCommand(invocation, COMPARE), {
      args: [one, other],
      changes: { family: found.name, ...(one.startsWith('git:') ? {} : { build: null }) },
    });
  const printer = await openPrinter(io, { format, question });
  const watched = { question: { ...question, measuresOn: /** @type {const} */ (true) }, home };
  const lines = await watchVariant(
    {
      ...watched,
      ...{ families, family: found, build, compareCommand },
      command: formatInvocation(invocation, { question }),
    },
    {
      io,
      show,
      session: { ...openSession(io, { quiet: true }), onProgress: printer.onProgress },
      onLine: printer.onLine,
    },
  );
  if (format !== 'terminal' || lines.length === 0) return EXIT.done;
  const { describeEdits } = await import('../../../reports/content/watch.js');
  const { formatFinding } = await import('../publish.js');
  const { alpha } = question;
  const document = describeEdits({ lines, alpha, home: show(home), showTime, compareCommand });
  io.stdout.write(`\n${await formatFinding({ document, data: lines }, format, io)}`);
  return EXIT.done;
}

/**
 * @param {Io} io
 * @param {{ format: 'terminal' | 'ndjson', question: Question }} shown
 * @returns {Promise<{ onLine: (line: WatchLine) => void, onProgress: ShowProgress }>} what shows an edit: below all other
 *   text while it is measured, and as lines that stay in the end; without a terminal as soon as all cells have a ratio, too
 */
async function openPrinter(io, { format, question }) {
  if (format === 'ndjson') {
    return {
      onLine: (line) => void io.stdout.write(`${JSON.stringify(line)}\n`),
      onProgress: () => {},
    };
  }
  const { describeColumns, describeEdit } = await import('../../../reports/content/watch.js');
  const { canRedraw } = await import('../progress.js');
  const { minimumEffect, cells } = question;
  const showStatus = canRedraw(io.environment) ? io.stderr.showStatus : undefined;
  const draw = (/** @type {WatchLine} */ line) =>
    describeEdit(line, { ...terminalOf(io), minimumEffect, showTime });
  /** @type {WatchLine | undefined} */
  let latest;
  /** The last edit with a line that stays; -1 after the titles. @type {number | null} */
  let printed = null;
  let drawnMs = -Infinity;
  /** @type {(step: string) => void} */
  const refresh = (step) => showStatus?.([...(latest === undefined ? [] : draw(latest)), step]);
  return {
    onLine(line) {
      if (printed === null) {
        io.stdout.write(`${describeColumns(terminalOf(io))}\n`);
        printed = -1;
      }
      latest = line;
      const isWhole = line.cells.filter(({ toBaseline }) => toBaseline).length === cells.length;
      const isFirst = showStatus === undefined && isWhole && printed < line.edit;
      const isOver = line.state !== 'checking' && line.state !== 'measuring';
      if (isOver || isFirst) {
        printed = line.edit;
        // The table has it, too.
        if (!io.signal.aborted) io.stdout.write(`${draw(line).join('\n')}\n`);
      }
      if (isOver) {
        latest = undefined;
        refresh('waiting for a change; Ctrl-C ends');
      } else {
        refresh(`${line.state}; Ctrl-C ends`);
      }
    },
    onProgress(describe, isNews = false) {
      if (showStatus === undefined || (!isNews && performance.now() - drawnMs < REDRAW_MS)) return;
      drawnMs = performance.now();
      refresh(`measuring ${describe().step}`);
    },
  };
}

/** @type {(at: string) => string} `14:05`, by the clock of this host */
function showTime(at) {
  return new Date(at).toTimeString().slice(0, 'HH:MM'.length);
}

/** @type {(path: string, io: Io) => Promise<number>} exit status */
async function restore(path, io) {
  const { restoreSnapshot } = await import('../../studies/watch/snapshots.js');
  const restored = restoreSnapshot(resolve(io.workingPath, path));
  if (restored.length === 0) writeLine(io.stdout, `all files are those of '${path}' already`);
  for (const file of restored) writeLine(io.stdout, `restored: ${showPath(file, io.workingPath)}`);
  return EXIT.done;
}
