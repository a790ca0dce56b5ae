/**
 * A process whose worker never ends, is deaf to SIGTERM, has a child in its group and one, in Linux,
 * that left it: writes the numbers of the worker's group and of the second child's to a file. Used by
 * tests only.
 */
import { runWorker } from '../../run/run-worker.js';

/** A worker does nothing before it has its job, which it gets when it is guarded. */
const SCRIPT = [
  'read -r job; trap "" TERM; sleep 60 & stray=$$',
  'if [ -d /proc ]; then setsid sleep 60 & stray=$!; fi',
  'echo $$ $stray >&3; while :; do :; done',
].join('\n');

const job = /** @type {import('../../formats/types.ts').Job} */ (
  /** @type {unknown} */ ({ id: 'endless' })
);
const args = ['-c', `exec 3>"${process.argv[2]}"; ${SCRIPT}`];
await runWorker(job, {
  executable: '/bin/sh',
  args,
  environment: process.env,
  timeoutMs: 60_000,
});
