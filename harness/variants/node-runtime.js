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

/** @typedef {Omit<PackagePlaces, 'projectPath'>} RuntimePlaces */

const run = promisify(execFile);
const START_TIMEOUT_MS = 30_000;
/** Versions that a message names when the one that was wanted does not exist. */
const MOST_SHOWN = 3;

const PLATFORM = process.platform === 'win32' ? 'win' : process.platform;
const PACKAGE = `node-${PLATFORM}-${process.arch}`;
const PROGRAM = join('bin', PLATFORM === 'win' ? 'node.exe' : 'node');

/**
 * Finds a Node to measure under: the running one where it is what is wanted, else that of npm's
 * binary package for this platform. Of a release line it is the newest version in the cache, so that
 * a line means the same from run to run and needs no network; else the newest in the registry.
 *
 * @param {string} wanted a release line, `22`, or an exact version, `22.11.0`
 * @param {RuntimePlaces} places
 * @returns {Promise<{ node: string, runtime: Runtime | null }>} the exact version; no runtime where
 *   the running Node serves
 * @throws {UsageError} when it is no version, or there is none such
 * @throws {MachineError} when npm has none for this platform, cannot be asked, or what it brings does
 *   not run here
 */
export async function findNodeRuntime(wanted, places) {
  if (!NODE_VERSION.test(wanted)) {
    throw new UsageError(`'${wanted}' is no version of Node`, {
      remedy: 'write a release line or an exact version: 22 or 22.11.0',
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
 * @returns {string[]} versions that are installed
 */
function listCached(cachePath) {
  const home = join(cachePath, 'npm');
  const start = `${PACKAGE}@`;
  return (existsSync(home) ? readdirSync(home) : [])
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length));
}

/** @returns {Promise<string[]>} versions that npm has for this platform */
async function listPublished() {
  const versions = await listNpmVersions(PACKAGE);
  if (versions !== null) return versions;
  throw new MachineError(`npm has no Node for this platform: there is no package ${PACKAGE}`, {
    remedy: `leave out --node and @node=, to measure under Node ${process.versions.node}`,
  });
}

/**
 * @param {string} wanted
 * @param {string[]} versions that there are
 * @returns {never}
 */
function refuseVersion(wanted, versions) {
  const line = wanted.split('.')[0];
  const ofLine = versions.filter((version) => semver.satisfies(version, line));
  const newest = semver.rsort(ofLine).slice(0, MOST_SHOWN).join(', ');
  throw new UsageError(`npm has no Node ${wanted} for this platform (${PACKAGE})`, {
    remedy:
      newest === ''
        ? `there is no such line; the newest of all is ${semver.maxSatisfying(versions, '*')}`
        : `the newest of that line: ${newest}`,
  });
}

/**
 * @param {string} executable
 * @param {string} node exact version that it must be
 */
async function requireVersion(executable, node) {
  const found = await askVersion(executable).catch((cause) => {
    const text = String(/** @type {{ stderr?: string }} */ (cause).stderr || cause);
    throw new MachineError(`Node ${node} does not start: ${findReason(text)}`, {
      cause,
      remedy: `'${executable}' is what npm brought; remove its directory to fetch it again`,
    });
  });
  if (found === `v${node}`) return;
  throw new MachineError(`'${executable}' says that it is Node ${found}, not v${node}`, {
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
 * Brings the Nodes that cells and pinned variants are measured under, where they are not the one
 * that runs Assay.
 *
 * @param {Pick<Cell, 'node'>[]} cells
 * @param {Pick<ResolvedVariant, 'node'>[]} variants
 * @param {import('./node-runtime.js').RuntimePlaces} places
 * @returns {Promise<Runtime[]>} one a version
 * @throws {import('../lib/errors.js').AssayError} when one cannot be had
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

/** A version of Node as users write it: a release line, `22`, or an exact version, `22.11.0`. */
export const NODE_VERSION = /^[1-9]\d{0,2}(?:\.\d{1,3}\.\d{1,3})?$/;

/** An exact version: `22.11.0`. */
export const EXACT_NODE_VERSION = /^[1-9]\d{0,2}\.\d{1,3}\.\d{1,3}$/;
