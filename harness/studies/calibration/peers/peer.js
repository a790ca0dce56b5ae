import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runTool } from '../../../host/tools.js';
import { FormatError } from '../../../lib/errors.js';
import { readJsonObject } from '../../../lib/files.js';
import { useDirectory } from '../../../profiling/recorders/support/recording.js';
import { installTool, probePackage } from '../../../profiling/recorders/support/tools.js';
import { findEntry } from '../../../variants/package-entry.js';

/** @import { InsideTask, Peer, PeerContext, PeerFinding, PeerTask, PeerArm } from './types.ts' */

/** Time that a tool may take beyond its budget: start-up, warm-up, statistics. */
const GRACE_MS = 300_000;
const MOST_BUDGETS = 4;

/**
 * A tool from npm that measures both arms in one process, with a script of `inside/`.
 *
 * @param {object} description
 * @param {string} description.name of the peer and its script
 * @param {string} description.rule
 * @param {{ name: string, version: string, sizeMB: number }} description.wanted exact package
 * @param {string[]} [description.nodeFlags] that its documentation requires
 * @param {(text: string) => PeerFinding} description.readFigures
 * @returns {Peer}
 */
export function makePackagePeer({ name, rule, wanted, nodeFlags = [], readFigures }) {
  return {
    name,
    version: wanted.version,
    rule,
    probe: (host) => probePackage(wanted, host),
    async open(_task, context) {
      const home = await installTool(wanted.name, wanted.version, context.host, context.signal);
      const entry = await findEntry(join(home, 'node_modules', wanted.name));
      const toolUrl = pathToFileURL(entry).href;
      return {
        version: wanted.version,
        async compare(task) {
          const script = { name, nodeFlags, toolUrl };
          return readFigures(await runInside(script, task, context));
        },
      };
    },
  };
}

/**
 * Runs a script of `inside/` in a fresh process.
 *
 * @param {{ name: string, nodeFlags?: string[], toolUrl?: string, args?: string[] }} script
 * @param {PeerTask} task
 * @param {PeerContext} context
 * @returns {Promise<string>} its output, as JSON
 * @throws {import('../../../lib/errors.js').MachineError} when it fails
 */
export function runInside({ name, nodeFlags = [], toolUrl, args = [] }, task, context) {
  return useDirectory(async (directory) => {
    const outputPath = join(directory, 'figures.json');
    const taskPath = join(directory, 'task.json');
    await writeTask(taskPath, { task, outputPath, ...(toolUrl === undefined ? {} : { toolUrl }) });
    await runTool(process.execPath, [...nodeFlags, findScript(name), taskPath, ...args], {
      environment: context.host.environment,
      timeoutMs: task.budgetMs * MOST_BUDGETS + GRACE_MS,
      name,
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    });
    return readFile(outputPath, 'utf8');
  });
}

/**
 * @param {string} path absolute
 * @param {{ task: PeerTask, outputPath: string, toolUrl?: string }} parts
 */
export async function writeTask(path, { task, ...parts }) {
  const { familyPath, operation, corpus, variants, order, budgetMs } = task;
  /** @type {InsideTask} */
  const inside = { familyPath, operation, corpus, variants, order, budgetMs, ...parts };
  await writeFile(path, JSON.stringify(inside));
}

/**
 * @param {string} name of a script of `inside/`
 * @returns {string} absolute path
 */
export function findScript(name) {
  return fileURLToPath(new URL(`inside/${name}.js`, import.meta.url));
}

/**
 * Reads the numbers of both arms from the output of a script of `inside/`.
 *
 * @template {string} Name
 * @param {string} text JSON
 * @param {string} tool for messages
 * @param {readonly Name[]} names of the numbers of each arm
 * @returns {Record<PeerArm, Record<Name, number>> & { all: Record<string, unknown> }}
 * @throws {FormatError} when one of them is missing or not a finite number
 */
export function readFigures(text, tool, names) {
  const remedy = `peers are pinned to exact versions; see harness/studies/calibration/peers/README.md`;
  const all = readJsonObject(text, `the output of ${tool}`, remedy);
  /** @param {PeerArm} arm */
  const readArm = (arm) => {
    const figures = /** @type {Record<string, unknown> | undefined} */ (all[arm]) ?? {};
    for (const name of names) {
      if (Number.isFinite(figures[name])) continue;
      throw new FormatError(`the output of ${tool} has no number '${name}' of the ${arm}`, {
        remedy,
      });
    }
    return /** @type {Record<Name, number>} */ (figures);
  };
  return { baseline: readArm('baseline'), candidate: readArm('candidate'), all };
}

/**
 * What the user of a tool concludes from two times.
 * @type {(ratio: number, isDifferent: boolean) => PeerFinding}
 */
export function conclude(ratio, isDifferent) {
  const direction = ratio > 1 ? 'slower' : 'faster';
  return { ratio, conclusion: isDifferent ? direction : 'no difference' };
}
