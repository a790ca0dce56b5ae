/**
 * Starts a worker that never exits and ignores SIGTERM, with a child in its process group and, on Linux,
 * another outside. Writes the IDs of the worker and of the last child to the file that its argument
 * names.
 */
import { runWorker } from '../../run/process.js';

/** A worker receives its job when it is guarded, and does nothing before. */
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
