import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { coerce, gte } from 'semver';
import { tryTool } from '../host/tools.js';
import { AssayError, MachineError } from '../lib/errors.js';
import { makeCacheDirectory } from '../lib/files.js';
import { PROJECT } from '../lib/project.js';
import { omitUndefined } from '../lib/records.js';
import { pickBuildVariables, quoteLog } from './run-build.js';
import { digestContent, digestNamed, digestSources, getOrCreate } from './cache.js';
import { listFamilyFiles } from './family-tree.js';

/** @import { BuildContext, FamilyWorker, SetUp, Tool } from '../formats/types.ts' */
/** @import { Places } from './cache.js' */
/** @import { FoundFamily } from './families.js' */

/** Module that builds a family; one of its sources. */
const WORKER_FILE = 'worker.js';
/** A clean build, including downloads, takes minutes at most. */
const RUN_TIMEOUT_MS = 60 * 60_000;
/** Digits of a digest in the name of a directory. */
const NAME_DIGITS = 16;

/** Cache of probed toolchains, since some programs take a second to print their version.
 * @type {WeakMap<FamilyWorker, ReturnType<typeof probeToolchain>>} */
const probes = new WeakMap();

/**
 * A family with its build.
 *
 * @typedef {object} BuiltFamily
 * @property {FamilyWorker} worker
 * @property {string} buildPath absolute
 * @property {Record<string, string>} toolchain exact versions by name of the program
 */

/**
 * Loads the `worker.js` of a family.
 *
 * @param {Pick<FoundFamily, 'path'>} family
 * @returns {Promise<FamilyWorker | null>} null if the family has none
 */
export async function loadFamilyWorker({ path }) {
  const file = join(path, WORKER_FILE);
  if (!existsSync(file)) return null;
  const { worker } = await import(pathToFileURL(file).href);
  return worker;
}

/**
 * Digest of what a variant of a family consists of.
 *
 * @param {string} path of the family
 * @returns {Promise<string>} `sha256:…`
 */
export async function digestFamily(path) {
  const worker = await loadFamilyWorker({ path });
  return digestSources(path, [...(worker?.sources ?? []), ...(await listForeignFiles(path))]);
}

/**
 * Digest of a variant that the program of a family measures.
 *
 * @type {(familyDigest: string, settings: Record<string, string>) => string} `sha256:…`
 */
export function digestProgram(familyDigest, settings) {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([familyDigest, sorted]);
  return digestContent(text);
}

/**
 * Lists what a family imports of the project that it belongs to. What a family of Assay imports has the revision
 * of Assay.
 *
 * @param {string} path of the family
 * @returns {Promise<string[]>} relative to the family
 */
async function listForeignFiles(path) {
  if (path.startsWith(PROJECT.assayPath + sep)) return [];
  // Loaded on demand, because of its parser.
  const { listSources } = await import('./placement/copies.js');
  const own = listFamilyFiles(path);
  const imported = own.flatMap((file) => {
    try {
      return [...listSources([file]).keys()];
    } catch (error) {
      // A variant that nobody compares may be broken.
      if (error instanceof AssayError) return [];
      throw error;
    }
  });
  return [...new Set(imported)]
    .filter((file) => !file.startsWith(path + sep))
    .map((file) => relative(path, file));
}

/**
 * Whether a family is measured by its own program instead of the JavaScript worker.
 * @type {(family: Pick<FoundFamily, 'path'>) => Promise<boolean>}
 */
export async function hasProgram(family) {
  return (await loadFamilyWorker(family))?.command !== undefined;
}

/**
 * Builds a family, unless the same sources were already built with the same toolchain.
 *
 * @param {Pick<FoundFamily, 'name' | 'path'>} family
 * @param {FamilyWorker} worker of the family
 * @param {Places} places
 * @returns {Promise<BuiltFamily>}
 * @throws {MissingToolError} when a program of its toolchain is missing or too old
 * @throws {import('../lib/errors.js').MachineError} when the build fails
 */
export async function buildFamily(family, worker, { cachePath, signal, onNote }) {
  const { name, path } = family;
  const toolchain = await requireToolchain(name, worker);
  const buildPath = nameBuild(family, worker, { cachePath, toolchain });
  const build = async (/** @type {string} */ staging) => {
    onNote?.(`building ${name} with ${listVersions(toolchain)}, once`);
    await worker.build(openBuild(path, worker, { cachePath, signal, outputPath: staging }));
  };
  await getOrCreate(buildPath, build, { onNote });
  return { worker, buildPath, toolchain };
}

