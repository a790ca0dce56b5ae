import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { listEquipment } from './equipment.js';
import { finishMeasured } from './finish-measured.js';
import { digestFrames, encodeFrames } from './frames.js';
import { mayReturnPromise, measureOperation, requireDone } from './measure-operation.js';
import { watchUsage } from './measure-usage.js';

/** @import { AwaitedLoop } from './measure-awaited.js' */
/** @import { LoadedCases } from './bench/load.js' */
/** @import { UsageError } from '../lib/errors.js' */
/** @import { ConformanceJob, ExerciseJob, FuzzJob, Job, ListJob, LoadJob, MeasureJob, Measurement, MemoryJob, Operation, OutputJob } from '../formats/types.ts' */

/**
 * Does a job, in any process that has loaded this module.
 * @type {(received: Job) => Promise<object>} what its report has besides the fields of all reports
 */
export async function runJob(received) {
  if (received.kind === 'measure') return measure(received);
  if (received.kind === 'output') return produceOutput(received);
  if (received.kind === 'exercise') return exercise(received);
  if (received.kind === 'fuzz') return fuzz(received);
  if (received.kind === 'load') return load(received);
  if (received.kind === 'list') return list(received);
  if (received.kind === 'conformance') return checkConformance(received);
  return measureMemory(received);
}

/** @param {MeasureJob} measureJob */
async function measure({ settings, corpus, cold, ...rest }) {
  if (cold !== undefined) {
    // Loaded on demand, so that other timed processes do not contain it.
    const { measureCold } = await import('./measure-cold.js');
    return measureCold({ ...rest, corpus, cold }, { loadVariant, loadOperation });
  }
  const operation = await loadOperation({ ...rest, corpus });
  const equipment = listEquipment(rest);
  // Before the variant is loaded, which could replace what they use.
  const awaited = operation.isAsync === true ? await import('./measure-awaited.js') : null;
  const usage = operation.measure === undefined ? watchUsage() : undefined;
  const state = await operation.prepare(await loadVariant(rest), corpus, equipment);
  const { documentCount: documents } = corpus;
  const { concurrency = 1 } = rest;
  const measurement =
    usage === undefined
      ? await operation.measure?.(state, { settings, packages: equipment.packages })
      : await (awaited === null
          ? measureOperation(operation, state, documents, settings, usage)
          : awaited.measureAwaited(/** @type {AwaitedLoop} */ (operation), state, settings, {
              documents,
              concurrency,
              usage,
            }));
  return finishMeasured(operation, state, /** @type {Measurement} */ (measurement));
}

/** @param {OutputJob} outputJob */
async function produceOutput({ corpus, outputPath, checksRuntime = false, ...rest }) {
  if (checksRuntime) {
    // Loaded on demand, so that other processes do not contain it.
    const { findRuntimeFault } = await import('./check-runtime.js');
    const runtimeFault = findRuntimeFault();
    if (runtimeFault !== null) return { outputDigest: null, runtimeFault };
  }
  const operation = await loadOperation({ ...rest, corpus });
  const flags = await watchFlags();
  const module = await loadVariant(rest);
  let frames;
  let messages;
  try {
    const state = await operation.prepare(module, corpus, listEquipment(rest));
    const output = operation.output(state);
    if (!mayReturnPromise(operation)) {
      requireDone(operation.run(state, 0), 'run of the operation');
      requireDone(output, 'output of the operation');
    }
    frames = await output;
    for (const frame of frames) requireDone(frame, 'the variant');
    messages = await operation.messages?.(state);
    if (flags.length > 0) {
      throw new Error(
        `the variant changes the flags of V8 (${flags.join(' ')}); --node-flag sets them for all arms`,
      );
    }
  } catch (error) {
    const { message, remedy } = /** @type {Partial<UsageError>} */ (
      explainMissing(error, module, rest.variant.spec) ?? error ?? {}
    );
    const thrown = remedy === undefined ? String(error) : String(message);
    return { outputDigest: null, thrown, ...(remedy === undefined ? {} : { remedy }) };
  }
  writeFileSync(outputPath, encodeFrames(frames));
  const outputDigest = digestFrames(frames);
  if (messages === undefined) return { outputDigest };
  const { measureSizes } = await import('./measure-sizes.js');
  return { outputDigest, sizes: measureSizes(messages) };
}

