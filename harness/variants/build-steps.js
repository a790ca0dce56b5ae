/** Which scripts of its package.json build a package, and what may be left out of its installation. */

/** @import { PackageManifest } from '../formats/types.ts' */
/** @import { Manager } from './package-manager.js' */

/** Script `build` whose last step creates the bundle. */
const BUNDLE_LAST = /(?:^|&&)\s*(?:npm|pnpm|yarn) run (build:bundle)\s*$/;
/** Scripts that build a package without a script `build`, in order of preference. */
const OTHER_NAMES = ['prepack', 'prepare', 'compile', 'bundle', 'prepublishOnly'];

/**
 * Names of the scripts that build a package, in order of preference: the next is tried if there is no module.
 *
 * If the last step of the script `build` is `npm run build:bundle`, that step alone is tried first: in such packages the
 * earlier steps create type declarations, which are not needed.
 *
 * @param {PackageManifest} manifest
 * @param {{ hasModule: boolean }} state whether its module is part of the commit
 * @returns {string[]} empty if there is nothing to build
 */
export function chooseScripts({ scripts = {} }, { hasModule }) {
  const { build } = scripts;
  if (build === undefined) {
    return hasModule ? [] : OTHER_NAMES.filter((name) => scripts[name] !== undefined);
  }
  const [, bundle] = BUNDLE_LAST.exec(build) ?? [];
  return bundle !== undefined && scripts[bundle] !== undefined ? [bundle, 'build'] : ['build'];
}

/** Where builds write. What a commit has there may be older than its sources. */
const OUTPUTS = /^(?:dist|build|out|output|bundle|\.output)(?:\/|-|$)/;

/**
 * Whether a module that a commit has is its source rather than what an earlier build wrote.
 * @type {(entry: string) => boolean} takes a path relative to the package
 */
export function isSource(entry) {
  return !OUTPUTS.test(entry);
}

/** `github:user/name`, `user/name#main`, `git+ssh://…`, or an archive of a server that is no registry. */
const NO_REGISTRY =
  /^(?:git[+:@]|git@|github:|gitlab:|bitbucket:|gist:|https?:|ssh:|[\w-]+\/[\w.-]+(?:#|$))/;

/** @type {(wanted: string) => boolean} whether a dependency is a repository or an archive of a server that is no registry */
export function isOfNoRegistry(wanted) {
  return NO_REGISTRY.test(wanted);
}

/** How package managers say that a registry does not have a package. */
const MISSING = [
  /'((?:@[^/@']+\/)?[^/@']+)@[^']*' is not in this registry/g,
  /\b((?:@[\w.-]+\/)?[\w.-]+) is not in the npm registry/g,
];

/** @type {(log: string[]) => Set<string>} names of packages */
export function listMissing(log) {
  const text = log.join('\n');
  return new Set(MISSING.flatMap((form) => [...text.matchAll(form)].map(([, name]) => name)));
}

const RUNTIME_FIELDS = ['dependencies', 'peerDependencies', 'optionalDependencies'];

/**
 * Removes dependencies of the packages of a repository, as far as only the build of one of them could need these.
 *
 * @param {Record<string, PackageManifest>} manifests by directory
 * @param {string} directory of the package that is built
 * @param {(name: string, wanted: string) => boolean} isUnwanted
 * @returns {{ changed: Record<string, PackageManifest>, names: string[] }} what has changed, and the names of what was
 *   removed
 */
export function leaveOut(manifests, directory, isUnwanted) {
  const needed = listRuntimeMembers(manifests, directory);
  /** @type {Record<string, PackageManifest>} */
  const changed = {};
  /** @type {Set<string>} */
  const names = new Set();
  for (const [member, manifest] of Object.entries(manifests)) {
    for (const field of ['devDependencies', ...(needed.has(member) ? [] : RUNTIME_FIELDS)]) {
      const all = Object.entries(Object(manifest[field]));
      const removed = all.filter(([name, wanted]) => isUnwanted(name, String(wanted)));
      if (removed.length === 0) continue;
      const kept = Object.fromEntries(all.filter((entry) => !removed.includes(entry)));
      changed[member] = { ...(changed[member] ?? manifest), [field]: kept };
      for (const [name] of removed) names.add(name);
    }
  }
  return { changed, names: [...names] };
}

/** @type {(manifests: Record<string, PackageManifest>, directory: string) => Set<string>} directories of the package and of those that it loads */
function listRuntimeMembers(manifests, directory) {
  const byName = new Map(Object.entries(manifests).map(([member, { name }]) => [name, member]));
  const found = new Set([directory]);
  // A set also visits what is added meanwhile.
  for (const member of found) {
    const manifest = manifests[member] ?? {};
    const names = RUNTIME_FIELDS.flatMap((field) => Object.keys(Object(manifest[field])));
    for (const name of names) {
      const other = byName.get(name);
      if (other !== undefined) found.add(other);
    }
  }
  return found;
}

/** @type {(manifest: PackageManifest, manager: Manager) => boolean} whether it is the root of a workspace and no package itself */
export function isOnlyRoot({ exports, main, private: isPrivate }, { isWorkspace }) {
  return isWorkspace && exports === undefined && main === undefined && isPrivate === true;
}
