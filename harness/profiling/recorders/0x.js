import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';
import { installTool, probePackage, requireNode, storePage } from './support/tools.js';
import { nameRecording, useDirectory, writeJob } from './support/recording.js';
import { findReason } from '../../lib/failures.js';
import { runTool } from '../../host/tools.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */

const PACKAGE = { name: '0x', version: '6.0.0', sizeMB: 34 };
/** Before this, a tenth of the ticks are V8 writing its own log. */
const DELAY_MS = 1_500;
const WORK = { warmUpMs: 1_200, recordMs: 2_000 };
const TIMEOUT_MS = 120_000;

/** @type {Recorder} */
export const recorder = {
  name: '0x',
  summary: 'flame graph drawn by 0x, with optimisation tiers and inlined functions',
  processes: 0,
  scope: 'node',
  needs: ['node-flags'],
  unfitForSandbox: 'its tool starts the worker itself',
  probe: (host) => probePackage(PACKAGE, host),
  record(context) {
    return useDirectory((directory) => drawFlamegraph(context, directory));
  },
};

/** @param {RecordContext} context @param {string} directory for temporary files */
async function drawFlamegraph({ host, job, artefactBase, signal, ...context }, directory) {
  const { executable, flags, workerPath } = requireNode(context);
  const home = await installTool(PACKAGE.name, PACKAGE.version, host, signal);
  const jobPath = join(directory, 'job.json');
  const pagePath = join(directory, 'flamegraph.html');
  await writeJob(jobPath, job, WORK);
  const settings = [
    '--quiet',
    '--output-dir',
    join(directory, 'data'),
    '--output-html',
    pagePath,
    '--collect-delay',
    String(DELAY_MS),
    `--title=${nameRecording(job)}`,
  ];
  const program = [executable, ...flags, workerPath, jobPath];
  const { stderr } = await runTool(
    process.execPath,
    [join(home, 'node_modules', '0x', 'cmd.js'), ...settings, '--', ...program],
    {
      environment: host.environment,
      timeoutMs: TIMEOUT_MS,
      // 0x expects V8's log in its working directory.
      workingPath: directory,
      signal,
      name: '0x',
    },
  );
  // 0x exits with status 0 even if the program failed, and draws what it has.
  if (stderr.includes('Target subprocess error')) {
    throw new MachineError(`the worker under 0x failed: ${findReason(stderr)}`);
  }
  const path = `${artefactBase}.0x.html`;
  await storePage(pagePath, path);
  return { exercise: null, artefacts: [path] };
}
