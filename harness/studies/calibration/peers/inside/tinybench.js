/** Both arms as tasks of one `Bench`. */
import { loadArms, openTask, writeFigures } from './open-task.js';

/** Default warm-up of tinybench per task. */
const WARM_UP_MS = 250;

const { task, tool } = await openTask();
const share = task.budgetMs / 2;
const warmupTime = Math.min(WARM_UP_MS, share / 2);
const bench = new tool.Bench({ time: share - warmupTime, warmupTime, throws: true });
for (const { name, runOnce } of await loadArms(task)) bench.add(name, runOnce);
await bench.run();

writeFigures(
  task,
  Object.fromEntries(
    task.order.map((name) => {
      const { mean, rme, samplesCount } = bench.getTask(name).result.latency;
      return [name, { meanMs: mean, marginPercent: rme, samples: samplesCount }];
    }),
  ),
);
