import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MachineError } from '../../harness/lib/errors.js';
import { startHosts } from './measure.js';
import { readMostResident, startServer } from './server.js';

const ASSAY = fileURLToPath(new URL('../../harness/assay.js', import.meta.url));
/** Of a real family, whose outputs and behaviour are checked as always. */
const VARIANTS = ['generator', 'linked-list'];
const CELLS = ['--op', 'serialize,deserialize', '--corpus', 'flat,deep,full'];
const CELL_COUNT = 6;
/** Nothing is settled before the last look: the variants are alike, and this is below what can be shown. */
const PRECISION = ['--mei', '0.001', '--seed', '1'];
const POLL_MS = 100;

/**
 * One comparison with very many small results.
 *
 * @typedef {object} RunFigures
 * @property {number} observations in the journal, each of another job
 * @property {number} hosts
 * @property {number} wallSeconds of the submitter
 * @property {number} verdictSeconds from the last result to the end of the submitter
 * @property {number} reportSeconds of rendering again
 * @property {Record<'broker' | 'submitter' | 'report', number>} residentBytes most of each
 * @property {Record<'journal' | 'page' | 'stored', number>} bytes of the largest files, and of the broker's
 */

/**
 * Has simulated hosts answer for a comparison whose broker, submitter and report are the real ones.
 *
 * @param {{ observations: number, processes: number, hosts: number }} amounts
 * @returns {Promise<RunFigures>}
 */
export async function measureRun({ observations, processes, hosts }) {
  const out = mkdtempSync(join(tmpdir(), 'assay-scale-run-'));
  const server = await startServer();
  const perVariant = Math.ceil(observations / CELL_COUNT / 2);
  const names = Array.from({ length: hosts }, (_, index) => `host-${index}`);
  const shares = Array.from({ length: processes }, (_, index) =>
    names.filter((_name, place) => place % processes === index),
  );
  const team = await startHosts(server.url, shares);
  try {
    const options = ['--processes', String(perVariant), '--fleet', server.url, '--out', out];
    const args = ['compare', ...VARIANTS, ...CELLS, ...PRECISION, ...options];
    const submitter = await watch(args);
    const run = join(out, readdirSync(out)[0]);
    const report = await watch(['report', run]);
    const count = await countJobs(join(run, 'observations.ndjson'));
    const sizeOf = (/** @type {string} */ name) => statSync(join(run, name)).size;
    return {
      observations: count,
      hosts,
      wallSeconds: (submitter.endMs - submitter.startMs) / 1000,
      verdictSeconds: (submitter.endMs - team.lastMs()) / 1000,
      reportSeconds: (report.endMs - report.startMs) / 1000,
      residentBytes: {
        broker: server.mostResident(),
        submitter: submitter.residentBytes,
        report: report.residentBytes,
      },
      bytes: {
        journal: sizeOf('observations.ndjson'),
        page: sizeOf('report.html'),
        stored: server.storedBytes(),
      },
    };
  } finally {
    team.stop();
    await server.stop();
    rmSync(out, { recursive: true });
  }
}

/**
 * @param {string[]} args of Assay
 * @returns {Promise<{ startMs: number, endMs: number, residentBytes: number }>}
 * @throws {MachineError} when it fails
 */
async function watch(args) {
  const startMs = performance.now();
  const child = spawn(process.execPath, [ASSAY, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const ended = once(child, 'close');
  let residentBytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    residentBytes = Math.max(residentBytes, readMostResident(/** @type {number} */ (child.pid)));
    await delay(POLL_MS);
  }
  const [status, signal] = await ended;
  if (status !== 0) {
    throw new MachineError(`just ${args[0]} ended with ${signal ?? status}`, {
      remedy: errors.slice(-1000),
    });
  }
  return { startMs, endMs: performance.now(), residentBytes };
}

/**
 * @param {string} file journal of observations
 * @returns {Promise<number>} jobs that are done
 * @throws {Error} when one of them is there twice
 */
async function countJobs(file) {
  const { createInterface } = await import('node:readline');
  const jobs = new Set();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { id, outcome } = JSON.parse(line);
    if (outcome !== 'done' || jobs.has(id)) throw new Error(`${id} counts twice, or failed`);
    jobs.add(id);
  }
  return jobs.size;
}
