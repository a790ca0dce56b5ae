/**
 * Damages files of every format that Assay reads, and reads them, until the time is up:
 * `node scripts/fuzz-formats.js --for 5m --seed 1`. Prints a line for each format, and for a failure the least damage that
 * causes it, with the seed and the path that repeat it: `--format 'v8.log of V8' --seed SEED --path PATH`. The exit status
 * is 1 after a failure. The samples and their readers are in `harness/testing/formats/files.js`.
 */
import { inspect, parseArgs } from 'node:util';
import fc from 'fast-check';
import { duration } from '../harness/cli/options.js';
import { FILE_FORMATS, withstandsDamage } from '../harness/testing/formats/fuzz.js';

const { values } = parseArgs({
  options: {
    for: { type: 'string', default: '5m' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
    format: { type: 'string' },
  },
});
const chosen = FILE_FORMATS.filter(
  ({ name }) => values.format === undefined || name === values.format,
);
if (chosen.length === 0) {
  const names = FILE_FORMATS.map(({ name }) => name).join(', ');
  console.error(`no format '${values.format}'; there are ${names}`);
  process.exit(2);
}

const shareMs = (duration(values.for) * 1_000) / chosen.length;
for (const format of chosen) {
  // The name comes first, so that a reader that hangs is known.
  process.stdout.write(`${format.name}: `);
  const result = await fc.check(withstandsDamage(format), {
    seed: Number(values.seed),
    ...(values.path === undefined ? {} : { path: values.path }),
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: shareMs,
  });
  console.log(`${result.numRuns} tried`);
  if (!result.failed) continue;
  const { errorInstance, counterexamplePath, counterexample } = result;
  console.log(`FAILED with --path ${counterexamplePath}: ${errorInstance}`);
  console.log(inspect(counterexample, { depth: 4, maxStringLength: 100 }));
  process.exitCode = 1;
}
