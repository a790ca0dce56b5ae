/** Both arms in one `Suite` in its t-test mode, which repeats each of them 30 times. */
import { loadArms, openTask, writeFigures } from './open-task.js';

/** Repetitions of the t-test mode, which are also its minimum. */
const REPEATS = 30;
/** Default duration of one sample. */
const MIN_TIME_SECONDS = 0.05;

const { task, tool } = await openTask();
const maxTime = task.budgetMs / 1000 / 2 / REPEATS;
const minTime = Math.min(MIN_TIME_SECONDS, maxTime);
const suite = new tool.default.Suite({ ttest: true, reporter: false });
for (const { name, runOnce } of await loadArms(task)) {
  suite.add(name, { baseline: name === 'baseline', minTime, maxTime }, runOnce);
}
/** @type {{ name: string, opsSec: number, opsSecPerRun: number[] }[]} */
const results = await suite.run();
const runsOf = Object.fromEntries(results.map((result) => [result.name, result.opsSecPerRun]));
const { significant, pValue } = tool.default.compareBenchmarks(
  runsOf.candidate,
  runsOf.baseline,
  0.05,
);

writeFigures(task, {
  significant,
  pValue,
  ...Object.fromEntries(
    results.map(({ name, opsSec, opsSecPerRun }) => [
      name,
      { callsPerSecond: opsSec, runs: opsSecPerRun.length },
    ]),
  ),
});
