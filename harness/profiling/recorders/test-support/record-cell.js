import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCorpus } from '../../../../corpora/support/prepare.js';
import { makeManifest } from '../../../../reports/fixtures/build.js';
import { PROJECT } from '../../../lib/project.js';
import { execute } from '../../../run/execute.js';
import { openLocalExecutor } from '../../../run/executors/local.js';
import { openJobRunner } from '../../../run/jobs.js';
import { openProfilePass } from '../../../run/passes/profiles.js';

/** @import { ExerciseJob, PlannedProfileJob, ProfileObservation, ProfileObservationDone, Question, Recorder } from '../../../formats/types.ts' */

/**
 * A recorded job; `path` is the directory of the run with the artefacts.
 *
 * @typedef {{ path: string, observation: ProfileObservationDone, remove(): void }} RecordedCell
 */

/**
 * Records a built-in variant of js-bson in a real worker.
 *
 * @param {Recorder} recorder
 * @param {{ variant: string, operation: string, corpus: string }} cell
 * @param {string} [toolsPath] directory of installed tools
 * @returns {Promise<RecordedCell>}
 * @throws {Error} when the job fails
 */
export async function recordCell(recorder, { variant, operation, corpus }, toolsPath) {
  const familyPath = join(PROJECT.experimentsPath, 'js-bson');
  return recordJob(recorder, {
    family: 'js-bson',
    familyPath,
    variant: {
      spec: variant,
      modulePath: join(familyPath, 'variants', `${variant}.js`),
      settings: {},
    },
    operation,
    corpus: await prepareCorpus(corpus, { directory: PROJECT.corporaPath }),
    toolsPath,
  });
}

/**
 * Records a job in a real worker.
 *
 * @param {Recorder} recorder
 * @param {Pick<ExerciseJob, 'family' | 'familyPath' | 'variant' | 'operation' | 'corpus'> & { toolsPath?: string | undefined }} job
 * @returns {Promise<RecordedCell>}
 * @throws {Error} when the job fails
 */
export async function recordJob(recorder, job) {
  const { family, familyPath, variant, operation, corpus, toolsPath } = job;
  const path = mkdtempSync(join(tmpdir(), `assay-${recorder.name}-`));
  const remove = () => rmSync(path, { recursive: true });
  const resolved = { ...makeManifest().variants.baseline, ...variant };
  const cell = { id: `${operation} ${corpus.label}`, operation, corpus: corpus.label };
  const { name } = recorder;
  /** @type {ProfileObservation[]} */
  const observations = [];
  const signal = new AbortController().signal;
  const host = { environment: process.env, toolsPath: toolsPath ?? path };
  const asked = { family, cells: [cell], nodeFlags: [] };
  const measured = { ...makeManifest(), corpora: [corpus], runtimes: [] };
  const setting = {
    manifest: {
      ...measured,
      question: /** @type {Question} */ (/** @type {unknown} */ (asked)),
      settings: { ...measured.settings, warmUpMs: 0 },
      variants: { baseline: resolved, candidates: [resolved], reference: resolved },
    },
    ...{ path, familyPath, recorders: [recorder], host, signal },
  };
  const planned = { id: name, recorder: name, cellId: cell.id, arm: 'candidate', process: 0 };
  await execute(openProfilePass([/** @type {PlannedProfileJob} */ (planned)], setting), {
    executor: openLocalExecutor(openJobRunner([], { environment: process.env, signal })),
    observations,
    signal,
  });
  const [observation] = observations;
  if (observation?.outcome === 'done') return { path, observation, remove };
  remove();
  throw new Error(observation?.detail ?? 'nothing was recorded');
}