/**
 * @param {Pick<FoundFamily, 'name' | 'path'>} family
 * @param {FamilyWorker} worker of the family
 * @param {{ cachePath: string, toolchain: Record<string, string> }} used
 * @returns {string} absolute path of the build, whether it exists or not
 */
function nameBuild({ name, path }, worker, { cachePath, toolchain }) {
  const digest = createHash('sha256')
    .update(digestNamed(path, [WORKER_FILE, ...worker.sources]))
    .update(JSON.stringify(toolchain))
    .digest('hex');
  return join(cachePath, name, digest.slice(0, NAME_DIGITS));
}

/**
 * @param {Pick<FoundFamily, 'name' | 'path'>} family
 * @param {FamilyWorker} worker of the family
 * @param {string} cachePath
 * @returns {Promise<string | null>} absolute path of an earlier build; null if there is none
 */
export async function findBuild(family, worker, cachePath) {
  const { versions: toolchain } = await probeToolchain(worker.toolchain, pickVariables(worker));
  const buildPath = nameBuild(family, worker, { cachePath, toolchain });
  return existsSync(buildPath) ? buildPath : null;
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
 * Context for a family's worker that builds or fetches something.
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
        variables: { ...environment, ...variables },
        workingPath,
        timeoutMs,
        ...omitUndefined({ signal }),
      });
      if (status === 0) return stdout;
      const isTooLong = performance.now() - startMs >= timeoutMs;
      const end =
        status === null ? describeEnd(timeoutMs, isTooLong) : `ended with exit status ${status}`;
      throw new MachineError(`${program} ${end}`, {
        quoted: quoteLog(stdout + stderr),
        remedy: 'see its output above',
      });
    },
  };
}

/** @param {number} timeoutMs @param {boolean} isTooLong */
function describeEnd(timeoutMs, isTooLong) {
  return isTooLong ? `timed out after ${timeoutMs / 1000} s` : 'was terminated or did not start';
}

/** @param {Record<string, string>} toolchain @returns {string} `cargo 1.95.0, rustc 1.95.0` */
function listVersions(toolchain) {
  return Object.entries(toolchain)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

/** @type {(worker: FamilyWorker) => Record<string, string>} environment of its toolchain, with English messages */
function pickVariables({ variables = [] }) {
  const picked = pickBuildVariables(process.env);
  for (const name of variables) {
    const value = process.env[name];
    if (value !== undefined) picked[name] = value;
  }
  delete picked.LC_ALL;
  return picked;
}

/**
 * Builds a family if necessary and reports the outcome. A missing tool or a failed build is an outcome,
 * so that setup continues with other families.
 * @type {(family: Pick<FoundFamily, 'name' | 'path'>, places: Places) => Promise<SetUp>}
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
    const message = [error.message, ...error.quoted].join('\n  ');
    return { name, outcome: 'failed', message, remedy: error.remedy ?? null };
  }
}

const PROBE_TIMEOUT_MS = 20_000;

/** Tools of a family's toolchain that are missing or too old. */
export class MissingToolError extends MachineError {
  /** @param {string} family @param {MissingTool[]} missing at least one */
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
 * @property {string | null} found its version, if it is installed
 */

/**
 * Probes the versions of the tools of a toolchain.
 *
 * @param {Tool[]} tools
 * @param {Record<string, string>} environment of the tools
 * @returns {Promise<{ versions: Record<string, string>, missing: MissingTool[] }>} exact versions of
 *   the suitable tools by name
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
 * @param {Record<string, string>} environment
 * @returns {Promise<string | null>}
 */
async function probeTool({ name, versionArgs }, environment) {
  const { status, stdout, stderr } = await tryTool(name, versionArgs, {
    environment,
    variables: environment,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  if (status !== 0) return null;
  return coerce(`${stdout}\n${stderr}`)?.version ?? null;
}

/** @param {MissingTool} missing */
function describeMissing({ tool: { name, leastVersion }, found }) {
  return `${name} ≥ ${leastVersion} (${found === null ? 'not found' : `found ${found}`})`;
}

/**
 * Describes how the program of a family measures a variant.
 *
 * @param {BuiltFamily} built whose worker has a command
 * @param {Record<string, string>} settings
 * @param {string | null} packagePath
 * @throws {import('../lib/errors.js').UsageError} for an invalid combination of settings
 */
export function makeProgram({ worker, buildPath, toolchain }, settings, packagePath) {
  const program = worker.command?.({ buildPath, packagePath, settings });
  return { settings, buildPath, toolchain, ...omitUndefined({ program }) };
}
