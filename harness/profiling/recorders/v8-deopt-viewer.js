import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../../lib/project.js';
import { normalizeLog } from '../v8-log/normalize-log.js';
import { inlinePage, installTool, probePackage, sealPage } from './support/tools.js';
import { nameRecording, recordLog, useDirectory } from './support/recording.js';
import { runTool } from '../../host/tools.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */

const NAME = 'v8-deopt-viewer';
const VERSION = '0.2.1';
const PROGRAM = join('node_modules', NAME, 'bin', `${NAME}.js`);
const SIZE_MB = 14;
const TIMEOUT_MS = 60_000;

/** @type {Recorder} */
export const recorder = {
  name: NAME,
  summary: 'page of source lines with their deoptimisations and inline caches',
  processes: 0,
  scope: 'node',
  needs: ['v8-log'],
  probe: (host) => probePackage({ name: NAME, version: VERSION, sizeMB: SIZE_MB }, host),
  async record(context) {
    const home = await installTool(NAME, VERSION, context.host, context.signal);
    const { exercise, text } = await recordLog(context);
    const page = await useDirectory(async function makePage(directory) {
      const logPath = join(directory, 'v8.log');
      await writeFile(logPath, normalizeLog(text, PROJECT.projectPath));
      await runTool(process.execPath, [join(home, PROGRAM), '-i', logPath, '-o', directory], {
        name: NAME,
        environment: context.host.environment,
        timeoutMs: TIMEOUT_MS,
        signal: context.signal,
      });
      return readPage(directory, context.job);
    });
    const path = `${context.artefactBase}.deopt-viewer.html`;
    await writeFile(path, page);
    return { exercise, artefacts: [path] };
  },
};

/**
 * @param {string} directory with the page and its assets
 * @param {RecordContext['job']} job
 * @returns {string} one self-contained page, with paths relative to the project
 */
function readPage(directory, job) {
  const { projectPath } = PROJECT;
  const html = inlinePage(readFileSync(join(directory, 'index.html'), 'utf8'), (name) =>
    readFileSync(join(directory, name), 'utf8')
      .replaceAll(`file://${projectPath}/`, '')
      .replaceAll(`${projectPath}/`, ''),
  );
  return sealPage(html).replace('<title>', () => `<title>${nameRecording(job)} – `);
}
