import { resolve } from 'node:path';
import { formatReplay } from '../../../reports/support/terminal-replay.js';
import { EXIT } from '../../lib/exit-status.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { openSession } from '../terminal.js';
import { clearProgress } from '../../run/print-progress.js';
import { PROJECT } from '../../lib/project.js';
import { publishRun, showPath, terminalOf } from '../publish.js';
import { quoteWords } from '../../lib/words.js';
import { compareHosts, judgeReplay } from '../../studies/replay/judge.js';
import { prepareReplay } from '../../studies/replay/prepare.js';
import { readReport } from '../../studies/replay/report.js';
import { createRun } from '../../run/run.js';
import { writeReport } from '../../run/store.js';
import { prepareAndTakeTurn } from '../../host/lock.js';
import { parseDuration } from '../../run/question/parse-options.js';

/** @import { Io } from '../cli.js' */
/** @import { ReplayRecord } from '../../formats/types.ts' */
/** @import { JudgedRun } from '../publish.js' */
/** @import { ReplayResult } from '../../studies/replay/judge.js' */

/**
 * @typedef {object} ReplayOptions
 * @property {string[]} [map]
 * @property {boolean} [build]
 * @property {string} [budget]
 * @property {string} [out]
 * @property {boolean} [wait]
 * @property {boolean} [sandbox]
 */

/**
 * `just replay REPORT`: measures here what a report tells, and says whether it holds.
 *
 * @param {[string]} args
 * @param {ReplayOptions} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {import('../../lib/errors.js').AssayError} when the report is refused; nothing has run then
 */
export async function runCommand([report], options, io) {
  const { budget, out } = options;
  const budgetSeconds = budget === undefined ? null : parseDuration('--budget', budget) / 1000;
  const record = await readReport(resolve(io.workingPath, report), report);
  const runsPath = out === undefined ? PROJECT.runsPath : resolve(io.workingPath, out);
  const command = formatReplayCommand(report, options);
  const turn = { command, where: runsPath, waits: options.wait };
  const { build, map: maps = [], sandbox } = options;
  const choices = { maps, allowsBuild: build === true, sandbox: sandbox === true };
  return prepareAndTakeTurn(
    turn,
    io,
    () => prepareReplay(record, { ...choices, budgetSeconds, io }),
    (prepared) => replayRecord({ record, command, runsPath, ...prepared }, io),
  );
}

/**
 * @param {{ record: ReplayRecord, command: string, runsPath: string } & Awaited<ReturnType<typeof prepareReplay>>} asked
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function replayRecord({ record, command, runsPath, prepared, isSameNode, notes }, io) {
  for (const note of notes) io.stderr.write(`note: ${note}\n`);
  const run = await createRun(
    {
      ...prepared,
      command,
      runsPath,
      recorderStates: [],
    },
    { ...openSession(io), recorders: [] },
  );
  await publishRun(run, { ...io, stdout: { write: () => undefined } });
  const result = concludeReplay(record, run, { isSameNode, notes });
  writeReport(run.path, 'replay.json', `${JSON.stringify(result, null, 2)}\n`);
  clearProgress(io.stderr);
  const path = showPath(run.path, io.workingPath);
  io.stdout.write(formatReplay(result, { ...terminalOf(io), path }));
  return exitStatusOf(result, run);
}

/** How measuring may end otherwise than a report expects, as a note. */
const ENDS = new Map([
  ['interrupted', 'measuring was interrupted'],
  ['failed', 'measuring ended early, as jobs kept failing; the reports of the run say how'],
]);

/**
 * @param {ReplayRecord} record
 * @param {JudgedRun} run
 * @param {{ isSameNode: boolean, notes: string[] }} circumstances
 * @returns {ReplayResult}
 */
function concludeReplay(record, { manifest, verdict }, { isSameNode, notes }) {
  const { runId, createdAt, assay, question } = record;
  const { ended } = verdict;
  const end = ENDS.get(ended);
  const here = { ...manifest, hostNoise: verdict.hostNoise };
  const differences = compareHosts(record, here, isSameNode);
  return {
    formatVersion: FORMAT_VERSION,
    runId: manifest.runId,
    createdAt: manifest.createdAt,
    command: manifest.command,
    report: {
      runId,
      createdAt,
      assay,
      baseline: question.baseline,
      candidate: question.candidate,
      environment: record.environment,
    },
    assay: manifest.assay,
    environment: manifest.environment,
    ended,
    ...judgeReplay(record, verdict, differences),
    differences,
    notes: end === undefined ? notes : [...notes, end],
  };
}

/**
 * @param {string} report
 * @param {ReplayOptions} options
 * @returns {string} for a shell
 */
function formatReplayCommand(report, { map = [], build, budget, sandbox, out }) {
  const words = ['just', 'replay', report];
  for (const text of map) words.push('--map', text);
  if (build === true) words.push('--build');
  if (budget !== undefined) words.push('--budget', budget);
  if (sandbox === true) words.push('--sandbox');
  if (out !== undefined) words.push('--out', out);
  return quoteWords(words);
}

/**
 * @param {ReplayResult} result
 * @param {JudgedRun} run
 * @returns {number}
 */
function exitStatusOf({ answer }, { verdict }) {
  if (verdict.ended === 'interrupted') return EXIT.interrupted;
  if (verdict.ended === 'failed' || answer === 'inconclusive') return EXIT.failed;
  return answer === 'reproduced' ? EXIT.done : EXIT.regression;
}
