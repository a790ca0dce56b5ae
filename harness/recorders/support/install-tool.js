import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MachineError } from '../../errors.js';
import { makeOnce } from '../../resolve/make-once.js';
import { findReason } from './run-tool.js';

/** @import { RecorderHost } from '../../types.ts' */

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 300_000;
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Where an npm package lies that serves as a tool, whether it is there yet or not.
 *
 * @param {string} name of the package
 * @param {string} version exact
 * @param {Pick<RecorderHost, 'toolsPath'>} host
 * @returns {string} absolute path of the directory that has its `node_modules`
 */
export function locateTool(name, version, { toolsPath }) {
  return join(toolsPath, `${name.replace('/', '+')}@${version}`);
}

/**
 * Installs one exact version of an npm package with all that it needs, without running scripts of
 * any of them. Done at once where it is there; never half there.
 *
 * @param {string} name of the package
 * @param {string} version exact
 * @param {RecorderHost} host
 * @param {AbortSignal} [signal] ends the installation
 * @returns {Promise<string>} absolute path of the directory that has its `node_modules`
 * @throws {MachineError} when npm fails, with the command that does the same
 */
export async function installTool(name, version, host, signal) {
  const home = locateTool(name, version, host);
  await makeOnce(home, async (staging) => {
    try {
      await writeFile(join(staging, 'package.json'), '{ "private": true }\n');
      await runNpm([...INSTALL, '--prefix', staging, `${name}@${version}`], host, signal);
    } catch (cause) {
      const said = /** @type {{ stderr?: string }} */ (cause).stderr ?? String(cause);
      throw new MachineError(`npm could not install ${name}@${version}: ${findReason(said)}`, {
        cause,
        remedy: `see what it says to: npm ${[...INSTALL, '--prefix', home].join(' ')} ${name}@${version}`,
      });
    }
  });
  return home;
}

/**
 * @param {string[]} args
 * @param {RecorderHost} host npm sees its whole environment, for its settings and proxies
 * @param {AbortSignal} [signal]
 */
function runNpm(args, { environment }, signal) {
  return run('npm', args, {
    env: { ...environment, NODE_OPTIONS: undefined },
    timeout: INSTALL_TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
}
