/**
 * Takes the host lock and holds it, writing `begin` and `end` to standard output:
 * `hold-lock.js MILLISECONDS [--loads] [--wait] [--cpus=0,1]`, or as an agent does, `[--pinned=NAME --cpus=0,1]`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { withHostLock, withProcessors } from '../../host/lock.js';

const [ms, ...options] = process.argv.slice(2);
/** @type {(option: string) => string | undefined} */
const valueOf = (option) =>
  options.find((one) => one.startsWith(`${option}=`))?.slice(option.length + 1);
const cpus = valueOf('--cpus')?.split(',').map(Number);
const host = valueOf('--pinned');
const command = 'just hold';
const { env: environment, stderr } = process;
const { signal } = new AbortController();
const io = { environment, stderr, signal };

async function hold() {
  process.stdout.write('begin\n');
  await pause(Number(ms));
  process.stdout.write('end\n');
}

if (host !== undefined && cpus !== undefined) {
  await withProcessors({ command, host, cpus }, io, hold);
} else {
  const timed = !options.includes('--loads');
  const waits = options.includes('--wait');
  await withHostLock({ command, where: '/somewhere', timed, waits, cpus }, io, hold);
}
