import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FormatError, MachineError } from '../../../lib/errors.js';
import { readJsonObject } from '../../../lib/files.js';
import { quoteWords } from '../../../lib/words.js';
import { runTool } from '../../../host/tools.js';
import { useDirectory } from '../../../profiling/recorders/support/recording.js';
import { probeHyperfine } from '../../../profiling/recorders/whole-process.js';
import { takeMedian } from '../../../stats/robust.js';
import { conclude, findScript, runInside, writeTask } from './peer.js';

/** @import { Peer, PeerContext, PeerFinding, PeerTask } from './types.ts' */

/** The default minimum of hyperfine, and a warm-up run. */
const RUNS = 10;
const WARM_UPS = 1;
const PROCESSES = 2 * (RUNS + WARM_UPS);
/** Processes that find out how many calls fit into the budget. */
const PILOTS = 3;
const SCRIPT = 'whole-process';
const GRACE_MS = 120_000;
const REMEDY = 'see whether this hyperfine is newer than 1.20, and report it';

/** @typedef {{ mean: number, stddev: number }} Exported in seconds */

/**
 * hyperfine times whole processes. Each makes as many calls as fit into its share of the budget; their number
 * is counted once, on the baseline, as a user would. It prints `1.02 ± 0.03 times faster than`.
 *
 * @type {Peer}
 */
export const peer = {
  name: 'hyperfine',
  version: '1.13 or newer',
  rule: "its 'times faster', a factor ± its standard deviation, lies above 1 with the whole range",
  probe: probeHyperfine,
  async open(task, context) {
    const probe = await probeHyperfine(context.host);
    if (!probe.available) throw new MachineError(probe.reason);
    const calls = await countCalls(task, context);
    return {
      version: probe.detail.replace('hyperfine ', ''),
      compare: (asked) => timeProcesses(asked, calls, context),
    };
  },
};

/**
 * @param {PeerTask} task
 * @param {PeerContext} context
 * @returns {Promise<number>} calls of one process
 */
async function countCalls(task, context) {
  const share = { ...task, budgetMs: task.budgetMs / PROCESSES };
  const counts = [];
  for (let pilot = 0; pilot < PILOTS; pilot++) {
    const text = await runInside({ name: SCRIPT, args: ['baseline'] }, share, context);
    counts.push(Number(readJsonObject(text, 'the count of calls', REMEDY).calls));
  }
  return Math.round(takeMedian(counts));
}

/** @type {(task: PeerTask, calls: number, context: PeerContext) => Promise<PeerFinding>} */
function timeProcesses(task, calls, { host, signal }) {
  return useDirectory(async (directory) => {
    const outputPath = join(directory, 'export.json');
    const taskPath = join(directory, 'task.json');
    await writeTask(taskPath, { task, outputPath });
    const commands = task.order.map((arm) =>
      quoteWords([process.execPath, findScript(SCRIPT), taskPath, arm, String(calls)]),
    );
    const settings = ['--shell=none', '--style=none', '--export-json', outputPath];
    const times = ['--warmup', String(WARM_UPS), '--runs', String(RUNS)];
    await runTool('hyperfine', [...settings, ...times, ...commands], {
      environment: host.environment,
      timeoutMs: task.budgetMs + GRACE_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    return readHyperfine(await readFile(outputPath, 'utf8'), task.order);
  });
}

/**
 * The factor and its standard deviation as hyperfine computes them: the quotient of the means, and the root of
 * the sum of the squared relative deviations.
 *
 * @param {string} text its export of two commands
 * @param {PeerTask['order']} order of the commands
 * @returns {PeerFinding}
 * @throws {FormatError} when it has no two results
 */
export function readHyperfine(text, order) {
  const results = /** @type {Exported[]} */ (
    readJsonObject(text, 'an export of hyperfine', REMEDY).results ?? []
  );
  const baseline = results[order.indexOf('baseline')];
  const candidate = results[order.indexOf('candidate')];
  for (const { mean, stddev } of [baseline ?? {}, candidate ?? {}]) {
    if (!Number.isFinite(mean) || !Number.isFinite(stddev)) {
      throw new FormatError('an export of hyperfine without mean and stddev of two commands', {
        remedy: REMEDY,
      });
    }
  }
  const ratio = candidate.mean / baseline.mean;
  const factor = Math.max(ratio, 1 / ratio);
  const deviation =
    factor * Math.hypot(candidate.stddev / candidate.mean, baseline.stddev / baseline.mean);
  const isApart = factor - deviation > 1;
  return conclude(ratio, isApart);
}
