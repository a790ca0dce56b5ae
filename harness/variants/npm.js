import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { isOfFormat } from '../formats/schemas.js';
import { parseJson, readText } from '../lib/files.js';
import { MachineError, UsageError } from '../lib/errors.js';
import { FETCH_FLAGS } from '../lib/fetch-flags.js';
import { findUpwards } from '../lib/places.js';
import { omitUndefined } from '../lib/records.js';
import { openBuild } from './build-family.js';
import { getOrCreate, readCached } from './cache.js';
import { loadOperation } from './families.js';

/** @import { Cell, FamilyWorker, PackageRecord, VariantSpec } from '../formats/types.ts' */
/** @import { Places } from './cache.js' */
/** @import { FoundFamily } from './families.js' */
/** @import { ResolveContext } from './resolve.js' */

const INSTALL_TIMEOUT_MS = 120_000;
const MODULES = 'node_modules';
const LOCK = 'package-lock.json';
const INSTALLED_LOCK = '.package-lock.json';
const REMEDY = 'restore the committed version of the file';

/** @typedef {{ version: string, integrity: string, dev?: boolean }} Locked */

/** @typedef {Places & { assayPath: string }} PackagePlaces */

/**
 * Finds an exact version of a package: among the dependencies of Assay, in the cache, or in the registry,
 * from which it is installed into the cache without running its scripts.
 *
 * @param {string} packageName
 * @param {string} version
 * @param {PackagePlaces} places
 * @returns {Promise<{ path: string, integrity: string }>} directory of the package
 * @throws {UsageError} when the registry has no such version
 * @throws {MachineError} when npm fails otherwise
 * @throws {import('../lib/errors.js').FormatError} when its cache entry is damaged
 */
export async function findNpmPackage(packageName, version, places) {
  const { assayPath, cachePath } = places;
  const own = findOwn(packageName, assayPath);
  if (own?.version === version) return { path: own.path, integrity: own.integrity };
  const home = join(cachePath, 'npm', `${packageName.replace('/', '+')}@${version}`);
  await getOrCreate(home, (staging) => install(packageName, version, staging, places));
  return {
    path: join(home, 'node_modules', packageName),
    integrity: readCached(
      home,
      LOCK,
      (content) => findLocked(content, `${MODULES}/${packageName}`)?.integrity,
    ),
  };
}

/**
 * @param {string} packageName
 * @param {string} version
 * @param {string} directory
 * @param {PackagePlaces} places
 */
async function install(packageName, version, directory, { signal, onNote }) {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund'];
  onNote?.(`fetching ${packageName}@${version}`);
  try {
    await runNpm(['install', ...flags, `${packageName}@${version}`], {
      cwd: directory,
      timeoutMs: INSTALL_TIMEOUT_MS,
      signal,
    });
  } catch (cause) {
    if (!(cause instanceof NpmError)) throw cause;
    if (cause.code === 'E404' || cause.code === 'ETARGET') {
      throw new UsageError(`the npm registry has no ${packageName}@${version}`, {
        cause,
        remedy: `npm view ${packageName} versions lists the versions`,
      });
    }
    throw new MachineError(`npm could not install ${packageName}@${version}: ${cause.message}`, {
      cause,
      remedy: "check the network and npm's registry setting, then try again",
    });
  }
}

/**
 * @param {string} packageName
 * @param {string} assayPath
 * @returns {(Locked & { path: string }) | null} null if Assay does not depend on it
 * @throws {import('../lib/errors.js').FormatError} when a lock file is damaged
 */
function findOwn(packageName, assayPath) {
  const lockPath = join(assayPath, LOCK);
  if (!existsSync(lockPath)) return findInstalled(packageName, assayPath);
  const path = join(assayPath, MODULES, packageName);
  const locked = findLocked(readLock(lockPath, REMEDY), `${MODULES}/${packageName}`);
  return locked === undefined || locked.dev === true ? null : { ...locked, path };
}

/**
 * Where Assay is a package itself, npm keeps a lock file beside all of them.
 * @type {typeof findOwn}
 */
function findInstalled(packageName, assayPath) {
  const path = findUpwards(assayPath, join(MODULES, packageName));
  const lockPath = path && findUpwards(path, join(MODULES, INSTALLED_LOCK));
  if (path === null || lockPath === null) return null;
  const key = relative(dirname(dirname(lockPath)), path)
    .split(sep)
    .join('/');
  const locked = findLocked(readLock(lockPath, 'run npm install'), key);
  return locked === undefined ? null : { ...locked, path };
}

/** @type {(file: string, remedy: string) => unknown} */
function readLock(file, remedy) {
  return parseJson(readText(file, `'${file}'`, remedy), `'${file}'`, remedy);
}

/**
 * @param {any} lock
 * @param {string} key `node_modules/bson`
 * @returns {Locked | undefined} undefined if the lock file does not have it
 */
function findLocked(lock, key) {
  const packages = lock?.packages;
  if (Object(packages) !== packages || !Object.hasOwn(packages, key)) return undefined;
  const locked = packages[key];
  return typeof locked?.integrity === 'string' ? locked : undefined;
}

const run = promisify(execFile);

/** Failure of npm. */
export class NpmError extends Error {
  /**
   * @param {string} reason one line
   * @param {string | undefined} code `E404`
   * @param {unknown} cause
   */
  constructor(reason, code, cause) {
    super(reason, { cause });
    this.code = code;
  }
}

/** Codes of npm that another attempt will have again. */
const LASTING = ['EBADPLATFORM', 'EBADENGINE', 'ERESOLVE'];

/**
 * @param {unknown} error
 * @returns {boolean} whether npm failed because of the registry, the network or the disk, and not of the package
 */
