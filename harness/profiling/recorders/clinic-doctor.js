import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';
import { linkNode, probeClinic, requireNode, runClinic } from './support/tools.js';
import { findReason } from '../../host/tools.js';
import { sealPage } from './support/pages.js';
import { useDirectory, writeJob } from './support/recording.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */

/** Doctor wants some hundred samples, and gets one whenever the event loop turns. */
const WORK = { warmUpMs: 250, recordMs: 3_000 };
const END_BY_ITSELF = new URL('support/end-by-itself.js', import.meta.url).href;

/**
 * What clinic's doctor draws. It takes the work for a server that keeps its event loop busy, and
 * advises against that, whatever the variant.
 *
 * @type {Recorder}
 */
export const recorder = {
  name: 'clinic-doctor',
  summary: "CPU, memory and event loop over time, by clinic; pass over its event loop's advice",
  processes: 0,
  scope: 'node',
  unfitForSandbox: 'its tool starts the worker itself',
  probe: probeClinic,
  record(context) {
    return useDirectory((directory) => examine(context, directory));
  },
};

/**
 * @param {RecordContext} context
 * @param {string} directory for what is not kept
 */
async function examine({ job, artefactBase, ...context }, directory) {
  const node = requireNode(context);
  const jobPath = join(directory, 'job.json');
  await writeJob(jobPath, job, WORK);
  const executable = await linkNode(node.executable, directory);
  const program = [executable, ...node.flags, '--import', END_BY_ITSELF, node.workerPath, jobPath];
  const settings = ['--open=false', `--dest=${directory}`, '--name=run'];
  const said = await runClinic(['doctor', ...settings, '--', ...program], context, directory);
  // It draws what there is and ends with status 0 when the program under it has failed.
  if (said.includes('process exited with exit code')) {
    throw new MachineError(`the worker under clinic doctor failed: ${findReason(said)}`);
  }
  const path = `${artefactBase}.clinic-doctor.html`;
  const page = await readFile(join(directory, 'run.clinic-doctor.html'), 'utf8');
  await writeFile(path, sealPage(page));
  return { exercise: null, artefacts: [path] };
}
