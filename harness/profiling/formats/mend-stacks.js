/**
 * Puts the measured loop back on stacks that lost it. libc and other libraries keep no frame
 * pointers: a walk that begins in `malloc` ends there, or passes over the function that called it;
 * and perf cuts stacks off that are deeper than 127 frames. All of them would be dropped, and with
 * them the allocations and recursions that a comparison is about. In the window the thread does
 * nothing but the loop, so that is where they belong. A stack of what the worker does between two
 * stretches of it stays as it is.
 *
 * @param {number[][]} stacks of one thread: frames, the innermost first
 * @param {Set<number>} loops frames that are the loop
 * @param {Set<number>} nameless frames that perf found no name for
 * @returns {number[][]} as many
 */
export function mendStacks(stacks, loops, nameless) {
  const { loop, callers, ends } = surveyLoop(stacks, loops);
  if (loop === null) return stacks;
  return stacks.map(function mendStack(stack) {
    if (stack.some((frame) => loops.has(frame))) return stack;
    const [leaf, caller] = stack;
    if (callers.has(caller) && !callers.has(leaf)) return [leaf, loop, ...stack.slice(1)];
    const end = stack.at(-1);
    if (end !== undefined && ends.has(end) && !nameless.has(end)) return stack;
    const named = stack.findLastIndex((frame) => !nameless.has(frame));
    return [...stack.slice(0, named + 1), loop];
  });
}

/**
 * @param {number[][]} stacks
 * @param {Set<number>} loops
 * @returns {{ loop: number | null, callers: Set<number>, ends: Set<number> }} the frame that is the
 *   outermost loop of most stacks, what calls it, and where stacks with it end
 */
function surveyLoop(stacks, loops) {
  /** @type {Set<number>} */
  const callers = new Set();
  /** @type {Set<number>} */
  const ends = new Set();
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const stack of stacks) {
    const at = stack.findLastIndex((frame) => loops.has(frame));
    if (at === -1) continue;
    counts.set(stack[at], (counts.get(stack[at]) ?? 0) + 1);
    if (at + 1 < stack.length) callers.add(stack[at + 1]);
    ends.add(stack[stack.length - 1]);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return { loop: most?.[0] ?? null, callers, ends };
}
