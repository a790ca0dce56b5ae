import { quoteText, refuse } from './refuse.js';

/** Flags that only choose how V8 compiles, schedules and collects: none loads, writes, listens or
 * opens anything. */
const WORDS = new Set([
  '--predictable',
  '--single-threaded',
  '--single-threaded-gc',
  '--jitless',
  '--opt',
  '--no-opt',
  '--sparkplug',
  '--no-sparkplug',
  '--always-sparkplug',
  '--maglev',
  '--no-maglev',
  '--turbofan',
  '--no-turbofan',
  '--no-use-osr',
  '--no-concurrent-recompilation',
  '--no-lazy-feedback-allocation',
  '--no-flush-bytecode',
  '--no-parallel-scavenge',
  '--no-concurrent-marking',
  '--no-incremental-marking',
  '--expose-gc',
]);
const NUMBERS = new Set([
  '--max-semi-space-size',
  '--min-semi-space-size',
  '--semi-space-growth-factor',
  '--max-old-space-size',
  '--initial-old-space-size',
  '--max-heap-size',
  '--random-seed',
  '--hash-seed',
]);
const MAX_FLAGS = 32;

/**
 * Refuses every flag for Node that is not known to be harmless.
 *
 * @param {string[]} flags of a report
 * @throws {import('../../lib/errors.js').FormatError} naming the first one that is not
 */
export function checkNodeFlags(flags) {
  if (flags.length > MAX_FLAGS) refuse(`it gives ${flags.length} flags to Node`);
  const foreign = flags.find((flag) => !isHarmless(flag));
  if (foreign === undefined) return;
  refuse(
    `it gives Node the flag ${quoteText(foreign)}, which is not one that a replay passes on`,
    'if you trust it, compare by hand: just compare BASELINE CANDIDATE --node-flag=FLAG',
  );
}

/** @param {string} flag */
function isHarmless(flag) {
  const [, name = '', value] = /^(--[a-z_-]+)(?:=(\d{1,9}))?$/.exec(flag) ?? [];
  // V8 reads both spellings.
  const spelled = name.replaceAll('_', '-').replace(/^-+/, '--');
  return (value === undefined ? WORDS : NUMBERS).has(spelled);
}
