/**
 * Runs a command beside a defined load, for calibrations of a busy host:
 *
 *     node scripts/keep-busy.js PROCESSES DUTY EPISODE_SECONDS SEED COMMAND…
 *
 * Each process reads 16 MB of memory again and again for a while, then sleeps, in turns of random length. DUTY is the share of
 * the time in which it reads, and the turns of reading take EPISODE_SECONDS on average. Equal seeds give equal turns.
 */

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drawUniform, seedGenerator } from '../harness/stats/random.js';

const NUMBERS = 2 ** 21;

const [processes, duty, seconds, seed, ...command] = process.argv.slice(2);
if (processes === 'reader') await keepReading();
else process.exitCode = await runBeside();

/** Reads and sleeps until it is killed. */
async function keepReading() {
  const random = seedGenerator(Number(seed));
  const busyMs = Number(seconds) * 1000;
  const idleMs = (busyMs * (1 - Number(duty))) / Number(duty);
  const draw = (/** @type {number} */ meanMs) => -meanMs * Math.log(1 - drawUniform(random));
  const numbers = new Float64Array(NUMBERS).fill(1);
  let sum = 0;
  // The program that started this process may have been killed.
  while (process.ppid === Number(command[0]) && sum >= 0) {
    const untilMs = performance.now() + draw(busyMs);
    while (performance.now() < untilMs) for (const number of numbers) sum += number;
    await sleep(draw(idleMs));
  }
}

/** @returns {Promise<number>} exit status of the command */
async function runBeside() {
  const path = fileURLToPath(import.meta.url);
  const readers = Array.from({ length: Number(processes) }, (_, index) => {
    const own = ['reader', duty, seconds, Number(seed) + index, process.pid].map(String);
    return spawn(process.execPath, [path, ...own], { stdio: 'ignore' });
  });
  try {
    const [program, ...args] = command;
    const child = spawn(program, args, { stdio: 'inherit' });
    process.on('SIGINT', () => child.kill('SIGINT'));
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => resolve(status ?? 1));
    });
  } finally {
    for (const reader of readers) reader.kill('SIGKILL');
  }
}
