/** Both arms in one `Suite`, which is then asked for its fastest. */
import { loadArms, openTask, writeFigures } from './open-task.js';

const { task, tool } = await openTask();
const suite = new tool.default.Suite();
for (const { name, runOnce } of await loadArms(task)) {
  suite.add(name, runOnce, { maxTime: task.budgetMs / 2 / 1000 });
}
suite.on('error', (/** @type {{ target: { error: Error } }} */ { target }) => {
  throw target.error;
});
suite.run();

writeFigures(task, {
  fastest: suite.filter('fastest').map('name'),
  ...Object.fromEntries(
    suite.map((/** @type {any} */ { name, stats }) => [
      name,
      { meanNs: stats.mean * 1e9, marginPercent: stats.rme, samples: stats.sample.length },
    ]),
  ),
});
