import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FormatError } from '../../lib/errors.js';
import { fitLine } from '../../stats/means.js';
import { countPasses, useDirectory } from './support/recording.js';
import { probeProgram } from './support/tools.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */

const BASIS =
  'Instructions of the whole process, counted by valgrind, regressed on the number of passes over ' +
  'the corpus; the slope is the cost of one more document';
const OF_NODE =
  ' in optimised code, garbage collection included, on one thread and with a fixed schedule of ' +
  'collections';
const LIMIT = '. This is the amount of work, not the time that it took.';
/** Multiples of the fixed work. Compilation happens before the end of the first. */
const STEPS = [2, 3, 4];
/** One thread, fixed seeds, and a garbage-collection schedule that does not depend on the clock, which
 * is slow under valgrind. Without the last flag, counts of the same work differ by some percent. */
const NODE_FLAGS = [
  '--single-threaded',
  '--hash-seed=42',
  '--random-seed=42',
  '--predictable-gc-schedule',
];
const TIMEOUT_MS = 300_000;

/** @type {Recorder} */
export const recorder = {
  name: 'instructions',
  summary: 'instructions per document counted by valgrind: reproducible where time is too noisy',
  processes: 0,
  scope: 'process',
  needs: ['node-flags'],
  probe: (host) => probeProgram('valgrind', host),
  record(context) {
    return useDirectory((directory) => countInstructions(context, directory));
  },
};

/** @param {RecordContext} context @param {string} directory for temporary files */
async function countInstructions({ exercise, node, job, artefactBase }, directory) {
  const { corpus, variant } = job;
  const { program } = variant;

  /** @param {number} step */
  async function count(step) {
    const passes = step * countPasses(corpus);
    const countsPath = join(directory, `cachegrind.${step}`);
    await exercise({
      work: { passes },
      flags: NODE_FLAGS,
      records: 'instructions',
      wrapper: composeWrapper(countsPath),
      writes: [countsPath],
      timeoutMs: TIMEOUT_MS,
    });
    const instructions = readTotal(await readFile(countsPath, 'utf8'));
    await rm(countsPath);
    return { passes, instructions };
  }

  // Concurrently: counts do not depend on the load of the machine.
  const settled = await Promise.allSettled(STEPS.map(count));
  const counts = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  const { slope } = fitLine(
    counts.map(({ passes, instructions }) => ({ x: passes, y: instructions })),
  );
  const perDocument = slope / corpus.documentCount;
  const path = `${artefactBase}.instructions.json`;
  const record = {
    what: `${BASIS}${node === null ? '' : OF_NODE}${LIMIT}`,
    perDocument,
    counts,
    documentCount: corpus.documentCount,
    ...(node === null ? {} : { nodeFlags: NODE_FLAGS }),
    ...(program?.countingArgs === undefined ? {} : { programArgs: program.countingArgs }),
  };
  await writeFile(path, `${JSON.stringify(record, null, 2)}\n`);
  const kind = /** @type {const} */ ('instructions');
  return { exercise: null, artefacts: [path], figures: { kind, perDocument, counts } };
}

/** @param {string} countsPath @returns {string[]} command that runs the worker */
function composeWrapper(countsPath) {
  return [
    'valgrind',
    '--quiet',
    '--tool=cachegrind',
    '--cache-sim=no',
    // A JIT compiler overwrites code.
    '--smc-check=all-non-file',
    `--cachegrind-out-file=${countsPath}`,
  ];
}

/**
 * @param {string} text output file of cachegrind
 * @returns {number} instructions of the whole process
 * @throws {FormatError} when it has no total
 */
export function readTotal(text) {
  const events = /^events: (.*)$/m.exec(text)?.[1].split(' ') ?? [];
  const sums = /^summary: +(.*)$/m.exec(text)?.[1].split(' ') ?? [];
  const total = Number(sums[events.indexOf('Ir')]);
  if (Number.isSafeInteger(total) && total > 0) return total;
  throw new FormatError('the cachegrind file has no total of instructions (Ir)', {
    remedy: 'if this valgrind is newer than 3.24, report it',
  });
}
