/**
 * A worker that measures several injected costs alternately in one process, so that differences between
 * processes cancel out. Reads a job of kind 'measure' from standard input; the arguments are the axis of costs,
 * the seed of the order and the numbers of rounds. Reports batches in the order in which they ran, see
 * `orderTurns`. For calibration only: arms in one process share what V8 learned, which would bias a comparison of
 * two codecs.
 */
import { readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { listEquipment } from '../../worker/equipment.js';
import { digestFrames } from '../../worker/frames.js';
import { sumDurations } from '../../worker/measure-operation.js';
import { watchUsage } from '../../worker/measure-usage.js';
import { WarmUp } from '../../worker/measure-warm-up.js';
import { makeReferenceLoop } from '../../worker/reference-loop.js';
import { orderTurns } from '../../stats/calibration/injected-cost.js';

const CHUNK_MS = 8;
const [STDIN, STDOUT] = [0, 1];

const job = JSON.parse(readFileSync(STDIN, 'utf8'));
const { familyPath, variant, corpus, settings } = job;
const { modulePath, patchedPath = familyPath } = variant;
const { composeVariant } = await import(pathToFileURL(`${patchedPath}/compose.js`).href);
const { operation } = await import(
  pathToFileURL(`${familyPath}/operations/${job.operation}.js`).href
);
const module = await import(pathToFileURL(modulePath).href);

const [costAxis, seed, ...numbers] = process.argv.slice(2);
const states = [];
for (const rounds of numbers) {
  const composed = await composeVariant(module, { ...variant.settings, [costAxis]: rounds });
  states.push(await operation.prepare(composed, corpus, listEquipment({})));
}
const usage = watchUsage();
const timeReferenceLoop = makeReferenceLoop();
const warmUp = new WarmUp(settings, { documents: corpus.documentCount, chunkMs: CHUNK_MS });
while (!warmUp.isDone) {
  const startMs = performance.now();
  for (const state of states) operation.run(state, warmUp.nextPasses);
  warmUp.addChunk((performance.now() - startMs) / states.length);
}

const passes = warmUp.passesIn(settings.batchMs);
const documentsPerBatch = passes * corpus.documentCount;
/** @type {{ startMs: number, endMs: number }[]} */
const batches = [];
const referenceLoopNs = [];
const turns = settings.batchCount / states.length;
const order = orderTurns({ seed: Number(seed), turns, count: states.length });
usage.begin();
for (const index of order) {
  referenceLoopNs.push(timeReferenceLoop());
  const startMs = performance.now();
  operation.run(states[index], passes);
  batches.push({ startMs, endMs: performance.now() });
}
referenceLoopNs.push(timeReferenceLoop());
const { collected, used } = await usage.end();

writeSync(
  STDOUT,
  JSON.stringify({
    formatVersion: job.formatVersion,
    jobId: job.id,
    kind: job.kind,
    runtime: { name: 'node', version: process.versions.node, flags: process.execArgv },
    outputDigest: digestFrames(await operation.output(states[0])),
    measurement: {
      batchNsPerDocument: batches.map(
        ({ startMs, endMs }) => ((endMs - startMs) * 1e6) / documentsPerBatch,
      ),
      batchGcMs: batches.map(({ startMs, endMs }) => sumDurations(collected ?? [], startMs, endMs)),
      documentsPerBatch,
      referenceLoopNs,
      warmUp: warmUp.describe(),
      ...used,
    },
  }),
);
process.exit(0);
