import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { coerce, gte } from 'semver';
import { tryTool } from '../host/tools.js';
import { AssayError, MachineError } from '../lib/errors.js';
import { makeCacheDirectory } from '../lib/files.js';
import { pickBuildVariables, quoteLog } from './build-checkout.js';
import { digestNamed, getOrCreate } from './cache.js';

/** @import { BuildContext, FamilyWorker, ResolvedVariant, Tool } from '../formats/types.ts' */
/** @import { FoundFamily } from './families.js' */
/** @import { SetUp } from '../../reports/content/setup.js' */

/** What builds a family, which counts among its sources. */
const WORKER_FILE = 'worker.js';
/** A build from nothing, downloads included, takes minutes at most. */
const RUN_TIMEOUT_MS = 10 * 60_000;
/** Of a digest, as the name of a directory. */
const NAME_DIGITS = 16;

/** What is known of toolchains. Each side of a comparison asks, and some programs take a second to answer.
 * @type {WeakMap<FamilyWorker, ReturnType<typeof probeToolchain>>} */
const probes = new WeakMap();

/**
 * A family whose sources are built.
 *
 * @typedef {object} BuiltFamily
 * @property {FamilyWorker} worker
 * @property {string} buildPath absolute
 * @property {Record<string, string>} toolchain exact versions by name of the program
 */

/**
 * @typedef {object} BuildPlaces
 * @property {string} cachePath
 * @property {AbortSignal | undefined} [signal] ends a build
 * @property {((text: string) => void) | undefined} [onNote] is told what takes long
 */

/**
 * What a family brings to have its variants built.
 *
 * @param {Pick<FoundFamily, 'path'>} family
 * @returns {Promise<FamilyWorker | null>} null where nothing is built
 */
export async function loadFamilyWorker({ path }) {
  const file = join(path, WORKER_FILE);
  if (!existsSync(file)) return null;
  const { worker } = await import(pathToFileURL(file).href);
  return worker;
}

/**
 * Whether variants of a family are measured by a program of its own, not by the JavaScript worker.
 *
 * @param {Pick<FoundFamily, 'path'>} family
 * @returns {Promise<boolean>}
 */
export async function hasProgram(family) {
  return (await loadFamilyWorker(family))?.command !== undefined;
}

/**
 * Builds a family, unless the same sources were built by the same toolchain before.
 *
 * @param {Pick<FoundFamily, 'name' | 'path'>} family
 * @param {FamilyWorker} worker of the family
 * @param {BuildPlaces} places
 * @returns {Promise<BuiltFamily>}
 * @throws {MissingToolError} when a program of its toolchain is missing or too old
 * @throws {import('../lib/errors.js').MachineError} when the build fails
 */
export async function buildFamily({ name, path }, worker, { cachePath, signal, onNote }) {
  const toolchain = await requireToolchain(name, worker);
  const digest = createHash('sha256')
    .update(digestNamed(path, [WORKER_FILE, ...worker.sources]))
    .update(JSON.stringify(toolchain))
    .digest('hex');
  const buildPath = join(cachePath, name, digest.slice(0, NAME_DIGITS));
  await getOrCreate(buildPath, async (staging) => {
    onNote?.(`builds ${name} with ${listVersions(toolchain)}; this is done once`);
    await worker.build(openBuild(path, worker, { cachePath, signal, outputPath: staging }));
  });
  return { worker, buildPath, toolchain };
}

/**
 * @param {string} family
 * @param {FamilyWorker} worker
 * @returns {Promise<Record<string, string>>} exact versions by name of the program
 * @throws {MissingToolError} when one is missing or too old
 */
export async function requireToolchain(family, worker) {
  const probing = probes.get(worker) ?? probeToolchain(worker.toolchain, pickVariables(worker));
  probes.set(worker, probing);
  const { versions, missing } = await probing;
  if (missing.length > 0) throw new MissingToolError(family, missing);
  return versions;
}

