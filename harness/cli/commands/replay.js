import { resolve } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { EXIT } from '../../lib/errors.js';
import { RUN } from '../../lib/files.js';
import { PROGRAM } from '../../lib/program.js';
import { formatInvocation } from '../invocation.js';
import {
  COMPARISON_OPTIONS,
  flag,
  FORMAT,
  HOST_OPTIONS,
  repeatable,
  VARIANT_OPTIONS,
} from '../options.js';
import { showPath } from '../terminal.js';
import { writeNote } from '../../lib/messages.js';

/** @import { Io } from '../cli.js' */
/** @import { JudgedRun } from '../publish.js' */
/** @import { CommandDeclaration, Invocation, OptionValues } from '../types.ts' */
/** @import { ReplayRecord, ReplayResult } from '../../formats/types.ts' */

const OPTIONS = {
  map: repeatable('--map <from=to>', 'where a path or checkout of the report is here; repeatable'),
  build: flag('--build', 'allow the build command of the report to run'),
  budget: COMPARISON_OPTIONS.budget,
  sandbox: VARIANT_OPTIONS.sandbox,
  format: FORMAT,
  ...HOST_OPTIONS,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'measure a report again on this host, and say whether it holds',
  arguments: [['<report>', 'directory of a run, its verdict.json, or its report.html']],
  options: OPTIONS,
  notes: `
Of what the file names, nothing is run but variants of this checkout, versions of
packages of their family, and what --map allows:
  ${PROGRAM} replay report.html --map git:../js-bson=../my-js-bson

Exit status: 0 reproduced, 1 not reproduced, 2 refused, 4 a worker failed or the
result is inconclusive, 130 interrupted.`,
  run: replayReport,
};

/**
 * @param {[string]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @param {Invocation} invocation
 * @returns {Promise<number>} exit status
 * @throws {import('../../lib/errors.js').AssayError} when the report is refused, before anything has run
 */
export async function replayReport([report], options, io, invocation) {
  const { prepareThenLock } = await import('../../host/lock.js');
  const { prepareReplay } = await import('../../studies/replay/prepare.js');
  const { readReport } = await import('../../studies/replay/report.js');
  const { findRunsPath } = await import('../session.js');

  const { build, map: maps = [], sandbox, budget: budgetSeconds = null } = options;
  const record = await readReport(resolve(io.workingPath, report), report);
  const runsPath = findRunsPath(options.out, io);
  const command = formatInvocation(invocation);
  const choices = { maps, allowsBuild: build === true, sandbox: sandbox === true };
  const request = { command, where: runsPath, waits: options.wait };
  const prepare = () => prepareReplay(record, { ...choices, budgetSeconds, io });
  return prepareThenLock(request, io, prepare, (prepared) =>
    replayRecord({ record, command, runsPath, ...prepared }, options, io),
  );
}

/**
 * @param {{ record: ReplayRecord, command: string, runsPath: string } & Awaited<ReturnType<typeof import('../../studies/replay/prepare.js').prepareReplay>>} asked
 * @param {Pick<OptionValues<typeof OPTIONS>, 'format' | 'quiet'>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function replayRecord(
  { record, command, runsPath, prepared, isSameNode, notes },
  { format, quiet },
  io,
) {
  const { describeReplay } = await import('../../../reports/content/replay.js');
  const { createRun } = await import('../../run/run.js');
  const { publishFinding, writeReports } = await import('../publish.js');
  const { openSession } = await import('../session.js');

  for (const note of notes) writeNote(io.stderr, note);
  const replayed = await createRun(
    { ...prepared, command, runsPath, recorderStates: [] },
    { ...openSession(io, { quiet }), recorders: [] },
  );
  await writeReports(replayed, io);
  const result = await concludeReplay(record, replayed, { isSameNode, notes });
  const { path } = replayed;
  const document = describeReplay(result, showPath(path, io.workingPath));
  const finding = { document, data: result, hasPage: false };
  await publishFinding(finding, { path, name: 'replay', owner: RUN }, io, format);
  return exitStatusOf(result, replayed);
}

/** Notes on runs that did not end by themselves. */
const ENDS = new Map([
  ['interrupted', 'measuring was interrupted'],
  ['failed', 'measuring ended early, as jobs kept failing; the reports of the run say how'],
]);

/**
 * @param {ReplayRecord} record
 * @param {JudgedRun} run
 * @param {{ isSameNode: boolean, notes: string[] }} circumstances
 * @returns {Promise<ReplayResult>}
 */
async function concludeReplay(record, { manifest, verdict }, { isSameNode, notes }) {
  const { compareHosts, judgeReplay } = await import('../../studies/replay/judge.js');
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
      candidates: question.candidates,
      ...(question.rank === undefined ? {} : { rank: question.rank }),
      alpha: question.alpha,
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

/** @type {(result: ReplayResult, run: JudgedRun) => number} */
function exitStatusOf({ answer }, { verdict }) {
  if (verdict.ended === 'interrupted') return EXIT.interrupted;
  if (verdict.ended === 'failed' || answer === 'inconclusive') return EXIT.failed;
  return answer === 'reproduced' ? EXIT.done : EXIT.regression;
}
