import { UsageError } from '../lib/errors.js';
import { PROGRAM } from '../lib/program.js';
import { addPin, splitPin } from '../lib/words.js';
import { parseRuntime } from './runtimes.js';

/** @import { VariantSpec } from '../formats/types.ts' */

/** @typedef {Omit<Extract<VariantSpec, { kind: 'built-in' }>, 'runtime'>} BuiltInSpec */
/** @typedef {Omit<Extract<VariantSpec, { kind: 'npm' }>, 'runtime'>} NpmSpec */
/** @typedef {Omit<Extract<VariantSpec, { kind: 'package' }>, 'runtime'>} PackageSpec */
/** @typedef {Omit<Extract<VariantSpec, { kind: 'git' }>, 'runtime'>} GitSpec */
/** @typedef {Omit<Extract<VariantSpec, { kind: 'path' }>, 'runtime'>} PathSpec */

const BUILT_IN = /^(?:([a-z][a-z0-9-]*):)?([a-z0-9][a-z0-9.-]*)$/;
const PACKAGE_NAME = String.raw`(?:@[A-Za-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*`;
// A version, a range or a tag, without what npm takes for a path, an alias or a repository.
const NPM = new RegExp(`^(${PACKAGE_NAME})(?:@([\\w^~<>=*][\\w.^~<>=|* -]*))?$`);
const ARCHIVE = new RegExp(
  `^(?:(${PACKAGE_NAME})@)?(https?://[^\\s]+|[^\\s:@]+\\.(?:tgz|tar\\.gz))$`,
);
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const PACKAGE = /^([a-z][a-z0-9-]*):([A-Za-z0-9][\w.:/-]*)@(\d+(?:\.\d+)*(?:[.-][\w.-]+)?)$/;
// Revisions of git, without characters that have another meaning to git or a shell.
const GIT = /^(.+)@([0-9A-Za-z][\w./~^-]*)$/;
const OVERRIDE = new RegExp(`^(${PACKAGE_NAME})=(.*)$`);
const SETTING = /^([a-z][a-z0-9-]*)=([A-Za-z0-9][\w.-]*)$/;
const FORMS = `a built-in name (see '${PROGRAM} variants'), npm:PACKAGE@1.2.3, REGISTRY:PACKAGE@1.2.3, git:DIRECTORY@REVISION or path:DIRECTORY`;

/**
 * Reads a variant spec: `generator`, `js-bson:generator`, `linked-list+object-id=packed`,
 * `npm:bson@7.2.0`, `npm:bson@^7`, `npm:./bson-7.2.0.tgz`, `npm:protobufjs@7.5.4+long=5.2.3`, `maven:org.mongodb:bson@5.4.0`, `git:../js-bson@0231603`, `path:../js-bson`; any of
 * them may end in `@node=20` or `@bun=1.4`. Does not check that the variant exists.
 *
 * @param {string} text
 * @returns {VariantSpec}
 * @throws {UsageError} for any other form
 */
export function parseVariantSpec(text) {
  const { spec, runtime } = splitPin(text);
  if (runtime !== null) parseRuntime(runtime);
  return { ...parseUnpinned(spec), text, runtime };
}

/** @param {string} text */
function parseUnpinned(text) {
  if (text.startsWith('npm:')) return parseNpm(text);
  if (text.startsWith('git:')) return parseGit(text);
  if (text.startsWith('path:')) return parsePath(text);
  const [base, ...settings] = text.split('+');
  return base.includes('@')
    ? parsePackage(text, base, settings)
    : parseBuiltIn(text, base, settings);
}

/**
 * @param {string} text
 * @param {string} base without settings
 * @param {string[]} settings
 * @returns {PackageSpec}
 */
function parsePackage(text, base, settings) {
  const match = PACKAGE.exec(base);
  if (match === null) {
    throw new UsageError(`'${text}' is not a variant`, { remedy: `a variant is ${FORMS}` });
  }
  const [, registry, packageName, version] = match;
  return {
    kind: 'package',
    text,
    registry,
    packageName,
    version,
    settings: parseSettings(text, settings),
  };
}

/**
 * @param {string} text
 * @param {string} base without settings
 * @param {string[]} settings
 * @returns {BuiltInSpec}
 */
function parseBuiltIn(text, base, settings) {
  const match = BUILT_IN.exec(base);
  if (match === null) {
    throw new UsageError(`'${text}' is not a variant`, { remedy: `a variant is ${FORMS}` });
  }
  return {
    kind: 'built-in',
    text,
    family: match[1] ?? null,
    name: match[2],
    settings: parseSettings(text, settings),
  };
}

