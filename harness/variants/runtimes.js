import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import semver from 'semver';
import { pickVariables } from '../host/processes.js';
import { findReason } from '../lib/failures.js';
import { MachineError, UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { didYouMean, listWords, nameRuntime } from '../lib/words.js';
import { findNpmPackage, listNpmVersions } from './npm.js';

/** @import { Capability, Cell, ResolvedVariant, PackagedRuntime, Runtime, RuntimeDescription } from '../formats/types.ts' */
/** @import { Places } from './cache.js' */

/** @typedef {Places} RuntimePlaces */

const run = promisify(execFile);
const START_TIMEOUT_MS = 30_000;
/** Versions named by the error for an unknown one. */
const MAX_SHOWN = 3;

const folder = new URL('runtimes/', import.meta.url);

/** What can run the JavaScript worker, by name. @type {ReadonlyMap<string, RuntimeDescription>} */
const RUNTIMES = await loadRuntimes();

/** Names of the runtimes. @type {readonly string[]} */
export const RUNTIME_NAMES = Object.freeze([...RUNTIMES.keys()]);

/** The Node that runs Assay: `node@22.11.0`. */
export const OWN_RUNTIME = `node@${process.versions.node}`;

/** @returns {Promise<Map<string, RuntimeDescription>>} Node first */
async function loadRuntimes() {
  const files = readdirSync(fileURLToPath(folder)).filter((file) => /^[a-z-]+\.js$/.test(file));
  const names = files.map((file) => file.slice(0, -'.js'.length));
  const runtimes = new Map();
  // Sequential: concurrent imports confuse the module loader of jest.
  for (const name of ['node', ...names.filter((each) => each !== 'node')]) {
    runtimes.set(name, (await import(new URL(`${name}.js`, folder).href)).runtime);
  }
  return runtimes;
}

/** A version as on the command line: `22`, `1.4` or `22.11.0`. */
const VERSION = /^\d{1,4}(?:\.\d{1,5}){0,3}$/;
const EXACT_VERSION = /^\d{1,4}(?:\.\d{1,5}){2,3}$/;

/**
 * @param {string} text `node@22`, `bun@1.4.5`; a name alone means any version
 * @returns {{ name: string, version: string | null }}
 * @throws {UsageError} for an unknown runtime, or an invalid version
 */
export function parseRuntime(text) {
  const [name, version = null, ...rest] = text.split('@');
  const description = RUNTIMES.get(name);
  if (description === undefined) {
    throw new UsageError(`no runtime '${name}'${didYouMean(name, RUNTIME_NAMES)}`, {
      remedy: `the runtimes are ${listWords([...RUNTIME_NAMES])}, each with a version if it matters: node@22`,
    });
  }
  if (rest.length === 0 && (version === null || VERSION.test(version))) return { name, version };
  throw new UsageError(
    `'${[version, ...rest].join('@')}' is not a version of ${nameRuntime(name)}`,
    { remedy: `use a release line or an exact version: ${description.example}` },
  );
}

/** @type {(text: string) => boolean} whether it names a known runtime with an exact version */
export function isExactRuntime(text) {
  const [name, version = '', ...rest] = text.split('@');
  return RUNTIMES.has(name) && EXACT_VERSION.test(version) && rest.length === 0;
}

/**
 * @param {string} [runtime] name and exact version; by default the Node that runs Assay
 * @returns {RuntimeDescription}
 */
export function knownRuntime(runtime = OWN_RUNTIME) {
  return /** @type {RuntimeDescription} */ (RUNTIMES.get(runtime.split('@')[0]));
}

/** @param {string} name of a runtime from npm */
function findPackaged(name) {
  return /** @type {PackagedRuntime} */ (knownRuntime(name));
}

/**
 * @param {string} [runtime] its name, with or without a version; by default the Node that runs Assay
 * @returns {Capability[]} what it cannot provide, and Node can
 */
export function listLacks(runtime) {
  const { capabilities } = knownRuntime(runtime);
  return knownRuntime().capabilities.filter((capability) => !capabilities.includes(capability));
}

/**
 * Finds a runtime to measure with: the Node that runs Assay if it matches, a browser on the host, otherwise npm's
 * binary package for this platform. There, a release line or a name alone means the newest version in the cache, so
 * that it is stable between runs and needs no network, or else the newest in the registry.
 *
 * @param {string} text `node@22`, `node@22.11.0`, `bun@1.4`, `deno`
 * @param {Places} places
 * @returns {Promise<{ name: string, runtime: Runtime | null }>} its name and exact version; no runtime for
 *   the Node that runs Assay
 * @throws {UsageError} for an invalid or unknown runtime or version
 * @throws {MachineError} when npm has no package for this platform or is not available, or the executable
 *   does not run
 */
export async function findRuntime(text, places) {
  const { name, version } = parseRuntime(text);
  const description = knownRuntime(name);
  if ('find' in description) {
    const found = await description.find(version, places);
    return { name: found.runtime, runtime: { ...found, lacks: listLacks(name) } };
  }
  const own = process.versions.node;
  if (name === 'node' && [null, own, String(semver.major(own))].includes(version)) {
    return { name: OWN_RUNTIME, runtime: null };
  }
  const isExact = version !== null && EXACT_VERSION.test(version);
  const exact = isExact ? version : await findNewest(name, version ?? '*', places.cachePath);
  const { path, integrity } = await fetchRuntime(name, exact, places);
  const { packageName, programPath, nameEngine } = description;
  const executable = join(path, programPath);
  const runtime = `${name}@${exact}`;
  const versions = await askVersions(executable, name, exact);
  return {
    name: runtime,
    runtime: {
      runtime,
      engine: nameEngine(versions),
      executable,
      lacks: listLacks(name),
      packageName,
      integrity,
    },
  };
}

/** @type {(name: string, line: string, cachePath: string) => Promise<string>} exact version */
async function findNewest(name, line, cachePath) {
  const cached = semver.maxSatisfying(listCached(name, cachePath), line);
  if (cached !== null) return cached;
  const versions = await listPublished(name);
  return semver.maxSatisfying(versions, line) ?? refuseVersion(name, line, versions);
}

/**
 * @param {string} name
 * @param {string} version exact
 * @param {Places} places
 */
async function fetchRuntime(name, version, places) {
  try {
    return await findNpmPackage(findPackaged(name).packageName, version, {
      ...PROJECT,
      ...places,
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refuseVersion(name, version, await listPublished(name));
  }
}

/** @type {(name: string, cachePath: string) => string[]} installed versions */
function listCached(name, cachePath) {
  const home = join(cachePath, 'npm');
  const start = `${findPackaged(name).packageName.replace('/', '+')}@`;
  return (existsSync(home) ? readdirSync(home) : [])
    .filter((entry) => entry.startsWith(start))
    .map((entry) => entry.slice(start.length));
}

/** @param {string} name @returns {Promise<string[]>} versions for this platform */
async function listPublished(name) {
  const { packageName } = findPackaged(name);
  const versions = await listNpmVersions(packageName);
  if (versions !== null) return versions;
  throw new MachineError(
    `npm has no ${nameRuntime(name)} for this platform: no package ${packageName}`,
    { remedy: `leave it out to measure with Node ${process.versions.node}` },
  );
}

/**
 * @param {string} name
 * @param {string} wanted version
 * @param {string[]} versions available ones
 * @returns {never}
 */
function refuseVersion(name, wanted, versions) {
  const line = wanted.split('.')[0];
  const ofLine = versions.filter((version) => semver.satisfies(version, line));
  const newest = semver.rsort(ofLine).slice(0, MAX_SHOWN).join(', ');
  const { packageName } = findPackaged(name);
  throw new UsageError(
    `npm has no ${nameRuntime(name)} ${wanted} for this platform (${packageName})`,
    {
      remedy:
        newest === ''
          ? `unknown release line; the newest version is ${semver.maxSatisfying(versions, '*')}`
          : `the newest of that line: ${newest}`,
    },
  );
}

/**
 * @param {string} executable
 * @param {string} name
 * @param {string} version required, exact
 * @returns {Promise<Record<string, string>>} versions of it and its parts
 */
async function askVersions(executable, name, version) {
  const title = nameRuntime(name);
  const { versionsArguments } = findPackaged(name);
  const text = await ask(executable, versionsArguments).catch((cause) => {
    const output = String(/** @type {{ stderr?: string }} */ (cause).stderr || cause);
    throw new MachineError(`${title} ${version} does not start: ${findReason(output)}`, {
      cause,
      remedy: `'${executable}' was installed by npm; remove its directory to fetch it again`,
    });
  });
  const versions = JSON.parse(text);
  if (versions[name] === version) return versions;
  throw new MachineError(`'${executable}' is ${title} ${versions[name]}, not ${version}`, {
    remedy: 'remove its directory to fetch it again',
  });
}

/** @param {string} executable @param {readonly string[]} words */
async function ask(executable, words) {
  const { stdout } = await run(executable, [...words], {
    timeout: START_TIMEOUT_MS,
    env: pickVariables(process.env),
  });
  return stdout;
}

/**
 * Finds the runtimes of cells and pinned variants, other than the Node that runs Assay.
 *
 * @param {Pick<Cell, 'runtime'>[]} cells
 * @param {Pick<ResolvedVariant, 'runtime'>[]} variants
 * @param {Places} places
 * @returns {Promise<Runtime[]>} each once
 * @throws {import('../lib/errors.js').AssayError} when one is not available
 */
export async function findRuntimes(cells, variants, places) {
  const names = new Set([...cells, ...variants].map(({ runtime }) => runtime));
  const runtimes = [];
  for (const name of names) {
    if (name === undefined) continue;
    const { runtime } = await findRuntime(name, places);
    if (runtime !== null) runtimes.push(runtime);
  }
  return runtimes;
}
