import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MachineError, UsageError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { findChromium, startBrowser } from '../chromium/browser.js';
import { findNpmPackage } from '../npm.js';

/** @import { InstalledRuntime } from '../../formats/types.ts' */

const WORKER_PATH = fileURLToPath(new URL('../chromium/worker.js', import.meta.url));
/** What bundlers put in the place of Node's `Buffer`. */
const BUFFER_VERSION = '6.0.3';
const START_TIMEOUT_MS = 60_000;
const REMEDY = 'install chromium from the packages of your system, as just tools does in Debian';

/** @type {InstalledRuntime} */
export const runtime = {
  example: '156 or 156.0.8078.108',
  capabilities: ['v8-flags', 'collections', 'cpu-profile', 'heap-profile'],
  startMs: START_TIMEOUT_MS,
  listArguments: (flags, { executable, bufferPath }) => [
    WORKER_PATH,
    executable,
    /** @type {string} */ (bufferPath),
    ...flags,
  ],
  async find(wanted, places) {
    if (process.platform !== 'linux') {
      throw new MachineError(
        'Chromium can be measured on Linux only: elsewhere Assay cannot tell how much CPU time a page uses',
        {
          remedy: 'choose another runtime',
        },
      );
    }
    const executable = findChromium(process.env);
    if (executable === null) throw new MachineError('no Chromium is installed', { remedy: REMEDY });
    const { version, engine } = await askVersion(executable);
    if (wanted !== null && version !== wanted && !version.startsWith(`${wanted}.`)) {
      throw new UsageError(`the Chromium of this host is ${version}, not ${wanted}`, {
        remedy: 'leave the version out, or install that one; Assay does not download browsers',
      });
    }
    const { path, integrity } = await findNpmPackage('buffer', BUFFER_VERSION, {
      ...PROJECT,
      ...places,
    });
    return {
      runtime: `chromium@${version}`,
      engine,
      executable,
      // With the packages that it needs.
      bufferPath: dirname(path),
      buffer: { version: BUFFER_VERSION, integrity },
    };
  },
};

/**
 * Starts the browser, which shows whether it can.
 *
 * @param {string} executable
 * @returns {Promise<{ version: string, engine: string }>}
 * @throws {MachineError} when it does not start
 */
async function askVersion(executable) {
  const browser = startBrowser(executable, []);
  try {
    const late = setTimeout(START_TIMEOUT_MS, null, { ref: false });
    const answer = await Promise.race([browser.send('Browser.getVersion'), late]);
    if (answer === null) throw new Error(`no answer in ${START_TIMEOUT_MS / 1000} s`);
    const { product, jsVersion } = answer;
    return { version: product.split('/')[1], engine: `V8 ${jsVersion}` };
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`'${executable}' does not start: ${message}`, { cause, remedy: REMEDY });
  } finally {
    await browser.close();
  }
}
