/**
 * Takes a CPU profile before V8 has computed the line ends of long scripts with inlined functions, and
 * with so little free memory that computing them starts a collection. Run with
 * `--expose-gc --no-incremental-marking`; the argument is the path of the profile.
 */
import vm from 'node:vm';
import { observe } from '../cpu-profile.js';

const SCRIPTS = 10;
const LINES = 2_000_000;
const CALLS = 4_000;
const collectGarbage = /** @type {() => void} */ (globalThis.gc);

// The callers come first in memory, where the profiler starts to read.
const callers = compileEach(
  (index) =>
    `(function call(add, n) { let sum = ${index}; for (let i = 0; i < n; i++) sum = add(sum, i); return sum; })`,
);
for (const call of callers) call(Math.max, 1);
collectGarbage();
collectGarbage();
const added = compileEach(
  (index) => `${'\n'.repeat(LINES)}(function add(a, b) { return (a + b + ${index}) | 0; })`,
);
callers.forEach(function warmUp(call, index) {
  for (let count = 0; count < CALLS; count++) call(added[index], 100);
});
collectGarbage();

const [, , observedPath = ''] = process.argv;
const stop = await observe({ observedPath });
await stop();

/** @param {(index: number) => string} write the source of a function @returns {Function[]} */
function compileEach(write) {
  return Array.from({ length: SCRIPTS }, (_, index) => vm.runInThisContext(write(index)));
}
