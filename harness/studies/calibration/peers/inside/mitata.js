/**
 * Both arms with `measure`, which `bench` and `summary` use. Only `measure` has an option for the time.
 */
import { loadArms, openTask, writeFigures } from './open-task.js';

const NS_PER_MS = 1e6;

const { task, tool } = await openTask();
/** @type {Record<string, object>} */
const figures = {};
for (const { name, runOnce } of await loadArms(task)) {
  const stats = await tool.measure(runOnce, { min_cpu_time: (task.budgetMs / 2) * NS_PER_MS });
  figures[name] = { meanNs: stats.avg, samples: stats.samples.length };
}
writeFigures(task, figures);
