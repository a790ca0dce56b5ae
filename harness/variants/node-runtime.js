import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import semver from 'semver';
import { pickVariables } from '../host/processes.js';
import { findReason } from '../host/tools.js';
import { MachineError, UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { findNpmPackage, listNpmVersions } from './npm.js';

/** @import { Cell, ResolvedVariant, Runtime } from '../formats/types.ts' */
/** @import { PackagePlaces } from './npm.js' */

/** @typedef {Omit<PackagePlaces, 'assayPath'>} RuntimePlaces */

const run = promisify(execFile);
const START_TIMEOUT_MS = 30_000;
/** Versions named by the error for an unknown one. */
const MOST_SHOWN = 3;

const PLATFORM = process.platform === 'win32' ? 'win' : process.platform;
const PACKAGE = `node-${PLATFORM}-${process.arch}`;
const PROGRAM = join('bin', PLATFORM === 'win' ? 'node.exe' : 'node');

/**
 * Finds a Node to measure with: the running one if it matches, otherwise npm's binary package for this
 * platform. A release line means the newest version in the cache, so that it is stable between runs and
 * needs no network, or else the newest in the registry.
 *
 * @param {string} wanted a release line, `22`, or an exact version, `22.11.0`
 * @param {RuntimePlaces} places
 * @returns {Promise<{ node: string, runtime: Runtime | null }>} the exact version; no runtime if
 *   the running Node matches
 * @throws {UsageError} for an invalid or unknown version
 * @throws {MachineError} when npm has no package for this platform or is not available, or the executable
 *   does not run
 */
export async function findNodeRuntime(wanted, places) {
  if (!NODE_VERSION.test(wanted)) {
    throw new UsageError(`'${wanted}' is not a version of Node`, {
      remedy: 'use a release line or an exact version: 22 or 22.11.0',
    });
  }
  const own = process.versions.node;
  if (wanted === own || wanted === String(semver.major(own))) return { node: own, runtime: null };
  const isExact = EXACT_NODE_VERSION.test(wanted);
  const node = isExact ? wanted : await findNewest(wanted, places.cachePath);
  const { path, integrity } = await fetchNode(node, places);
  const executable = join(path, PROGRAM);
  await requireVersion(executable, node);
  return { node, runtime: { node, executable, packageName: PACKAGE, integrity } };
}

/**
 * @param {string} line
 * @param {string} cachePath
 * @returns {Promise<string>} exact version
 */
async function findNewest(line, cachePath) {
  const cached = semver.maxSatisfying(listCached(cachePath), line);
  if (cached !== null) return cached;
  const versions = await listPublished();
  return semver.maxSatisfying(versions, line) ?? refuseVersion(line, versions);
}

/**
 * @param {string} node exact version
 * @param {RuntimePlaces} places
 */
async function fetchNode(node, places) {
  try {
    return await findNpmPackage(PACKAGE, node, { ...PROJECT, ...places });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refuseVersion(node, await listPublished());
  }
}

/**
 * @param {string} cachePath
 * @returns {string[]} installed versions
 */
function listCached(cachePath) {
  const home = join(cachePath, 'npm');
  const start = `${PACKAGE}@`;
  return (existsSync(home) ? readdirSync(home) : [])
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length));
}

/** @returns {Promise<string[]>} versions for this platform */
async function listPublished() {
  const versions = await listNpmVersions(PACKAGE);
  if (versions !== null) return versions;
  throw new MachineError(`npm has no Node for this platform: no package ${PACKAGE}`, {
    remedy: `remove --node and @node= to measure with Node ${process.versions.node}`,
  });
}

/**
 * @param {string} wanted
 * @param {string[]} versions available ones
 * @returns {never}
 */
function refuseVersion(wanted, versions) {
  const line = wanted.split('.')[0];
  const ofLine = versions.filter((version) => semver.satisfies(version, line));
  const newest = semver.rsort(ofLine).slice(0, MOST_SHOWN).join(', ');
  throw new UsageError(`npm has no Node ${wanted} for this platform (${PACKAGE})`, {
    remedy:
      newest === ''
        ? `unknown release line; the newest version is ${semver.maxSatisfying(versions, '*')}`
        : `the newest of that line: ${newest}`,
  });
}

/**
 * @param {string} executable
 * @param {string} node required exact version
 */
async function requireVersion(executable, node) {
  const found = await askVersion(executable).catch((cause) => {
    const text = String(/** @type {{ stderr?: string }} */ (cause).stderr || cause);
    throw new MachineError(`Node ${node} does not start: ${findReason(text)}`, {
      cause,
      remedy: `'${executable}' was installed by npm; remove its directory to fetch it again`,
    });
  });
  if (found === `v${node}`) return;
  throw new MachineError(`'${executable}' is Node ${found}, not v${node}`, {
    remedy: 'remove its directory to fetch it again',
  });
}

/** @param {string} executable */
async function askVersion(executable) {
  const { stdout } = await run(executable, ['--version'], {
    timeout: START_TIMEOUT_MS,
    env: pickVariables(process.env),
  });
  return stdout.trim();
}

/**
 * Finds the Nodes of cells and pinned variants, other than the running one.
 *
 * @param {Pick<Cell, 'node'>[]} cells
 * @param {Pick<ResolvedVariant, 'node'>[]} variants
 * @param {import('./node-runtime.js').RuntimePlaces} places
 * @returns {Promise<Runtime[]>} one per version
 * @throws {import('../lib/errors.js').AssayError} when one is not available
 */
export async function findRuntimes(cells, variants, places) {
  const versions = new Set([...cells, ...variants].map(({ node }) => node));
  const runtimes = [];
  for (const version of versions) {
    if (version === undefined) continue;
    const { runtime } = await findNodeRuntime(version, places);
    if (runtime !== null) runtimes.push(runtime);
  }
  return runtimes;
}

/** A version of Node as on the command line: a release line, `22`, or an exact version, `22.11.0`. */
export const NODE_VERSION = /^[1-9]\d{0,2}(?:\.\d{1,3}\.\d{1,3})?$/;

/** An exact version: `22.11.0`. */
export const EXACT_NODE_VERSION = /^[1-9]\d{0,2}\.\d{1,3}\.\d{1,3}$/;
