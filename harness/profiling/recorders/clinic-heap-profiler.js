import { join } from 'node:path';
import { locateProfile } from '../sources/locate-profile.js';
import { probeClinic, runClinic, storePage } from './support/tools.js';
import { DEFAULT_WORK, useDirectory } from './support/recording.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */

/** @type {Recorder} */
export const recorder = {
  name: 'clinic-heap-profiler',
  summary: 'flame graph of allocations, including collected objects, drawn by Clinic',
  processes: 0,
  scope: 'node',
  needs: ['node-flags'],
  unfitForSandbox: 'its tool starts the worker itself',
  probe: probeClinic,
  record(context) {
    return useDirectory((directory) => drawAllocations(context, directory));
  },
};

/**
 * Has Clinic draw a profile recorded by Assay. Clinic's own profile leaves out collected objects, and
 * those are all that a serializer allocates.
 *
 * @param {RecordContext} context
 * @param {string} directory for temporary files
 */
async function drawAllocations({ exercise, artefactBase, sources, ...context }, directory) {
  const profilePath = join(directory, 'run.clinic-heapprofiler');
  const done = await exercise({
    work: DEFAULT_WORK,
    observer: 'allocation-sites',
    observedPath: profilePath,
  });
  await locateProfile(profilePath, sources);
  const settings = ['--open=false', `--visualize-only=${profilePath}`];
  await runClinic(['heapprofiler', ...settings], context, directory);
  const path = `${artefactBase}.clinic-heap-profiler.html`;
  await storePage(`${profilePath}.html`, path);
  return { exercise: done, artefacts: [path] };
}
