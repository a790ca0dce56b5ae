import { coerce, gte } from 'semver';
import { MachineError } from '../lib/errors.js';
import { tryTool } from '../host/run-tool.js';

/** @import { Tool } from '../formats/types.ts' */

const PROBE_TIMEOUT_MS = 20_000;

/** What stands in the way of a family on this machine: a program that is missing or too old. */
export class MissingToolError extends MachineError {
  /**
   * @param {string} family
   * @param {MissingTool[]} missing at least one
   */
  constructor(family, missing) {
    super(`${family} cannot run here: needs ${missing.map(describeMissing).join(' and ')}`, {
      remedy: [...new Set(missing.map(({ tool }) => tool.install))].join('; '),
    });
    this.missing = missing;
  }
}

/**
 * @typedef {object} MissingTool
 * @property {Tool} tool
 * @property {string | null} found its version, where there is one
 */

/**
 * Asks the programs of a toolchain for their versions.
 *
 * @param {Tool[]} tools
 * @param {Record<string, string | undefined>} environment what they may see
 * @returns {Promise<{ versions: Record<string, string>, missing: MissingTool[] }>} exact versions of
 *   those that serve, by name
 */
export async function probeToolchain(tools, environment) {
  const probed = await Promise.all(
    tools.map(async (tool) => ({ tool, version: await probeTool(tool, environment) })),
  );
  /** @type {Record<string, string>} */
  const versions = {};
  /** @type {MissingTool[]} */
  const missing = [];
  for (const { tool, version } of probed) {
    const least = coerce(tool.leastVersion);
    if (version !== null && least !== null && gte(version, least)) versions[tool.name] = version;
    else missing.push({ tool, found: version });
  }
  return { versions, missing };
}

/**
 * @param {Tool} tool
 * @param {Record<string, string | undefined>} environment
 * @returns {Promise<string | null>}
 */
async function probeTool({ name, versionArgs }, environment) {
  const { status, stdout, stderr } = await tryTool(name, versionArgs, {
    environment,
    variables: keepSet(environment),
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  if (status !== 0) return null;
  return coerce(`${stdout}\n${stderr}`)?.version ?? null;
}

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} the variables that are set
 */
export function keepSet(environment) {
  /** @type {Record<string, string>} */
  const set = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined) set[name] = value;
  }
  return set;
}

/** @param {MissingTool} missing */
function describeMissing({ tool: { name, leastVersion }, found }) {
  return `${name} ≥ ${leastVersion} (${found === null ? 'not found' : `found ${found}`})`;
}
