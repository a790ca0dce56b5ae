import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { isOfFormat } from '../formats/schemas.js';
import { parseJson, readText } from '../lib/files.js';
import { FormatError, MachineError, UsageError } from '../lib/errors.js';
import { FETCH_FLAGS } from '../lib/fetch-flags.js';
import { findUpwards } from '../lib/places.js';
import { PROJECT, isTrusted } from '../lib/project.js';
import { omitUndefined } from '../lib/records.js';
import { didYouMean } from '../lib/words.js';
import { openBuild } from './build-family.js';
import { getOrCreate, readCached } from './cache.js';
import {
  INSTALLED_LOCK,
  MODULES,
  beforeFlag,
  findLocked,
  listDependencies,
  makeLock,
  nameDependency,
} from './dependencies.js';
import { loadOperation } from './families.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Cell, Dependency, FamilyWorker, PackageRecord, VariantIdentity, VariantSpec } from '../formats/types.ts' */
/** @import { AssayError } from '../lib/errors.js' */
/** @import { Changed, Places } from './cache.js' */
/** @import { Locked } from './dependencies.js' */
/** @import { FoundFamily } from './families.js' */
/** @import { ResolveContext } from './resolve.js' */

export const INSTALL_TIMEOUT_MS = 120_000;
const LOCK = 'package-lock.json';
const PROJECT_FILE = 'package.json';
// The last two are what the settings of a project may change.
const FLAGS = [
  ...['--ignore-scripts', '--no-audit', '--no-fund'],
  ...['--package-lock', '--install-strategy=hoisted'],
];
const SETTINGS_FILE = '.npmrc';
const REMEDY = 'restore the committed version of the file';
/** Digits of a digest in the name of a directory. */
const NAME_DIGITS = 12;

/**
 * `projectPath`: of the project whose settings of npm hold; `workingPath`: base of relative paths.
 * @typedef {Places & { assayPath: string, projectPath?: string, workingPath?: string }} PackagePlaces
 */

/**
 * Which dependencies a package gets, if not the newest that it permits.
 *
 * @typedef {object} Resolution
 * @property {Record<string, string>} [overrides] versions by name, wherever they are needed
 * @property {string | undefined} [asOf] `2026-01-31`: the newest that were published by the end of that day, in UTC
 * @property {Recorded | undefined} [recorded] of an earlier result: exactly these dependencies, if npm can be told so
 * @property {true | undefined} [isArchive] whether the version is the path or URL of an archive
 */

/** @typedef {Pick<VariantIdentity, 'integrity' | 'dependencies'>} Recorded */

/** @typedef {{ path: string, version: string, integrity: string, dependencies: Dependency[] }} FoundPackage `path`: its directory */

/**
 * Finds an exact version of a package: among the dependencies of Assay, in the cache, or in the registry,
 * from which it is installed into the cache without running its scripts.
 *
 * @param {string} packageName
 * @param {string} version
 * @param {PackagePlaces} places
 * @param {Resolution} [resolution]
 * @returns {Promise<FoundPackage>}
 * @throws {UsageError} when the registry has no such version
 * @throws {MachineError} when npm fails otherwise
 * @throws {FormatError} when its cache entry is damaged, or npm would never install what is recorded
 */
export async function findNpmPackage(packageName, version, places, resolution = {}) {
  const { overrides = {}, asOf, recorded = {}, isArchive } = resolution;
  if (isArchive === true) {
    const archive = locateArchive(version, places);
    const wanted = { packageName, version: archive, overrides, asOf };
    return openHome(
      join(places.cachePath, 'npm', nameArchive(packageName, archive)),
      wanted,
      places,
    );
  }
  const own = findOwn(packageName, places.assayPath);
  if (own?.version === version && Object.keys(overrides).length === 0 && !needsOthers(own)) {
    return { path: own.path, version, integrity: own.integrity, dependencies: [] };
  }
  const wanted = { packageName, version, overrides, asOf };
  const home = join(places.cachePath, 'npm', nameHome(wanted));
  const { integrity, dependencies = [] } = recorded;
  const packages = [...dependencies, { path: packageName, version, integrity }];
  if (dependencies.length === 0 || !areKnown(packages)) return openHome(home, wanted, places);
  const recordedHome = `${home}~${digestList(dependencies)}`;
  if (existsSync(home) && !existsSync(recordedHome)) {
    const usual = await openHome(home, wanted, places);
    if (digestList(usual.dependencies) === digestList(dependencies)) return usual;
  }
  return openHome(recordedHome, { ...wanted, packages }, places);
}

/**
 * A package to install; `packages`: what its installation consists of, if that is known.
 * @typedef {Required<Pick<Resolution, 'overrides' | 'asOf'>> & { packageName: string, version: string, packages?: Dependency[] }} Wanted
 */