/**
 * What a family's worker may use to fill a directory.
 *
 * @param {string} familyPath
 * @param {FamilyWorker} worker
 * @param {{ cachePath: string, outputPath: string, signal?: AbortSignal | undefined }} places
 * @returns {BuildContext}
 */
export function openBuild(familyPath, worker, { cachePath, outputPath, signal }) {
  const environment = pickVariables(worker);
  const downloadsPath = join(cachePath, 'downloads');
  return {
    familyPath,
    outputPath,
    downloadsPath: makeCacheDirectory(downloadsPath),
    async run(program, args, options = {}) {
      const { workingPath = outputPath, variables = {}, timeoutMs = RUN_TIMEOUT_MS } = options;
      const startMs = performance.now();
      const { status, stdout, stderr } = await tryTool(program, args, {
        environment,
        variables: { ...keepSet(environment), ...variables },
        workingPath,
        timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
      if (status === 0) return stdout;
      const isTooLong = performance.now() - startMs >= timeoutMs;
      const end =
        status === null ? tellEnd(timeoutMs, isTooLong) : `ended with exit status ${status}`;
      throw new MachineError([`${program} ${end}`, ...quoteLog(stdout + stderr)].join('\n  '), {
        remedy: 'the lines above are from what it said',
      });
    },
  };
}

/**
 * @param {number} timeoutMs
 * @param {boolean} isTooLong
 */
function tellEnd(timeoutMs, isTooLong) {
  return isTooLong ? `did not end within ${timeoutMs / 1000} s` : 'was ended or did not start';
}

/**
 * @param {Record<string, string>} toolchain
 * @returns {string} `cargo 1.95.0, rustc 1.95.0`
 */
function listVersions(toolchain) {
  return Object.entries(toolchain)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

/**
 * @param {FamilyWorker} worker
 * @returns {Record<string, string | undefined>} what its toolchain may see; it speaks English
 */
function pickVariables({ variables = [] }) {
  const own = variables.map((name) => [name, process.env[name]]);
  return { ...pickBuildVariables(process.env), ...Object.fromEntries(own), LC_ALL: undefined };
}

/**
 * Builds a family where that takes anything, and says what came of it. A program that is missing and a
 * build that fails are answers here, so that other families have their turn.
 *
 * @param {Pick<FoundFamily, 'name' | 'path'>} family
 * @param {BuildPlaces} places
 * @returns {Promise<SetUp>}
 */
export async function setUpFamily(family, { onNote, ...places }) {
  const { name } = family;
  const startMs = performance.now();
  let isBuiltNow = false;
  /** @param {string} text */
  const noteBuild = (text) => {
    isBuiltNow = true;
    onNote?.(text);
  };
  try {
    const worker = await loadFamilyWorker(family);
    if (worker === null) return { name, outcome: 'ready', toolchain: {}, buildMs: null };
    const { toolchain } = await buildFamily(family, worker, { ...places, onNote: noteBuild });
    const buildMs = isBuiltNow ? performance.now() - startMs : null;
    return { name, outcome: 'ready', toolchain, buildMs };
  } catch (error) {
    const isInterrupted = places.signal?.aborted === true;
    if (isInterrupted || !(error instanceof AssayError)) throw error;
    if (error instanceof MissingToolError)
      return { name, outcome: 'missing', missing: error.missing };
    return { name, outcome: 'failed', message: error.message, remedy: error.remedy ?? null };
  }
}

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
async function probeToolchain(tools, environment) {
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
function keepSet(environment) {
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

/**
 * How the program of a family measures a variant.
 *
 * @param {BuiltFamily} built whose worker has a command
 * @param {Record<string, string>} settings
 * @param {string | null} packagePath
 * @returns {Pick<ResolvedVariant, 'settings' | 'buildPath' | 'program' | 'toolchain'>}
 * @throws {import('../lib/errors.js').UsageError} when its settings do not go together
 */
export function describeProgram({ worker, buildPath, toolchain }, settings, packagePath) {
  const program = worker.command?.({ buildPath, packagePath, settings });
  return { settings, buildPath, toolchain, ...(program === undefined ? {} : { program }) };
}
