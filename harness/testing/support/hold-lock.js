/**
 * Takes the host lock and holds it, writing `begin` and `end` to standard output:
 * `hold-lock.js MILLISECONDS [--wait]`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { withHostLock } from '../../host/lock.js';

const [ms, ...options] = process.argv.slice(2);
const { env: environment, stderr } = process;
const { signal } = new AbortController();
const waits = options.includes('--wait');
const request = { command: 'just hold', where: '/somewhere', waits };
await withHostLock(request, { environment, stderr, signal }, async () => {
  process.stdout.write('begin\n');
  await pause(Number(ms));
  process.stdout.write('end\n');
});
