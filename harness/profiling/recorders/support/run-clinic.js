import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { installTool } from './install-tool.js';
import { probePackage } from './probes.js';
import { runTool } from '../../../host/tools.js';

/** @import { Probe, RecordContext, RecorderHost } from '../../../formats/types.ts' */

const PACKAGE = { name: 'clinic', version: '13.0.0', sizeMB: 156, note: 'no longer maintained' };
const TIMEOUT_MS = 180_000;

/**
 * The probe of the tools of clinic.
 *
 * @param {RecorderHost} host
 * @returns {Promise<Probe>}
 */
export function probeClinic(host) {
  return probePackage(PACKAGE, host);
}

/**
 * Runs a tool of clinic, installed first where it is not there yet, in a directory of its own: it
 * stops at logs that an earlier program left in its working directory.
 *
 * @param {string[]} args name of the tool, its settings, and after `--` the program
 * @param {Pick<RecordContext, 'host' | 'signal'>} context
 * @param {string} directory absolute path
 * @returns {Promise<string>} what it printed
 * @throws {MachineError} when it fails
 */
export async function runClinic(args, { host, signal }, directory) {
  const home = await installTool(PACKAGE.name, PACKAGE.version, host, signal);
  const program = join(home, 'node_modules', 'clinic', 'bin.js');
  const { stdout, stderr } = await runTool(process.execPath, [program, ...args], {
    environment: host.environment,
    variables: {
      // Away from a terminal it waits for leave to report its use, and ends having done nothing.
      NO_INSIGHT: '1',
      NO_UPDATE_NOTIFIER: '1',
      XDG_CONFIG_HOME: join(directory, 'config'),
    },
    workingPath: directory,
    timeoutMs: TIMEOUT_MS,
    signal,
    name: `clinic ${args[0]}`,
  });
  return stdout + stderr;
}

/**
 * clinic refuses a program that is not called node.
 *
 * @param {string} executable
 * @param {string} directory
 * @returns {Promise<string>} the same one under that name
 */
export async function linkNode(executable, directory) {
  const path = join(directory, 'node');
  await symlink(executable, path);
  return path;
}
