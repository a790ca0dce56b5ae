/**
 * A process whose worker never ends, is deaf to SIGTERM and has a child: writes the number of the
 * worker's process group to standard output. Used by tests only.
 */
import { runWorker } from '../run-worker.js';

const SCRIPT = 'trap "" TERM; sleep 60 & echo $$ >&3; while :; do :; done';

const job = /** @type {import('../types.ts').Job} */ (/** @type {unknown} */ ({ id: 'endless' }));
const args = ['-c', `exec 3>"${process.argv[2]}"; ${SCRIPT}`];
await runWorker(job, {
  executable: '/bin/sh',
  args,
  environment: process.env,
  timeoutMs: 60_000,
});
