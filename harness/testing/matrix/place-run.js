import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeRun } from '../../run/verdict.js';
import { command as compare } from '../../cli/commands/compare.js';
import { formatQuestion } from '../../cli/invocation.js';
import { publishRun } from '../../cli/publish.js';
import { openSession } from '../../cli/session.js';
import { readRun } from '../../run/store.js';
import { listVariants } from '../../stats/plan.js';
import { mergeRuns } from '../../studies/shards/merge.js';
import { splitIntoParts } from '../../studies/shards/test-support/make-shards.js';
import { placeRecording } from './recording.js';

/** @import { Verdict } from '../../formats/types.ts' */
/** @import { PlacedRun } from './commands.js' */
/** @import { RunKind } from './kinds.js' */
/** @import { RecordedRun } from './recording.js' */

const CREATED_AT = new Date('2025-06-12T10:15:02Z');

/**
 * Creates the directory of a run of one kind as `compare` or `merge` would.
 *
 * @param {RunKind} kind
 * @param {RecordedRun} recording
 * @param {string} workingPath directory that the run is created in, and that paths in reports are relative to
 * @returns {Promise<PlacedRun & { verdict: Verdict }>}
 */
export async function placeRun({ name, make, state = 'published' }, recording, workingPath) {
  const run = make(recording);
  const path = join(workingPath, 'reports/runs', name.replaceAll(/\W+/g, '-'));
  const io = makeIo(workingPath);
  if (state === 'sharded') return placeShards(run, path, io);
  const stored = placeRecording(run, path);
  const judged = await analyzeRun(stored);
  if (state === 'published') await publishRun({ ...stored, ...judged }, io);
  return { path, parts: [path], artefacts: Object.keys(run.files), verdict: judged.verdict };
}

/**
 * @param {RecordedRun} run
 * @param {string} path that the merged run is created in, beside the shards
 * @param {any} io
 */
async function placeShards(run, path, io) {
  const whole = { ...run, path };
  const names = [];
  for (const { name, run: shard } of splitIntoParts(whole, 2)) {
    const partPath = `${path}-${name}`;
    names.push(partPath);
    const placed = placeRecording({ ...shard, files: run.files }, partPath);
    await publishRun({ ...placed, ...(await analyzeRun(placed)) }, io);
  }
  const parts = await Promise.all(names.map(async (name) => ({ name, run: await readRun(name) })));
  const measure = { name: 'compare', options: compare.options ?? {} };
  const merged = await mergeRuns(parts, {
    runsPath: path,
    createdAt: CREATED_AT,
    formatCommand: (question) =>
      formatQuestion(measure, question, { args: listVariants(question) }),
    session: openSession(io, { quiet: true }),
  });
  await publishRun(merged, io);
  return { path: merged.path, parts: names, artefacts: [], verdict: merged.verdict };
}

/** @type {(workingPath: string) => any} */
function makeIo(workingPath) {
  const silent = { write: () => true };
  const { signal } = new AbortController();
  return { stdout: silent, stderr: silent, environment: {}, workingPath, signal };
}

/** @type {(run: PlacedRun) => boolean} */
export function hasReports({ path }) {
  return existsSync(join(path, 'report.html'));
}