/** @param {Locked} locked */
function needsOthers({ dependencies = {}, optionalDependencies = {} }) {
  return Object.keys({ ...dependencies, ...optionalDependencies }).length > 0;
}

/** @type {(wanted: Wanted) => string} `@scope+name@1.2.3+dependency=1.0.0~2026-01-31` */
function nameHome({ packageName, version, overrides, asOf }) {
  const set = Object.entries(overrides).sort(([a], [b]) => (a < b ? -1 : 1));
  const name = [`${packageName}@${version}`, ...set.map((entry) => entry.join('='))].join('+');
  return [name.replaceAll('/', '+'), ...(asOf === undefined ? [] : [asOf])].join('~');
}

const URL_START = /^https?:/;

/** @type {(typed: string, places: Pick<PackagePlaces, 'workingPath'>) => string} its URL or absolute path */
export function locateArchive(typed, { workingPath = '.' }) {
  if (URL_START.test(typed)) return typed;
  const path = resolve(workingPath, typed);
  if (existsSync(path)) return path;
  throw new UsageError(`the archive '${path}' does not exist`, {
    remedy: 'relative paths are relative to the current directory',
  });
}

/** @type {(packageName: string, archive: string) => string} by the contents of a file, or by its URL */
function nameArchive(packageName, archive) {
  const named = URL_START.test(archive) ? archive : readFileSync(archive);
  const digest = createHash('sha256').update(named).digest('hex').slice(0, NAME_DIGITS);
  return `${packageName.replaceAll('/', '+')}@archive-${digest}`;
}

/** @type {(packages: { integrity?: string | undefined }[]) => packages is Dependency[]} */
function areKnown(packages) {
  return packages.every(({ integrity }) => integrity !== undefined);
}

/** @type {(packages: Dependency[]) => string} */
function digestList(packages) {
  const lines = packages.map(({ path, version, integrity }) => `${path} ${version} ${integrity}`);
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, NAME_DIGITS);
}

/** @type {(home: string, wanted: Wanted, places: PackagePlaces) => Promise<FoundPackage>} */
async function openHome(home, wanted, places) {
  const { packageName } = wanted;
  const fill = (/** @type {string} */ staging, /** @type {Changed | null} */ changed) =>
    install(wanted, staging, changed, places);
  await getOrCreate(home, fill, { onNote: places.onNote });
  const { version, integrity, dependencies } = readCached(home, LOCK, (content) => {
    const locked = findLocked(content, `${MODULES}/${packageName}`);
    return locked && { ...locked, dependencies: listDependencies(content, packageName) };
  });
  return { path: join(home, MODULES, packageName), version, integrity, dependencies };
}

/** @type {(wanted: Wanted, directory: string, changed: Changed | null, places: PackagePlaces) => Promise<void>} */
async function install(wanted, directory, changed, { signal, onNote, projectPath }) {
  const { packageName, version, overrides, asOf, packages } = wanted;
  const isArchive = isAbsolute(version) || URL_START.test(version);
  const name = isArchive ? version : `${packageName}@${version}`;
  const settings = findSettings(projectPath);
  /** @type {RunNpm} */
  const runHere = (...args) =>
    runNpm(args, { cwd: directory, timeoutMs: INSTALL_TIMEOUT_MS, signal });
  onNote?.(`fetching ${name}`);
  const link = join(directory, SETTINGS_FILE);
  if (settings !== null) symlinkSync(settings, link);
  try {
    if (packages !== undefined) {
      await installRecorded(wanted, packages, directory, runHere);
    } else if (changed !== null && !isArchive && hasLock(changed)) {
      for (const file of [PROJECT_FILE, LOCK]) {
        copyFileSync(join(changed.path, file), join(directory, file));
      }
      await runHere('ci', ...FLAGS);
    } else {
      writeProject(directory, { overrides });
      const before = asOf === undefined ? [] : [beforeFlag(asOf)];
      await runHere('install', ...FLAGS, '--save-exact', ...before, name);
      requireOverrides(wanted, readLock(join(directory, LOCK), 'try again'));
    }
  } catch (cause) {
    if (!(cause instanceof NpmError)) throw cause;
    throw explainFailure(wanted, cause);
  } finally {
    rmSync(link, { force: true });
  }
}

/**
 * Settings of npm that belong to the project: npm itself looks for them where it installs, which is in the cache.
 * @type {(projectPath: string | undefined) => string | null}
 */
function findSettings(projectPath) {
  const file = projectPath === undefined ? null : findUpwards(projectPath, SETTINGS_FILE);
  return file !== null && isTrusted(dirname(file)) ? file : null;
}

/** @typedef {(...args: string[]) => Promise<string>} RunNpm in the directory of an installation */

/** @type {(directory: string, project: object) => void} */
function writeProject(directory, project) {
  writeFileSync(
    join(directory, PROJECT_FILE),
    `${JSON.stringify({ private: true, ...project })}\n`,
  );
}

