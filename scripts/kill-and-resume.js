/**
 * Kills comparisons at random and resumes them until they end: `node scripts/kill-and-resume.js
 * [--kills 1000] [--seed 1]`. Each must give the result of an undisturbed one with the same seed, with nothing
 * counted twice and no file or process left. Prints a line of counts; the exit status is 1 after any problem.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killAndResume } from '../harness/testing/kills/kill-and-resume.js';

/** @import { KillCounts } from '../harness/testing/kills/kill-and-resume.js' */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'assay-kills-'));
try {
  const plan = { kills: Number(values.kills), seed: Number(values.seed), directory };
  let printed = 0;
  const counts = await killAndResume(plan, (current) => {
    for (const problem of current.problems.slice(printed)) console.log(problem);
    printed = current.problems.length;
    process.stderr.write(`\r${current.kills} of ${plan.kills} kills`);
  });
  process.stderr.write('\n');
  console.log(formatCounts(counts));
  process.exitCode = counts.problems.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true });
}

/** @param {KillCounts} counts */
function formatCounts({ kills, signals, atWrites, runs, beforeManifest, interimLooks, problems }) {
  const bySignal = Object.entries(signals).map(([signal, count]) => `${count} ${signal}`);
  return (
    `${kills} kills (${bySignal.join(', ')}; ${atWrites} at a write) of ${runs} runs; ` +
    `${beforeManifest} before there was a manifest, ${interimLooks} cells judged between two looks; ` +
    `${problems.length} problems`
  );
}