/**
 * @param {string} text
 * @param {string[]} parts `object-id=packed`
 * @returns {Record<string, string>}
 */
function parseSettings(text, parts) {
  /** @type {Record<string, string>} */
  const settings = {};
  for (const part of parts) {
    const match = SETTING.exec(part);
    if (match === null || Object.hasOwn(settings, match[1])) {
      throw new UsageError(`'${text}': '${part}' is not AXIS=VALUE, or is a duplicate`, {
        remedy: 'for example: linked-list+object-id=packed',
      });
    }
    settings[match[1]] = match[2];
  }
  return settings;
}

/** @type {(text: string) => NpmSpec} */
function parseNpm(text) {
  const rest = text.slice('npm:'.length);
  const archive = ARCHIVE.exec(rest);
  if (archive !== null) {
    const [, packageName = '', version] = archive;
    return { kind: 'npm', text, packageName, version, isArchive: true, overrides: {} };
  }
  const [base, ...parts] = rest.split('+');
  const match = NPM.exec(base);
  if (match === null) {
    throw new UsageError(`'${text}' is not a version of a package`, {
      remedy:
        'use npm:PACKAGE@1.2.3, a range or a tag (npm:PACKAGE@^1.2, npm:PACKAGE@next), or an archive (npm:./package-1.2.3.tgz)',
    });
  }
  const [, packageName, version = 'latest'] = match;
  /** @type {Record<string, string>} */
  const overrides = {};
  for (const part of parts) {
    const [, name, wanted] = OVERRIDE.exec(part) ?? [];
    const isWrong = name === undefined || name === packageName || !EXACT.test(wanted);
    if (isWrong || Object.hasOwn(overrides, name)) {
      throw new UsageError(
        `'${text}': '${part}' is not DEPENDENCY=VERSION with an exact version, or is a duplicate`,
        { remedy: 'for example: npm:protobufjs@7.5.4+@protobufjs/utf8=1.1.0' },
      );
    }
    overrides[name] = wanted;
  }
  return { kind: 'npm', text, packageName, version, overrides };
}

/** @type {(spec: NpmSpec) => boolean} whether it names one version of one package, or an archive of a package */
export function isPinned({ packageName, version, isArchive }) {
  return isArchive === true ? packageName !== '' : EXACT.test(version);
}

/** @type {(text: string) => GitSpec} */
function parseGit(text) {
  const match = GIT.exec(text.slice('git:'.length));
  if (match === null || match[2].includes('..')) {
    throw new UsageError(`'${text}' is not a revision of a checkout`, {
      remedy:
        'use git:DIRECTORY@REVISION with a branch, a tag, a commit or merge-base, as in git:../js-bson@0231603',
    });
  }
  return { kind: 'git', text, directory: match[1], ref: match[2] };
}

/** @type {(text: string) => PathSpec} */
function parsePath(text) {
  const path = text.slice('path:'.length);
  if (path === '') {
    throw new UsageError(`'${text}' has no directory`, {
      remedy: 'use path:../js-bson for a built checkout, or path:./codec.js for a module',
    });
  }
  return { kind: 'path', text, path };
}

/** @type {(spec: NpmSpec, version: string) => string} the spec of another version with the same versions of dependencies */
export function changeVersion({ packageName, overrides }, version) {
  const set = Object.entries(overrides).map((entry) => `+${entry.join('=')}`);
  return `npm:${packageName}@${version}${set.join('')}`;
}

/** A built-in name, or a package of a registry other than npm's. */
const WITH_AXES = /^(?!npm:|git:|path:)/;

/**
 * Adds settings to a variant spec: `5.4.0` and `buffer=direct` become `5.4.0+buffer=direct`.
 *
 * @param {string} spec as typed
 * @param {string[]} settings `AXIS=VALUE`
 * @returns {string}
 * @throws {UsageError} when variants of that kind have no axes
 */
export function setAxes(spec, settings) {
  if (!WITH_AXES.test(spec)) {
    throw new UsageError(`'${spec}' has no axes, but ${settings.join(', ')} is set for both arms`, {
      remedy: 'set axes of one arm in its spec: NAME+AXIS=VALUE',
    });
  }
  const { spec: unpinned, runtime } = splitPin(spec);
  return addPin([unpinned, ...settings].join('+'), runtime);
}
