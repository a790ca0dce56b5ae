/** Which package manager a revision is installed with, and by which commands. */

import { UsageError } from '../lib/errors.js';
import { quoteWords } from '../lib/words.js';
import { beforeFlag } from './dependencies.js';

/** @type {Record<Manager['name'], readonly string[]>} names of lock files, in order of preference */
const LOCKS = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
};
const NAMES = /** @type {(keyof typeof LOCKS)[]} */ (Object.keys(LOCKS));

/** Files that say what is installed. */
export const LOCK_FILES = Object.values(LOCKS).flat();

/**
 * @typedef {object} Manager
 * @property {'npm' | 'pnpm' | 'yarn'} name
 * @property {string | null} version exact; null for the npm of this host
 * @property {string | null} lock name of the lock file; null without one
 * @property {string} root directory that it installs in, which has the lock file or is the root of a workspace; relative
 *   to the repository, empty for its top
 * @property {boolean} isWorkspace whether the package may be a member of one: then what it does not name is installed, too
 * @property {string | null} ownProgram the program that the repository has of it, relative to `root`
 */

/** @typedef {(path: string) => string | null} ReadFile content of a file of a revision; null if there is none */

/**
 * Finds the package manager of a package: that of the field `packageManager` in its package.json or one above, else that of
 * the nearest lock file, else npm.
 *
 * @param {ReadFile} read takes paths relative to the repository
 * @param {string} prefix directory of the package, relative to the repository; empty for its top
 * @returns {Manager}
 */
export function findManager(read, prefix) {
  const directories = listUpwards(prefix);
  const manifests = directories.map((directory) =>
    parseManifest(read(joinPath(directory, 'package.json'))),
  );
  const declared = manifests.map(readDeclaration).find((found) => found !== null);
  const names = declared === undefined ? NAMES : [declared.name];
  const [lockRoot, name, lock] = findLock(read, directories, names) ?? [];
  const workspace = directories.find(
    (directory, index) =>
      manifests[index].workspaces !== undefined ||
      read(joinPath(directory, 'pnpm-workspace.yaml')) !== null,
  );
  const root = lockRoot ?? workspace ?? directories[0];
  const chosen = name ?? declared?.name ?? 'npm';
  const text = lock === undefined ? null : read(joinPath(root, lock));
  const version = declared?.version ?? chooseVersion(chosen, text);
  return {
    name: chosen,
    version,
    lock: lock ?? null,
    root,
    isWorkspace: root !== directories[0] || workspace === root,
    ownProgram: chosen === 'yarn' ? findOwnYarn(read, root) : null,
  };
}

/** @type {(path: string) => string[]} a directory and those above it, up to the top, which is empty */
function listUpwards(path) {
  const steps = path.split('/').filter((step) => step !== '');
  return [...steps.map((_, index) => steps.slice(0, steps.length - index).join('/')), ''];
}

/** @type {(directory: string, name: string) => string} */
const joinPath = (directory, name) => (directory === '' ? name : `${directory}/${name}`);

/** @type {(text: string | null) => Record<string, unknown>} empty for what is no object; the build says what is wrong with it */
function parseManifest(text) {
  try {
    const content = JSON.parse(text ?? '{}');
    return Object(content) === content ? content : {};
  } catch {
    return {};
  }
}

/** `pnpm@10.33.4+sha512.1c67…`; a range of versions says no more than the name */
const DECLARATION = /^(npm|pnpm|yarn)(?:@(\d+\.\d+\.\d+(?:-[\w.]+)?)?|$)/;

/** @type {(manifest: Record<string, any>) => { name: Manager['name'], version: string | null } | null} */
function readDeclaration({ packageManager, devEngines }) {
  const [{ name: wanted = '', version: which = '' } = {}] = [
    devEngines?.packageManager ?? [],
  ].flat();
  const declared = packageManager ?? `${wanted}@${which}`;
  const [, name, version = null] = DECLARATION.exec(String(declared)) ?? [];
  return name === undefined ? null : { name: /** @type {Manager['name']} */ (name), version };
}

/** @type {(read: ReadFile, directories: string[], names: Manager['name'][]) => [root: string, name: Manager['name'], lock: string] | null} */
function findLock(read, directories, names) {
  for (const directory of directories) {
    for (const name of names) {
      const lock = LOCKS[name].find((file) => read(joinPath(directory, file)) !== null);
      if (lock !== undefined) return [directory, name, lock];
    }
  }
  return null;
}

/** The last version of each package manager that writes a format of lock file, by the newest such format. */
const VERSIONS = /** @type {const} */ ({
  pnpm: [
    [5.4, '7.33.7'],
    [6.1, '8.15.9'],
    [Infinity, '10.34.8'],
  ],
  // Another format than its own is a change to yarn, which a frozen installation refuses.
  yarn: [
    [5, '3.1.1'],
    [6, '3.8.7'],
    [8, '4.13.0'],
    [9, '4.14.1'],
    [Infinity, '4.18.1'],
  ],
});
const FORMAT = /^(?:lockfileVersion|__metadata:\s+version): '?([\d.]+)/m;

