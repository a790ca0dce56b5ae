import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';
import { linkNode, probeClinic, requireNode, runClinic, storePage } from './support/tools.js';
import { findReason } from '../../lib/failures.js';
import { useDirectory, writeJob } from './support/recording.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */

/** Doctor needs some hundred samples and takes one per turn of the event loop. */
const WORK = { warmUpMs: 250, recordMs: 3_000 };
const END_BY_ITSELF = new URL('support/end-by-itself.js', import.meta.url).href;

/**
 * Clinic Doctor assumes a server, so it always warns of a busy event loop, whatever the variant.
 *
 * @type {Recorder}
 */
export const recorder = {
  name: 'clinic-doctor',
  summary:
    'CPU, memory and event loop over time by Clinic Doctor; ignore its advice on the event loop',
  processes: 0,
  scope: 'node',
  needs: ['node-flags'],
  unfitForSandbox: 'its tool starts the worker itself',
  probe: probeClinic,
  record(context) {
    return useDirectory((directory) => examine(context, directory));
  },
};

/** @param {RecordContext} context @param {string} directory for temporary files */
async function examine({ job, artefactBase, ...context }, directory) {
  const node = requireNode(context);
  const jobPath = join(directory, 'job.json');
  await writeJob(jobPath, job, WORK);
  const executable = await linkNode(node.executable, directory);
  const program = [executable, ...node.flags, '--import', END_BY_ITSELF, node.workerPath, jobPath];
  const settings = ['--open=false', `--dest=${directory}`, '--name=run'];
  const output = await runClinic(['doctor', ...settings, '--', ...program], context, directory);
  // Doctor exits with status 0 even if the program failed, and draws what it has.
  if (output.includes('process exited with exit code')) {
    throw new MachineError(`the worker under clinic doctor failed: ${findReason(output)}`);
  }
  const path = `${artefactBase}.clinic-doctor.html`;
  await storePage(join(directory, 'run.clinic-doctor.html'), path);
  return { exercise: null, artefacts: [path] };
}
