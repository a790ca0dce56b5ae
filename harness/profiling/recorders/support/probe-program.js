import { findTool } from '../../../host/find-tool.js';
import { tryTool } from '../../../host/run-tool.js';

/** @import { Probe, RecorderHost } from '../../../formats/types.ts' */

const PROBE_TIMEOUT_MS = 5_000;

/**
 * The probe of a program that the system brings.
 *
 * @param {string} name of the program and of Debian's package
 * @param {RecorderHost} host
 * @returns {Promise<Probe>} with the version as detail
 */
export async function probeProgram(name, { environment }) {
  const install = `apt-get install ${name}`;
  const path = findTool(name, environment);
  if (path === null) return { available: false, reason: `there is no ${name}`, install };
  const { status, stdout } = await tryTool(path, ['--version'], {
    environment,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  const version = /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  if (status !== 0 || version === undefined) {
    return { available: false, reason: `${path} does not tell its version`, install };
  }
  return { available: true, detail: `${name} ${version}` };
}
