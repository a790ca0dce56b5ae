import { PROGRAM } from '../../lib/program.js';
import { resolve } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROJECT, RUNS } from '../../lib/project.js';
import { FORMAT, day, list, option, word } from '../options.js';
import { nameRuntime } from '../../lib/words.js';
import { writeLine, writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { HistoryRow } from '../../../reports/content/history.js' */

/** @typedef {OptionValues<typeof OPTIONS>} HistoryOptions */

const OPTIONS = {
  op: option('--op <names>', 'only these operations, separated by commas', list),
  corpus: option('--corpus <names>', 'only these corpora, separated by commas', list),
  variant: option('--variant <text>', 'only where baseline or candidate contain it', word),
  since: option('--since <date>', 'only from this day on: 2026-01-31', day),
  add: option('--add <run>', 'record a run that was measured before', word, {
    alone: { but: ['store'], because: 'it prints nothing else' },
  }),
  store: option('--store <directory>', 'another result store (default: .assay/history)', word),
  format: FORMAT,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list recorded comparisons',
  arguments: [],
  options: OPTIONS,
  notes: `
The result store has one file per comparison, named after its content. Nothing in it
is ever changed: copy the files of two stores into one directory to merge them.
${PROGRAM} compare --record and ${PROGRAM} trend add to it.

The files are JSON, for any tool:
  jq -r '.cells[] | [.ratio.estimate, .candidate] | @tsv' .assay/history/*.json

Examples:
  ${PROGRAM} history --op serialize --variant npm:bson@7
  ${PROGRAM} history --add ${RUNS}/RUN

Exit status: 0 done, 2 usage.`,
  run,
};

/** @type {(_args: [], options: HistoryOptions, io: Io) => Promise<number>} exit status */
async function run(_args, options, io) {
  const { describeHistory } = await import('../../../reports/content/history.js');
  const { formatFinding } = await import('../publish.js');
  const { readRecords } = await import('../../studies/history/store.js');

  const path =
    options.store === undefined ? PROJECT.historyPath : resolve(io.workingPath, options.store);
  if (options.add !== undefined) return add(options.add, path, io);
  const { records, notes } = readRecords(path);
  for (const note of notes) writeNote(io.stderr, note);
  if (records.length === 0) {
    const how = `record comparisons with: ${PROGRAM} compare A B --record`;
    writeNote(io.stderr, `the result store '${path}' is empty; ${how}`);
    if (options.format !== 'json') return EXIT.done;
  }
  const rows = records
    .flatMap(({ record: { identity, severalHosts, cells } }) => {
      const { cpuModel, node } = identity.environment;
      const host = severalHosts === true ? 'several hosts' : cpuModel;
      return cells.map((cell) => ({
        ...cell,
        createdAt: identity.createdAt,
        // The store does not say of how many hosts; of few, intervals hold no level.
        alpha: severalHosts === true ? null : identity.question.alpha,
        host: `${host}, ${nameRuntime(cell.runtime ?? `node@${node}`)}`,
      }));
    })
    .filter((row) => isWanted(row, options));
  io.stdout.write(
    await formatFinding({ document: describeHistory(rows), data: rows }, options.format, io),
  );
  writeLine(
    io.stderr,
    `${countOf(rows.length, 'cell')} of ${countOf(records.length, 'comparison')}`,
  );
  return EXIT.done;
}

/** @type {(row: HistoryRow, options: HistoryOptions) => boolean} */
function isWanted(row, { op, corpus, variant, since }) {
  return (
    (op?.includes(row.operation) ?? true) &&
    (corpus?.includes(row.corpus) ?? true) &&
    (variant === undefined || row.baseline.includes(variant) || row.candidate.includes(variant)) &&
    (since === undefined || row.createdAt >= since)
  );
}

/**
 * @param {string} path of a run, as typed
 * @param {string} storePath
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function add(path, storePath, io) {
  const { recordRun } = await import('../publish.js');
  const { readRun } = await import('../../run/store.js');
  const { analyzeRun } = await import('../../run/verdict.js');

  const stored = await readRun(resolve(io.workingPath, path));
  const analyzed = await analyzeRun(stored);
  await recordRun({ ...stored, ...analyzed }, storePath, io);
  return EXIT.done;
}