/** @type {(changed: Changed) => boolean} whether its lock file still says what was installed */
function hasLock({ path, files }) {
  return ![PROJECT_FILE, LOCK].some((file) => files.has(file) || !existsSync(join(path, file)));
}

/**
 * Installs recorded packages, and refuses those that npm would not install: the record may come from a stranger.
 * @type {(wanted: Wanted, packages: Dependency[], directory: string, runHere: RunNpm) => Promise<void>}
 */
async function installRecorded(wanted, packages, directory, runHere) {
  const { packageName, version, overrides } = wanted;
  const { project, lock } = makeLock(packages);
  writeProject(directory, project);
  writeFileSync(join(directory, LOCK), JSON.stringify(lock));
  await runHere('ci', ...FLAGS);
  // npm looks at the packages themselves instead of what the lock file says of them.
  rmSync(join(directory, MODULES, INSTALLED_LOCK), { force: true });
  writeProject(directory, { dependencies: { [packageName]: version }, overrides });
  const { problems = [] } = JSON.parse(await runHere('ls', '--all'));
  if (problems.length === 0) return;
  const [problem] = problems[0].split(` ${directory}`);
  throw new NpmError(problem, 'ELSPROBLEMS', undefined);
}

/** @type {(wanted: Wanted, lock: any) => void} */
function requireOverrides({ packageName, version, overrides }, lock) {
  const dependencies = listDependencies(lock, packageName);
  const names = [...new Set(dependencies.map(nameDependency))];
  const unknown = Object.keys(overrides).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `${packageName}@${version} does not depend on '${unknown}'${didYouMean(unknown, names)}`,
    {
      remedy:
        names.length === 0 ? 'it has no dependencies' : `its dependencies: ${names.join(', ')}`,
    },
  );
}

/** @type {(wanted: Wanted, cause: NpmError) => AssayError} */
export function explainFailure({ packageName, version, overrides, asOf, packages }, cause) {
  const name = `${packageName}@${version}`;
  const failure = `npm could not install ${name}: ${cause.message}`;
  if (cause.code === 'ELSPROBLEMS') {
    return new FormatError(`npm would not install ${name} as it was recorded: ${cause.message}`, {
      cause,
      remedy: 'ask for the original report',
    });
  }
  if (cause.code !== 'E404' && cause.code !== 'ETARGET') {
    return new MachineError(failure, {
      cause,
      remedy: "check the network and npm's registry setting, then try again",
    });
  }
  if (packages !== undefined || asOf !== undefined || Object.keys(overrides).length > 0) {
    const remedy =
      'npm view PACKAGE time lists the versions of a package and when each was published';
    return new UsageError(failure, { cause, remedy });
  }
  if (packageName === '') {
    return new UsageError(failure, { cause, remedy: 'check its address' });
  }
  return new UsageError(`the npm registry has no ${name}`, {
    cause,
    remedy: `npm view ${packageName} versions lists the versions`,
  });
}

/**
 * @param {string} packageName
 * @param {string} assayPath
 * @returns {(Locked & { path: string }) | null} null if Assay does not depend on it
 * @throws {FormatError} when a lock file is damaged
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

const run = promisify(execFile);
/** `npm pack` lists every file of a package. */
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;

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
  const running = run('npm', [...args, ...flags], {
    env: process.env,
    ...options,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    ...omitUndefined({ signal }),
  });
  try {
    return (await running).stdout;
  } catch (cause) {
    await waitForExit(running.child);
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
 * An interrupted call fails before its process has ended, and the caller removes the directory that npm still fills.
 * @type {(child: ChildProcess) => Promise<void>}
 */
async function waitForExit(child) {
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (isRunning) await once(child, 'exit');
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
    const stdout = await runNpm(['view', packageName, 'versions'], {
      timeoutMs: TIMEOUT_MS,
      cwd: PROJECT.projectPath,
    });
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
 * @throws {FormatError} when its cache entry is damaged
 */
export async function fetchPackage({ registry, packageName, version }, worker, context) {
  const { family, cachePath, signal, onNote } = context;
  const folder = `${registry}-${packageName}@${version}`.replace(/[^\w@.-]+/g, '+');
  const packagePath = join(cachePath, family.name, 'packages', folder);
  const fetch = async (/** @type {string} */ staging) => {
    onNote?.(`fetching ${packageName} ${version}, once`);
    const build = openBuild(family.path, worker, { cachePath, outputPath: staging, signal });
    const record = await worker.fetchPackage?.({ registry, name: packageName, version }, build);
    if (record === undefined) throw new Error(`the worker of ${family.name} cannot fetch packages`);
    writeFileSync(join(staging, RECORD), JSON.stringify(record));
  };
  await getOrCreate(packagePath, fetch, { onNote });
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
 * @throws {AssayError} when one cannot be installed
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
