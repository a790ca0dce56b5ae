import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { makeManifest } from '../../../reports/support/fixtures.js';
import { PROJECT } from '../../project.js';
import { recordProfiles } from '../../record-profiles.js';

/** @import { ProfileObservationDone, Recorder } from '../../types.ts' */

/**
 * Lets a recorder look for real at a built-in variant of js-bson, in a worker of its own.
 *
 * @param {Recorder} recorder
 * @param {{ variant: string, operation: string, corpus: string }} cell
 * @param {string} [toolsPath] where tools have been installed
 * @returns {Promise<{ path: string, observation: ProfileObservationDone, remove(): void }>} `path`: of
 *   the run that the artefacts lie in
 * @throws {Error} when the job failed
 */
export async function recordCell(recorder, { variant, operation, corpus }, toolsPath) {
  const path = mkdtempSync(join(tmpdir(), `assay-${recorder.name}-`));
  const remove = () => rmSync(path, { recursive: true });
  const familyPath = join(PROJECT.experimentsPath, 'js-bson');
  const modulePath = join(familyPath, 'variants', `${variant}.js`);
  const resolved = { ...makeManifest().variants.candidate, spec: variant, modulePath };
  const cell = { id: `${operation} ${corpus}`, operation, corpus };
  const { name } = recorder;
  /** @type {import('../../types.ts').ProfileObservation[]} */
  const observations = [];
  await recordProfiles(
    [{ id: name, recorder: name, cellId: cell.id, arm: 'candidate', process: 0 }],
    {
      path,
      manifest: {
        question: { family: 'js-bson', cells: [cell], nodeFlags: [] },
        variants: { baseline: resolved, candidate: resolved },
        corpora: [await prepareCorpus(corpus, { directory: PROJECT.corporaPath })],
        runtimes: [],
      },
      familyPath,
      recorders: [recorder],
      host: { environment: process.env, toolsPath: toolsPath ?? path },
      observations,
      keep: () => {},
      onProgress: () => {},
      elapsedMs: () => 0,
      signal: new AbortController().signal,
    },
  );
  const [observation] = observations;
  if (observation?.outcome === 'done') return { path, observation, remove };
  remove();
  throw new Error(observation?.detail ?? 'nothing was recorded');
}
