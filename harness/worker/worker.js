/**
 * The JavaScript worker: one process, one job. Reads a job (JSON) from standard input, writes one
 * report (JSON) to standard output, logs to standard error and exits. Programs in other languages
 * implement the same protocol (`harness/formats/protocol.ts`).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { endEquipment, listEquipment } from './equipment.js';
import { digestFrames, encodeFrames } from './frames.js';
import { measureOperation } from './measure-operation.js';
import { isMemoryJob } from '../formats/memory-kinds.js';

/** @import { ConformanceJob, ExerciseJob, FuzzJob, Job, MeasureJob, MemoryJob, Operation, OutputJob } from '../formats/types.ts' */

const STDIN = 0;
/** The runtime: others than Node state the version of Node that they imitate, too. */
const name = ['bun', 'deno'].find((other) => other in process.versions) ?? 'node';

const writeOutput = process.stdout.write.bind(process.stdout);
// Output of variants goes to the log; standard output is for the report alone.
process.stdout.write = process.stderr.write.bind(process.stderr);

const job = readJob();
const report = {
  formatVersion: FORMAT_VERSION,
  jobId: job.id,
  kind: job.kind,
  runtime: { name, version: String(process.versions[name]), flags: process.execArgv },
  ...(await runJob(job)),
};
await endEquipment();
await writeReport(JSON.stringify(report));
process.exit(0);

/** @returns {Job} from the file in the arguments, for tools that do not pass standard input on */
function readJob() {
  const received = JSON.parse(readFileSync(process.argv[2] ?? STDIN, 'utf8'));
  if (received.formatVersion !== FORMAT_VERSION) {
    throw new Error(
      `job has format ${received.formatVersion}, this worker reads format ${FORMAT_VERSION}`,
    );
  }
  const own = `${name}@${process.versions[name]}`;
  if (received.runtime !== undefined && received.runtime !== own) {
    throw new Error(`job is for ${received.runtime}, this worker runs under ${own}`);
  }
  return received;
}

/**
 * Uses the stream, since a long report exceeds the buffer of a pipe and `writeSync` would truncate it.
 * @type {(text: string) => Promise<void>}
 */
function writeReport(text) {
  return new Promise((resolve, reject) => {
    writeOutput(text, (error) => (error == null ? resolve() : reject(error)));
  });
}

/** @param {Job} received */
function runJob(received) {
  if (received.kind === 'measure') return measure(received);
  if (received.kind === 'output') return produceOutput(received);
  if (isMemoryJob(received)) return measureMemory(received);
  if (received.kind === 'exercise') return exercise(received);
  if (received.kind === 'fuzz') return fuzz(received);
  return checkConformance(received);
}

/** @param {MeasureJob} measureJob */
async function measure({ settings, corpus, cold, ...rest }) {
  if (cold !== undefined) {
    // Loaded on demand, so that other timed processes do not contain it.
    const { measureCold } = await import('./measure-cold.js');
    return measureCold({ ...rest, corpus, cold }, { loadVariant, loadOperation });
  }
  const operation = await loadOperation(rest);
  const equipment = listEquipment(rest);
  const state = await operation.prepare(await loadVariant(rest), corpus, equipment);
  const measurement =
    operation.measure === undefined
      ? await measureOperation(operation, state, corpus.documentCount, settings)
      : await operation.measure(state, { settings, packages: equipment.packages });
  // Hashed after the last batch: this checks the output of the optimised code, without affecting the
  // type feedback of the timed code.
  return { outputDigest: digestFrames(await operation.output(state)), measurement };
}

/** @param {OutputJob} outputJob */
async function produceOutput({ corpus, outputPath, ...rest }) {
  const { cachedDataVersionTag } = await import('node:v8');
  const operation = await loadOperation(rest);
  const tagBefore = cachedDataVersionTag();
  const module = await loadVariant(rest);
  let frames;
  let messages;
  try {
    const state = await operation.prepare(module, corpus, listEquipment(rest));
    frames = await operation.output(state);
    messages = operation.messages?.(state);
    if (cachedDataVersionTag() !== tagBefore) {
      throw new Error('the variant changes the flags of V8; --node-flag sets them for all arms');
    }
  } catch (error) {
    return { outputDigest: null, thrown: String(error) };
  }
  writeFileSync(outputPath, encodeFrames(frames));
  const outputDigest = digestFrames(frames);
  if (messages === undefined) return { outputDigest };
  const { measureSizes } = await import('./measure-sizes.js');
  return { outputDigest, sizes: measureSizes(messages) };
}

/** @param {ConformanceJob} conformanceJob */
async function checkConformance(conformanceJob) {
  const url = pathToFileURL(`${conformanceJob.familyPath}/conformance.js`);
  const { runConformance } = await import(url.href);
  const { parts, variant } = conformanceJob;
  const { spec, modulePath } = variant;
  return runConformance(await loadVariant(conformanceJob), { spec, modulePath, parts });
}

/** @param {FuzzJob} fuzzJob */
async function fuzz(fuzzJob) {
  const { runFuzz } = await import(pathToFileURL(`${fuzzJob.familyPath}/fuzz.js`).href);
  return { result: await runFuzz(await loadVariant(fuzzJob), fuzzJob) };
}

/** @param {MemoryJob} memoryJob */
async function measureMemory(memoryJob) {
  // Loaded on demand, so that timed processes do not contain it.
  const { recordMemory } = await import('./memory/record-memory.js');
  return recordMemory(memoryJob, { loadVariant, loadOperation });
}

/** @param {ExerciseJob} exerciseJob */
async function exercise(exerciseJob) {
  const { exerciseOperation } = await import('./exercise-operation.js');
  const operation = await loadOperation(exerciseJob);
  const module = await loadVariant(exerciseJob);
  const equipment = listEquipment(exerciseJob);
  const state = await operation.prepare(module, exerciseJob.corpus, equipment);
  return { exercise: await exerciseOperation(operation, state, exerciseJob) };
}

/** @type {(job: Pick<Job, 'variant' | 'familyPath'>) => Promise<object>} */
async function loadVariant({ variant, familyPath }) {
  const { modulePath, patchedPath = familyPath, settings, buildPath } = variant;
  const module = await import(pathToFileURL(modulePath).href);
  if (Object.keys(settings).length === 0 && buildPath === undefined) return module;
  const { composeVariant } = await import(pathToFileURL(`${patchedPath}/compose.js`).href);
  return composeVariant(module, settings, { buildPath });
}

/** @type {(job: Pick<MeasureJob, 'familyPath' | 'operation'>) => Promise<Operation>} */
async function loadOperation({ familyPath, operation: name }) {
  const { operation } = await import(pathToFileURL(`${familyPath}/operations/${name}.js`).href);
  return operation;
}
