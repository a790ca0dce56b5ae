import { readFileSync } from 'node:fs';
import { analyzeRun, restoreSessionTotals } from '../../../run/verdict.js';
import { planLayouts } from '../../../stats/placement.js';
import { listRenderers, renderRun } from '../../../cli/publish.js';
import { readRun } from '../../../run/store.js';
import { makeWhole } from '../../../studies/shards/test-support/make-shards.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';

/** @import { LayoutObservation, ObservationDone, ProfileObservation } from '../../../formats/types.ts' */
/** @import { FileFormat } from './types.ts' */

const PROFILES_URL = new URL('../../../profiling/profiles/fixtures/', import.meta.url);
/** Enough for every part of a report, and few enough that a thousand reports take a minute. */
const MOST_OBSERVATIONS = 60;
const ARTEFACTS = {
  'cpu-profile': 'linked-list-flat.cpuprofile',
  'allocation-sites': 'generator-flat.heapprofile',
};
const IO = {
  stdout: { write: () => true, isTTY: true, columns: 100 },
  environment: {},
  workingPath: '/',
};

const run = makeWhole({ memory: 'too', explain: 'all' });
const [cell] = run.manifest.question.cells;
const observations = run.observations
  .filter(({ cellId }) => cellId === cell.id)
  .slice(0, MOST_OBSERVATIONS);
const deopts = Buffer.from(JSON.stringify({ functions: [makeFunctionLog()] }));

/** @type {Record<string, Buffer>} by path within the directory of the run */
const FILES = {
  'manifest.json': toJson({
    ...run.manifest,
    question: { ...run.manifest.question, cells: [cell] },
  }),
  'verdict.json': toJson(run.verdict),
  'observations.ndjson': toLines(observations),
  'memory.ndjson': toLines(run.memoryObservations.slice(0, MOST_OBSERVATIONS)),
  'profiles.ndjson': toLines(makeProfileObservations()),
  'layouts.ndjson': toLines(makeLayoutObservations()),
  'artefacts/deopts.deopts.json': deopts,
};
for (const [recorder, name] of Object.entries(ARTEFACTS)) {
  FILES[`artefacts/${recorder}/${name}`] = readFileSync(new URL(name, PROFILES_URL));
}

/** @type {FileFormat[]} every file of a run, read and drawn in every format */
export const formats = Object.entries(FILES).map(([fileName, bytes]) => ({
  name: `${fileName} of a run`,
  fileName,
  samples: [bytes],
  neighbours: FILES,
  isSlow: true,
  // What does not fit together is named by observation and run.
  isNamedByCaller: true,
  read: drawRun,
}));

/**
 * As `just report RUN` does, for every renderer there is.
 *
 * @param {string} path
 */
async function drawRun(path) {
  const stored = await readRun(path);
  const judged = await analyzeRun(stored, restoreSessionTotals(stored));
  const io = /** @type {any} */ (IO);
  for (const renderer of await listRenderers())
    await renderRun(renderer, { ...stored, ...judged }, io);
}

/** @returns {LayoutObservation[]} of two layouts a side, the last of which failed */
function makeLayoutObservations() {
  const { measurement, outputDigest } = /** @type {ObservationDone} */ (
    observations.find(({ outcome }) => outcome === 'done')
  );
  const planned = planLayouts(run.manifest.question, cell.id, 1);
  return planned.map((job, index) => {
    const common = { formatVersion: FORMAT_VERSION, ...job, startedAtMs: index, workerMs: 100 };
    if (index < planned.length - 1) {
      return { ...common, outcome: 'done', outputDigest, measurement };
    }
    const failure = { reason: /** @type {const} */ ('signal'), detail: 'ended', lastLines: ['x'] };
    return { ...common, outcome: 'failed', failure };
  });
}

/** @returns {ProfileObservation[]} */
function makeProfileObservations() {
  const window = { startMs: 0, endMs: 100 };
  const exercise = { documents: 10, wallMs: 100, window, collections: {} };
  const arms = /** @type {const} */ (['baseline', 'candidate']);
  return Object.entries({ ...ARTEFACTS, deopts: null }).flatMap(([recorder, name]) =>
    arms.map((arm) => ({
      formatVersion: FORMAT_VERSION,
      id: `${recorder}/${cell.id}/0/${arm}`,
      recorder,
      cellId: cell.id,
      arm,
      process: 0,
      startedAtMs: 5000,
      workerMs: 100,
      outcome: 'done',
      exercise,
      artefacts: [name === null ? 'artefacts/deopts.deopts.json' : `artefacts/${recorder}/${name}`],
    })),
  );
}

function makeFunctionLog() {
  const place = { file: 'experiments/js-bson/codec/numbers.js', line: 3, column: 4 };
  return {
    name: 'writeNumber',
    ...place,
    tier: 'optimized',
    deopts: [{ kind: 'eager', reason: 'wrong map', ...place, count: 2, late: 1 }],
    sites: [{ cache: 'LoadIC', state: 'megamorphic', key: 'a', line: 3, column: 4, classes: 5 }],
  };
}

/** @param {unknown} value */
function toJson(value) {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** @param {unknown[]} values */
function toLines(values) {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}