/** @returns {Promise<string[]>} the flags of V8 that are set from now on */
async function watchFlags() {
  const { default: v8 } = await import('node:v8');
  const { syncBuiltinESMExports } = await import('node:module');
  const { setFlagsFromString } = v8;
  /** @type {string[]} */
  const flags = [];
  v8.setFlagsFromString = (text) => {
    flags.push(text);
    setFlagsFromString(text);
  };
  syncBuiltinESMExports();
  return flags;
}

/** @param {ConformanceJob} conformanceJob */
async function checkConformance(conformanceJob) {
  const url = pathToFileURL(`${conformanceJob.familyPath}/conformance.js`);
  const { runConformance } = await import(url.href);
  const { parts, variant } = conformanceJob;
  const { spec, modulePath } = variant;
  return runConformance(await loadVariant(conformanceJob), { spec, modulePath, parts });
}

/** @param {LoadJob} loadJob */
async function load(loadJob) {
  await loadVariant(loadJob);
  // All of its files are noted, those that only some operations import, too.
  for (const path of Object.values(loadJob.variant.modules ?? {})) {
    await import(pathToFileURL(path).href);
  }
  return {};
}

/** @param {ListJob} listJob */
async function list(listJob) {
  const { listCases } = await import('./bench/list-cases.js');
  return listCases(/** @type {LoadedCases} */ (await loadVariant(listJob)));
}

/** @param {FuzzJob} fuzzJob */
async function fuzz(fuzzJob) {
  const { runFuzz } = await import(pathToFileURL(`${fuzzJob.familyPath}/fuzz.js`).href);
  const { reference: variant, ...job } = fuzzJob;
  const reference = variant && (await loadVariant({ ...job, variant }));
  return { result: await runFuzz(await loadVariant(job), { ...job, reference }) };
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
  const module = openDefault(await import(pathToFileURL(modulePath).href));
  if (Object.keys(settings).length === 0 && buildPath === undefined) return module;
  const { composeVariant } = await import(pathToFileURL(`${patchedPath}/compose.js`).href);
  return composeVariant(module, settings, { buildPath });
}

/** What Node adds to the names that a CommonJS module exports. */
const ADDED = ['default', 'module.exports', '__esModule'];

/**
 * Where `default` is all that a module exports, as of `module.exports = codec`, what that has is as if it were exported by
 * name.
 * @type {(module: Record<string, any>) => object}
 */
function openDefault(module) {
  const { default: whole } = module;
  if (Object(whole) !== whole || Object.keys(module).some((name) => !ADDED.includes(name))) {
    return module;
  }
  return Object.create(whole, { default: { value: whole, enumerable: true } });
}

/**
 * @param {unknown} error
 * @param {object} module
 * @param {string} spec
 * @returns {{ message: string, remedy: string } | null} null unless the module lacks a function that was called
 */
function explainMissing(error, module, spec) {
  const called = error instanceof TypeError && /(\w+) is not a function$/.exec(error.message);
  if (!called || called[1] in module) return null;
  // Some versions of Node list this name too.
  const own = Object.keys(module).filter((name) => name !== 'module.exports');
  const names = own.join(', ') || 'nothing';
  return {
    message: `${spec} exports no '${called[1]}'; it exports ${names}`,
    remedy:
      'name another module, or write a variant that imports this one and exports what the operations call',
  };
}

/** @type {(job: Pick<MeasureJob, 'familyPath' | 'operation' | 'corpus' | 'concurrency'>) => Promise<Operation>} */
async function loadOperation({ familyPath, operation: name, corpus, concurrency = 1 }) {
  const { operation } = await import(pathToFileURL(`${familyPath}/operations/${name}.js`).href);
  // A variant cannot replace what measures it.
  if (operation.isAsync !== true) return Object.freeze(operation);
  // Loaded on demand, so that timed processes of other operations do not contain it.
  const { awaitCalls } = await import('./measure-awaited.js');
  return Object.freeze(awaitCalls(operation, { documents: corpus.documentCount, concurrency }));
}
