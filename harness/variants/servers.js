import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { coerce } from 'semver';
import { findTool, tryTool } from '../host/tools.js';
import { MachineError, UsageError } from '../lib/errors.js';
import { PROGRAM } from '../lib/program.js';
import { findBuild, loadFamilyWorker } from './build-family.js';

/** @import { Question, Server, ServerWorker } from '../formats/types.ts' */
/** @import { FoundFamily } from './families.js' */

const VERSION_TIMEOUT_MS = 10_000;

/**
 * @param {Pick<FoundFamily, 'path'>[]} families
 * @returns {{ name: string, path: string }[]} servers that operations can talk to besides their own; each is built
 *   as a family is
 */
export function listServers(families) {
  return families.flatMap(({ path }) => {
    const folder = join(path, 'servers');
    const names = existsSync(folder) ? readdirSync(folder).sort() : [];
    return names.map((name) => ({ name, path: join(folder, name) }));
  });
}

/**
 * Finds the server of a comparison: one that runs already, then a program in PATH, then what `just setup` has built.
 *
 * @param {Pick<Question, 'server' | 'sandbox'>} question
 * @param {FoundFamily} family
 * @param {{ cachePath: string, environment?: Record<string, string | undefined> }} places
 * @returns {Promise<Server | undefined>} undefined if operations use their own
 * @throws {UsageError} when the family has no server of that name
 * @throws {MachineError} when there is none on this host
 */
export async function findServer({ server: name, sandbox = false }, family, places) {
  if (name === undefined) return undefined;
  const { environment = process.env, cachePath } = places;
  const found = listServers([family]).find((server) => server.name === name);
  if (found === undefined) {
    const names = listServers([family]).map((server) => server.name);
    throw new UsageError(`the family ${family.name} has no server '${name}'`, {
      remedy: names.length === 0 ? 'leave --server out' : `it has ${names.join(', ')}`,
    });
  }
  const worker = /** @type {ServerWorker} */ (await loadFamilyWorker(found));
  const { addressVariable, program } = worker;
  if (environment[addressVariable] !== undefined) {
    if (sandbox) {
      throw new MachineError(`a sandbox has no network, and ${addressVariable} names a server`, {
        remedy: `unset ${addressVariable}, or leave --sandbox out`,
      });
    }
    return { name, addressVariable };
  }
  const inPath = findTool(program, environment);
  const built = inPath === null ? await findBuild(found, worker, cachePath) : null;
  const path = inPath ?? (built === null ? null : join(built, program));
  if (path === null) {
    throw new MachineError(`there is no ${name}: not in PATH, and not built`, {
      remedy: `${PROGRAM} setup ${name}; or set ${addressVariable} to the address of one`,
    });
  }
  const { status, stdout, stderr } = await tryTool(path, worker.versionArgs, {
    environment,
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  const version = coerce(stdout)?.version;
  if (status !== 0 || version === undefined) {
    throw new MachineError(`'${path}' does not run: ${stderr.trim()}`, {
      remedy: `put a ${name} that runs here into PATH, or set ${addressVariable}`,
    });
  }
  return { name, path, version };
}