/** @type {(name: Manager['name'], lock: string | null) => string | null} null for the npm of this host */
function chooseVersion(name, lock) {
  if (name === 'npm') return null;
  if (name === 'yarn' && (lock === null || !isBerryLock(lock))) return '1.22.22';
  const format = Number.parseFloat(FORMAT.exec(lock ?? '')?.[1] ?? 'Infinity');
  return VERSIONS[name].find(([newest]) => format <= newest)?.[1] ?? null;
}

/** @type {(lock: string) => boolean} whether yarn 2 or later wrote it */
const isBerryLock = (lock) => lock.includes('\n__metadata:');

/** @type {(read: ReadFile, root: string) => string | null} */
function findOwnYarn(read, root) {
  const settings = read(joinPath(root, '.yarnrc.yml')) ?? '';
  const path = /^yarnPath:\s*["']?([\w./@-]+\.c?js)/m.exec(settings)?.[1];
  return path !== undefined && read(joinPath(root, path)) !== null ? path : null;
}

/** @type {(manager: Manager) => boolean} */
const isBerry = ({ name, version }) => name === 'yarn' && !String(version).startsWith('1.');

/** @type {(manager: Manager) => string} what tells installations by different managers apart: `pnpm@10.33.4` */
export function identifyManager({ name, version }) {
  return version === null ? name : `${name}@${version}`;
}

/**
 * Whether the commit alone says how a revision is installed: by the npm of this host.
 * @type {(manager: Manager) => boolean}
 */
export function isDefaultManager({ name, version }) {
  return name === 'npm' && version === null;
}

/**
 * @param {Manager} manager
 * @param {string} directory where it runs, relative to the repository
 * @returns {string} shell words that run the package manager; nothing but Node and npm need be installed
 */
export function nameProgram(manager, directory) {
  const { name, version, ownProgram, root } = manager;
  if (isBerry(manager)) {
    // It would otherwise make Plug'n'Play, which Node alone does not understand.
    const variables = 'YARN_NODE_LINKER=node-modules YARN_ENABLE_TELEMETRY=0';
    const up = listUpwards(directory).indexOf(root);
    return ownProgram === null
      ? `${variables} npx --yes --package=@yarnpkg/cli-dist@${version} yarn`
      : `${variables} node ${quoteWords(['../'.repeat(up) + ownProgram])}`;
  }
  return version === null ? name : `npx --yes ${name}@${version}`;
}

const NPM_FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';

/**
 * @typedef {object} InstallChoices
 * @property {string} prefix directory of the package, relative to the repository
 * @property {boolean} isBuilt whether what only a build needs is installed, too
 * @property {string | undefined} [asOf] see `BuildChoices`
 * @property {boolean} [isChanged] whether package.json has changed since the lock file was written
 */

/**
 * What installs the packages that a package needs, or those of its workspace. Lock files are obeyed, scripts of packages
 * do not run.
 *
 * @param {import('../formats/types.ts').PackageManifest} manifest of the package
 * @param {Manager} manager
 * @param {InstallChoices} choices
 * @returns {string} shell command for the directory of the package; empty if nothing has to be installed
 * @throws {UsageError} when the manager cannot install what was there on a day
 */
export function chooseInstall({ dependencies, devDependencies }, manager, choices) {
  // Members of a workspace may have to be built themselves.
  const isDevelopment = choices.isBuilt || manager.isWorkspace;
  const packages = { ...Object(dependencies), ...(isDevelopment ? Object(devDependencies) : {}) };
  // Those of a workspace may be needed, although the member does not name them.
  if (!manager.isWorkspace && Object.keys(packages).length === 0) return '';
  const command = nameInstall(manager, { ...choices, isDevelopment });
  const up = listUpwards(choices.prefix).indexOf(manager.root);
  return up === 0
    ? command
    : `(cd ${Array.from({ length: up }, () => '..').join('/')} && ${command})`;
}

/** @type {(manager: Manager, choices: Omit<InstallChoices, 'isBuilt'> & { isDevelopment: boolean }) => string} for the directory `root` */
function nameInstall(manager, { isDevelopment, asOf, isChanged = false }) {
  const { lock, root } = manager;
  const program = nameProgram(manager, root);
  const isFrozen = lock !== null && !isChanged;
  if (manager.name === 'npm') {
    const scope = isDevelopment ? '--include=dev' : '--omit=dev';
    if (isFrozen) return `${program} ci ${scope} ${NPM_FLAGS}`;
    const before = asOf === undefined ? [] : [beforeFlag(asOf)];
    return [program, 'install', ...before, scope, NPM_FLAGS].join(' ');
  }
  if (lock === null && asOf !== undefined) {
    throw new UsageError(`${manager.name} cannot install what was published until ${asOf}`, {
      remedy: 'leave out --as-of, or commit a lock file',
    });
  }
  if (isBerry(manager)) {
    return `${program} install ${isFrozen ? '--immutable' : '--no-immutable'} --mode=skip-build`;
  }
  if (manager.name === 'pnpm') {
    const frozen = isFrozen ? '--frozen-lockfile' : '--no-frozen-lockfile';
    return `${program} install ${frozen} --ignore-scripts${isDevelopment ? '' : ' --prod'}`;
  }
  const frozen = isFrozen ? '--frozen-lockfile' : '--pure-lockfile';
  const flags = `${frozen} --ignore-scripts --ignore-engines --non-interactive`;
  return `${program} install ${flags}${isDevelopment ? '' : ' --production'}`;
}