export function isPassingFailure(error) {
  const { cause } = error instanceof MachineError ? error : {};
  return cause instanceof NpmError && !LASTING.includes(cause.code ?? '');
}

/**
 * Runs npm with a time limit.
 *
 * @param {string[]} args
 * @param {object} options
 * @param {number} options.timeoutMs
 * @param {string} [options.cwd]
 * @param {Record<string, string | undefined>} [options.env]
 * @param {AbortSignal | undefined} [options.signal] cancels it
 * @returns {Promise<string>} its standard output, JSON
 * @throws {NpmError} when it fails
 */
export async function runNpm(args, { timeoutMs, signal, ...options }) {
  const flags = ['--json', '--loglevel=error', ...FETCH_FLAGS];
  try {
    const { stdout } = await run('npm', [...args, ...flags], {
      env: process.env,
      ...options,
      timeout: timeoutMs,
      ...omitUndefined({ signal }),
    });
    return stdout;
  } catch (cause) {
    const { killed, stdout, stderr } =
      /** @type {{ killed?: boolean, stdout?: string, stderr?: string }} */ (cause);
    if (killed === true && signal?.aborted !== true) {
      throw new NpmError(`no answer within ${timeoutMs / 1000} s`, undefined, cause);
    }
    const { code, summary } = readError(stdout) ?? { summary: stderr || String(cause) };
    throw new NpmError(firstLine(summary).replace(/^FetchError: /, ''), code, cause);
  }
}

/**
 * @param {string | undefined} stdout
 * @returns {{ code?: string, summary: string } | null} null if npm printed none
 */
function readError(stdout) {
  try {
    const { error } = JSON.parse(String(stdout));
    return typeof error.summary === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** @param {string} text */
function firstLine(text) {
  return text.trim().split('\n', 1)[0];
}

const TIMEOUT_MS = 60_000;

/**
 * Published versions of a package in the order of the registry.
 *
 * @param {string} packageName
 * @returns {Promise<string[] | null>} null if the package does not exist
 * @throws {MachineError} when the registry is not available
 */
export async function listNpmVersions(packageName) {
  try {
    const stdout = await runNpm(['view', packageName, 'versions'], { timeoutMs: TIMEOUT_MS });
    // npm prints a string for a single version.
    return [JSON.parse(stdout)].flat();
  } catch (cause) {
    if (!(cause instanceof NpmError)) throw cause;
    if (cause.code === 'E404') return null;
    throw new MachineError(`npm could not list the versions of ${packageName}: ${cause.message}`, {
      cause,
      remedy:
        "check the network and npm's registry setting; cached packages are available by exact version",
    });
  }
}

/** @typedef {Extract<VariantSpec, { kind: 'package' }>} PackageSpec */

/** Metadata in the directory of a fetched package. */
const RECORD = 'package-record.json';

/** @typedef {PackageRecord & { packagePath: string }} FetchedPackage with an absolute path */

/**
 * Refuses packages that the family does not list, before anything is fetched or built.
 *
 * @param {PackageSpec} spec
 * @param {FoundFamily} family
 * @throws {UsageError} for any other package
 */
export function requireKnownPackage({ text, registry, packageName }, { name, registries = {} }) {
  const known = Object.entries(registries).flatMap(([each, packages]) =>
    packages.map((ofRegistry) => `${each}:${ofRegistry}`),
  );
  if (known.includes(`${registry}:${packageName}`)) return;
  throw new UsageError(`'${text}' is not a package of ${name}`, {
    remedy: known.length === 0 ? 'it has no packages' : `its packages: ${known.join(', ')}`,
  });
}

/**
 * Finds a version of a package of one of the family's registries in the cache, or has the family's worker
 * fetch it.
 *
 * @param {PackageSpec} spec of a package of the family
 * @param {FamilyWorker} worker
 * @param {ResolveContext} context
 * @returns {Promise<FetchedPackage>}
 * @throws {UsageError} when the registry has no such version
 * @throws {import('../lib/errors.js').FormatError} when its cache entry is damaged
 */
export async function fetchPackage({ registry, packageName, version }, worker, context) {
  const { family, cachePath, signal, onNote } = context;
  const folder = `${registry}-${packageName}@${version}`.replace(/[^\w@.-]+/g, '+');
  const packagePath = join(cachePath, family.name, 'packages', folder);
  await getOrCreate(packagePath, async (staging) => {
    onNote?.(`fetching ${packageName} ${version}, once`);
    const build = openBuild(family.path, worker, { cachePath, outputPath: staging, signal });
    const record = await worker.fetchPackage?.({ registry, name: packageName, version }, build);
    if (record === undefined) throw new Error(`the worker of ${family.name} cannot fetch packages`);
    writeFileSync(join(staging, RECORD), JSON.stringify(record));
  });
  const record = readCached(packagePath, RECORD, (content) =>
    isOfFormat('package-record', content) ? content : undefined,
  );
  return { packagePath, ...record };
}

/**
 * Installs the npm packages that operations need, such as a load generator.
 *
 * @param {Cell[]} cells
 * @param {FoundFamily} family
 * @param {PackagePlaces} places
 * @returns {Promise<Record<string, string>>} directories by name of the package
 * @throws {import('../lib/errors.js').AssayError} when one cannot be installed
 */
export async function findPackages(cells, family, places) {
  /** @type {Record<string, string>} */
  const paths = {};
  for (const operation of new Set(cells.map((cell) => cell.operation))) {
    const { packages = {} } = await loadOperation(family, operation);
    for (const [name, version] of Object.entries(packages)) {
      paths[name] = (await findNpmPackage(name, version, places)).path;
    }
  }
  return paths;
}
