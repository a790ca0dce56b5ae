import { closeSync, openSync, readSync } from 'node:fs';
import { nowMs } from './clock.js';
import { listEquipment } from './equipment.js';
import { finishMeasured } from './finish-measured.js';
import { reportClock, requireDone, round } from './measure-operation.js';
import { watchUsage } from './measure-usage.js';
import { makeReferenceLoop } from './reference-loop.js';

/** @import { ColdFigure, Job, MeasureJob, MeasureReport, Operation } from '../formats/types.ts' */

/** @typedef {{ wallMs: number, waitMs: number }} Span `waitMs`: of it waiting for a processor */

/**
 * Times the first calls of an operation in this process, without a warm-up. The variant is called before
 * that only as far as the operation needs it to create its documents.
 *
 * @param {Pick<MeasureJob, 'variant' | 'familyPath' | 'operation' | 'corpus' | 'packages' | 'server'> & { cold: ColdFigure }} job
 * @param {object} loaders
 * @param {(job: Pick<Job, 'variant' | 'familyPath'>) => Promise<object>} loaders.loadVariant
 * @param {(job: Pick<MeasureJob, 'familyPath' | 'operation' | 'corpus'>) => Promise<Operation>} loaders.loadOperation
 * @returns {Promise<Pick<MeasureReport, 'outputDigest' | 'faults' | 'measurement'>>}
 */
export async function measureCold({ corpus, cold, ...rest }, { loadVariant, loadOperation }) {
  const usage = watchUsage();
  const waits = openWaitReader();
  const timeReferenceLoop = makeReferenceLoop();
  collectGarbage(timeReferenceLoop);

  const beforeLoadNs = timeReferenceLoop();
  const loadWaitMs = waits.readSettledMs();
  const loadStartMs = nowMs();
  // Before the operation, which may load modules that the variant needs too.
  const module = await loadVariant(rest);
  const loadWallMs = nowMs() - loadStartMs;
  const load = { wallMs: loadWallMs, waitMs: waits.readMs() - loadWaitMs };

  const operation = await loadOperation({ ...rest, corpus });
  const state = await operation.prepare(module, corpus, listEquipment(rest));
  // Compiles the loop, which is not part of the variant, without a call.
  const compiled = operation.run(state, 0);
  if (operation.isAsync === true) await compiled;
  else requireDone(compiled, 'run of the operation');
  collectGarbage(timeReferenceLoop);

  usage.begin();
  const beforeCallsNs = timeReferenceLoop();
  const callsWaitMs = waits.readSettledMs();
  const callsStartMs = nowMs();
  const called = operation.run(state, cold.calls);
  if (operation.isAsync === true) await called;
  const callsWallMs = nowMs() - callsStartMs;
  const calls = { wallMs: callsWallMs, waitMs: waits.readMs() - callsWaitMs };
  const afterNs = timeReferenceLoop();
  operation.keepSample?.(state);
  const { used } = await usage.end();
  waits.close();

  const total = cold.withLoad ? add(load, calls) : calls;
  const beforeNs = cold.withLoad ? Math.max(beforeLoadNs, beforeCallsNs) : beforeCallsNs;
  const measurement = {
    batchNsPerDocument: [round(total.wallMs * 1e6, 6)],
    documentsPerBatch: 1,
    batchWaitMs: [round(total.waitMs, 5)],
    referenceLoopNs: [round(beforeNs, 5), round(afterNs, 5)],
    ...reportClock(),
    warmUp: { ms: 0, calls: 0, settled: true },
    ...used,
  };
  return finishMeasured(operation, state, measurement);
}

/** @type {(one: Span, other: Span) => Span} */
function add(one, other) {
  return { wallMs: one.wallMs + other.wallMs, waitMs: one.waitMs + other.waitMs };
}

/** Readings of the reference loop, some 5 ms: long enough for the threads that sweep the heap. */
const SWEEP_READINGS = 80;

/**
 * Collects what starting up has left. The collection that V8 has due then would otherwise fall into the timed
 * part of one variant and not of another, depending on a few bytes.
 *
 * @param {() => number} stayBusy so that the processor keeps its speed
 */
function collectGarbage(stayBusy) {
  globalThis.gc?.();
  for (let reading = 0; reading < SWEEP_READINGS; reading++) stayBusy();
}

/** A reading that takes longer was interrupted. */
const MAX_READING_MS = 0.05;
const MAX_READINGS = 10;

/**
 * Reads for how long the main thread has waited in the run queue so far. A first call cannot be repeated, so its
 * time would contain such waits. Only Linux reports them; elsewhere they are 0.
 *
 * @returns {{ readMs: () => number, readSettledMs: () => number, close: () => void }} `readSettledMs` reads
 *   until it is not interrupted: threads are often interrupted as they return from the kernel, with a value
 *   from before the wait
 */
function openWaitReader() {
  const file = openSchedulerStatistics();
  const buffer = Buffer.alloc(80);
  function readMs() {
    if (file === null) return 0;
    const length = readSync(file, buffer, 0, buffer.length, 0);
    const [, waitNs] = buffer.toString('latin1', 0, length).split(' ');
    return Number(waitNs) / 1e6;
  }
  function readSettledMs() {
    let waitMs = 0;
    for (let reading = 0; reading < MAX_READINGS; reading++) {
      const startMs = nowMs();
      waitMs = readMs();
      if (nowMs() - startMs < MAX_READING_MS) break;
    }
    return waitMs;
  }
  // Compiles both.
  for (let time = 0; time < 2; time++) readSettledMs();
  return {
    readMs,
    readSettledMs,
    close() {
      if (file !== null) closeSync(file);
    },
  };
}

/** @returns {number | null} file descriptor; null where there is none */
function openSchedulerStatistics() {
  try {
    return openSync('/proc/self/schedstat', 'r');
  } catch {
    return null;
  }
}
