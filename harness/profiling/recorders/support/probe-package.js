import { existsSync } from 'node:fs';
import { findTool } from '../../../host/find-tool.js';
import { locateTool } from './install-tool.js';

/** @import { Probe, RecorderHost } from '../../../formats/types.ts' */

/**
 * The probe of an npm package that is installed when it is asked for.
 *
 * @param {object} wanted
 * @param {string} wanted.name of the package
 * @param {string} wanted.version exact
 * @param {number} wanted.sizeMB on disk, with all that it needs
 * @param {string} [wanted.note] what to know before asking for it
 * @param {RecorderHost} host
 * @returns {Promise<Probe>}
 */
export async function probePackage({ name, version, sizeMB, note }, host) {
  const words = note === undefined ? [] : [note];
  if (existsSync(locateTool(name, version, host))) {
    return { available: true, detail: [`${name} ${version}`, ...words].join('; ') };
  }
  if (findTool('npm', host.environment) === null) {
    const reason = `there is no npm to install ${name} ${version} with`;
    return { available: false, reason, install: 'apt-get install npm' };
  }
  const detail = `installed when asked for (${name} ${version}, ${sizeMB} MB)`;
  return { available: true, detail: [detail, ...words].join('; ') };
}
