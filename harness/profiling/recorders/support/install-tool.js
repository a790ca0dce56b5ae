import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../../../lib/errors.js';
import { makeOnce } from '../../../variants/cache.js';
import { NpmError, runNpm } from '../../../variants/npm.js';

/** @import { RecorderHost } from '../../../formats/types.ts' */

const INSTALL_TIMEOUT_MS = 300_000;
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];

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
    await writeFile(join(staging, 'package.json'), '{ "private": true }\n');
    try {
      await runNpm([...INSTALL, '--prefix', staging, `${name}@${version}`], {
        // For its settings and proxies.
        env: { ...host.environment, NODE_OPTIONS: undefined },
        timeoutMs: INSTALL_TIMEOUT_MS,
        signal,
      });
    } catch (cause) {
      if (!(cause instanceof NpmError)) throw cause;
      throw new MachineError(`npm could not install ${name}@${version}: ${cause.message}`, {
        cause,
        remedy: `see what it says to: npm ${[...INSTALL, '--prefix', home].join(' ')} ${name}@${version}`,
      });
    }
  });
  return home;
}
