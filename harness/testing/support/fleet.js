import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pairs, range } from 'd3-array';
import { findTool } from '../../host/tools.js';
import { readRun } from '../../run/store.js';
import { planJobs } from '../../stats/plan.js';
import { readObservations } from './comparisons.js';

/** @import { ChildProcess, SpawnOptions } from 'node:child_process' */
/** @import { Comparison, Ended } from './comparisons.js' */

/** Path of nats-server; null where there is none. */
export const NATS_SERVER = findTool('nats-server', process.env);

/** Such a comparison is not settled before its last look. */
export const LONG = ['--processes', '128', '--mei', '0.01'];
/** Its jobs before each look. */
const LONG_LOOKS = [16, 32, 64, 128, 256];
/** Four of each variant. */
export const JOBS_PER_BLOCK = 8;
/** Its blocks, by look. */
export const LONG_BLOCKS = pairs([0, ...LONG_LOOKS].map((jobs) => jobs / JOBS_PER_BLOCK));
/** Far more than a slow machine needs, and less than the limit of a test, whose message does not say what is awaited. */
const MAX_WAIT_MS = 600_000;

/**
 * @returns {Promise<string>} a port of 127.0.0.1 that was free, and that no connection gets by itself: Linux gives them
 *   those from 32768
 */
export async function findPort() {
  for (;;) {
    const port = 20_000 + Math.floor(10_000 * Math.random());
    const probe = createServer();
    const isFree = await new Promise((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return String(port);
  }
}

/**
 * @param {number[][]} blocks `[from, to]` of some of a comparison
 * @param {string} path of a file, which is there while the host waits; its removal lets the host go on
 * @returns {string} a part of `SCRIPTED_HOLD` with which a host waits in the middle of its first block of those
 */
export function holdIn(blocks, path) {
  const numbers = blocks.flatMap(([from, to]) => range(from, to));
  const names = numbers.map((block) => String(block).padStart(3, '0'));
  return `/(${names.join('|')})/${JOBS_PER_BLOCK / 2}/ ${path}`;
}

/**
 * Starts a broker, and waits until it is ready.
 *
 * @param {string[]} args
 * @param {SpawnOptions & { wrapper?: string[] }} [options] `wrapper`: words before the command
 * @returns {Promise<ChildProcess>}
 */
export async function startServer(args, { wrapper = [], ...options } = {}) {
  const [program, ...words] = [...wrapper, /** @type {string} */ (NATS_SERVER), ...args];
  const server = spawn(program, words, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  // Read to its end: a server whose log has no reader is killed by its next line.
  let log = '';
  await new Promise((resolve, reject) => {
    server.stderr?.on('data', (text) => {
      log += text;
      if (log.includes('Server is ready')) resolve(undefined);
    });
    server.once('exit', () => reject(new Error(`nats-server did not start:\n${log}`)));
  });
  return server;
}

/** @param {ChildProcess} child */
export async function kill(child) {
  if ((child.exitCode ?? child.signalCode) !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Waits until a comparison has so many observations.
 *
 * @param {Comparison} comparison
 * @param {number} count
 * @param {Promise<Ended>} ended of the comparison
 */
export async function waitForObservations(comparison, count, ended) {
  const hasSome = () => listObservations(comparison).length >= count;
  await waitUntil(`${count} observations`, hasSome, ended);
}

/**
 * Waits for a condition, but not for one that a process which has ended cannot bring about any more.
 *
 * @param {string} what the condition is, for the message
 * @param {() => boolean} holds
 * @param {Promise<Ended>} ended
 */
export async function waitUntil(what, holds, ended) {
  let last = '';
  void ended.then(({ stderr }) => (last = `it has ended: ${stderr}`));
  const endMs = Date.now() + MAX_WAIT_MS;
  while (!holds()) {
    if (Date.now() > endMs) last ||= 'it takes too long';
    if (last !== '') throw new Error(`waited for ${what}: ${last}`);
    await delay(50);
  }
}

/** @param {Comparison} comparison  @returns {ReturnType<typeof readObservations>} none if there is no journal yet */
export function listObservations(comparison) {
  try {
    return readObservations(comparison.findRun());
  } catch {
    return [];
  }
}

/**
 * Every job has one observation, and it is done.
 *
 * @param {Comparison} comparison
 */
export function expectEachOnce(comparison) {
  const observations = readObservations(comparison.findRun());
  const ids = observations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(observations.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  const verdict = JSON.parse(readFileSync(join(comparison.findRun(), 'verdict.json'), 'utf8'));
  expect(verdict.ended).toBe('complete');
  return observations;
}

/**
 * Every job of a `LONG` comparison has one observation.
 *
 * @param {Comparison} comparison
 */
export async function expectAllOfLong(comparison) {
  const { question } = (await readRun(comparison.findRun())).manifest;
  const planned = planJobs(question, question.cells, { from: 0, to: 128 });
  const measured = expectEachOnce(comparison);
  expect(new Set(measured.map(({ id }) => id))).toEqual(new Set(planned.map(({ id }) => id)));
  return measured;
}
