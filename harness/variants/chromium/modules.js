import { existsSync, readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { moduleResolve } from 'import-meta-resolve';
import { findPackageRoot } from '../package-entry.js';

/** @import { Job } from '../../formats/types.ts' */

/** Address of the pages, which no network knows; files have the path that they have on disk. */
export const ORIGIN = 'https://assay.invalid';

const HARNESS_PATH = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const WORKER_PATH = join(HARNESS_PATH, 'worker');
const PAGE_PATH = join(WORKER_PATH, 'page');
const NODE_MODULES_PATH = join(PAGE_PATH, 'node-modules.js');
/** Modules of the worker that a page replaces. */
const REPLACED = ['clock.js', 'event-loop.js', 'open-inspector.js', 'watch-collections.js'];

/** What a bundler for browsers asks for. */
const CONDITIONS = Object.freeze({
  import: new Set(['browser', 'import', 'default']),
  require: new Set(['browser', 'require', 'default']),
});
const NODE_CONDITIONS = new Set(['node', 'import', 'default']);

/** Specifiers of imports. It also matches in comments and strings; at worst the import map gets an unused entry. */
const SPECIFIERS = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g;
/** A use of the global `Buffer`, or what looks like one. */
const BUFFER = /(?<![.$\w])Buffer\b/;
const BUFFER_IMPORT = /\bimport\s*\{[^}]*\bBuffer\b[^}]*\}\s*from/;

/** The modules of a job as a browser loads them: from source, at their paths. */
export class PageModules {
  #bufferPath;
  /** Directories of the harness and of families, whose modules use Node's `Buffer`. */
  #ownPaths;

  /**
   * @param {Job} job
   * @param {string} bufferPath directory with the npm package `buffer` and those that it needs
   */
  constructor({ familyPath, variant }, bufferPath) {
    this.#bufferPath = bufferPath;
    const families = [
      familyPath,
      ...(variant.patchedPath === undefined ? [] : [variant.patchedPath]),
    ];
    this.#ownPaths = [
      HARNESS_PATH,
      join(dirname(HARNESS_PATH), 'corpora'),
      ...families.flatMap((path) => [path, join(dirname(path), 'support')]),
    ];
  }

  /**
   * The page of a job.
   *
   * @param {Job} job
   * @returns {string} HTML
   */
  makePage(job) {
    const map = JSON.stringify(this.#makeImportMap(listEntries(job))).replaceAll('<', '\\u003c');
    const address = JSON.stringify(locate(join(PAGE_PATH, 'page.js')));
    return `<!doctype html><meta charset="utf-8"><title>Assay</title>
<script type="importmap">${map}</script>
<script>
const fail = (error) => fetch('/?ask=fail', { method: 'POST', body: JSON.stringify(String(error?.stack ?? error)) });
addEventListener('error', ({ error, message }) => fail(error ?? message));
addEventListener('unhandledrejection', ({ reason }) => fail(reason));
import(${address}).then(({ work }) => work()).catch(fail);
</script>`;
  }

  /**
   * @param {string} path of a JavaScript file
   * @returns {string} what the browser is given as module
   */
  readModule(path) {
    if (isCommonJs(path)) return wrapCommonJs(path);
    const text = readFileSync(path, 'utf8');
    // In the first line, so that lines keep their numbers.
    return this.#usesBuffer(path, text) ? `import { Buffer } from 'node:buffer'; ${text}` : text;
  }

  /**
   * @param {string} specifier of a CommonJS module
   * @param {string} parentUrl URL in the page
   * @returns {string} path
   * @throws {Error} when there is none that a browser could load
   */
  resolveRequired(specifier, parentUrl) {
    const parent = pathToFileURL(decodeURIComponent(new URL(parentUrl).pathname));
    if (specifier === 'buffer') return join(this.#bufferPath, 'buffer', 'index.js');
    if (builtinModules.includes(specifier.replace(/^node:/, ''))) {
      throw new Error(`'${specifier}' is a module of Node, which a browser does not have`);
    }
    if (specifier.startsWith('.') || specifier.startsWith('/'))
      return createRequire(parent).resolve(specifier);
    try {
      return fileURLToPath(moduleResolve(specifier, parent, CONDITIONS.require));
    } catch {
      // A main file without extension, which only CommonJS permits.
      return createRequire(parent).resolve(specifier);
    }
  }

  /** @type {(path: string, text: string) => boolean} */
  #usesBuffer(path, text) {
    // The directories themselves may be in `node_modules`.
    const isOwn = this.#ownPaths.some(
      (own) =>
        path.startsWith(own + sep) && !path.slice(own.length).includes(`${sep}node_modules${sep}`),
    );
    if (!isOwn || path.startsWith(PAGE_PATH)) return false;
    return BUFFER.test(text) && !BUFFER_IMPORT.test(text);
  }

  /**
   * @param {string[]} entries paths
   * @returns {{ imports: Record<string, string>, scopes: Record<string, Record<string, string>> }}
   */
  #makeImportMap(entries) {
    /** @type {Record<string, string>} */
    const imports = {};
    for (const name of builtinModules) {
      imports[name] = imports[`node:${name}`] = locate(NODE_MODULES_PATH);
    }
    for (const name of REPLACED) {
      imports[locate(join(WORKER_PATH, name))] = locate(join(PAGE_PATH, name));
    }
    /** @type {Record<string, Record<string, string>>} */
    const scopes = {};
    const seen = new Set(entries);
    for (const path of seen) {
      if (!existsSync(path) || isCommonJs(path)) continue;
      const parent = pathToFileURL(path);
      for (const [, , specifier] of readFileSync(path, 'utf8').matchAll(SPECIFIERS)) {
        if (/^(?:[a-z]+:|\/)/.test(specifier)) continue;
        const target = resolveImport(specifier, parent);
        if (target === null) continue;
        seen.add(target);
        if (!specifier.startsWith('.')) {
          (scopes[locate(findPackage(path)) + '/'] ??= {})[specifier] = locate(target);
        }
      }
    }
    return { imports, scopes };
  }
}

/**
 * The module that a browser would be given in the place of one for Node: what its package exports to browsers.
 *
 * @param {string} path of a module
 * @returns {string}
 */
export function findBrowserModule(path) {
  const root = findPackage(path);
  const manifestPath = join(root, 'package.json');
  if (!existsSync(manifestPath)) return path;
  const { name, exports } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  if (name === undefined || exports === undefined) return path;
  const manifest = pathToFileURL(manifestPath);
  try {
    const ofNode = fileURLToPath(moduleResolve(name, manifest, NODE_CONDITIONS));
    if (ofNode !== path) return path;
    return fileURLToPath(moduleResolve(name, manifest, CONDITIONS.import));
  } catch {
    return path;
  }
}

/** @param {string} path absolute @returns {string} path of its address in the page */
function locate(path) {
  return ORIGIN + path.split(sep).map(encodeURIComponent).join('/');
}

/** @param {Job} job @returns {string[]} paths of the modules that the worker loads for it, by computed names too */
function listEntries(job) {
  const { familyPath, variant } = job;
  const { modulePath, patchedPath = familyPath } = variant;
  return [
    join(PAGE_PATH, 'page.js'),
    modulePath,
    join(patchedPath, 'compose.js'),
    join(familyPath, 'conformance.js'),
    ...('operation' in job ? [join(familyPath, 'operations', `${job.operation}.js`)] : []),
  ];
}

/** @type {(specifier: string, parent: URL) => string | null} */
function resolveImport(specifier, parent) {
  try {
    const url = moduleResolve(specifier, parent, CONDITIONS.import);
    return url.protocol === 'file:' ? fileURLToPath(url) : null;
  } catch {
    return null;
  }
}

/** @type {(path: string) => string} the directory of the package of a file, or of the file if it is in none */
function findPackage(path) {
  return findPackageRoot(path) ?? dirname(path);
}

/** @param {string} path */
function isCommonJs(path) {
  const extension = extname(path);
  if (extension !== '.js') return extension === '.cjs';
  if (!path.includes(`${sep}node_modules${sep}`)) return false;
  const manifestPath = join(findPackage(path), 'package.json');
  return JSON.parse(readFileSync(manifestPath, 'utf8')).type !== 'module';
}

/**
 * As bundlers do: the exports that the module has when loaded become named exports.
 * @type {(path: string) => string} text of an ES module
 */
function wrapCommonJs(path) {
  const names = Object.keys(createRequire(import.meta.url)(path)).filter(
    (name) => name !== 'default',
  );
  return [
    `import { requireFile } from ${JSON.stringify(locate(join(PAGE_PATH, 'require.js')))};`,
    `const module = requireFile(${JSON.stringify(path)});`,
    'export default module;',
    ...names.map((name, index) => {
      const text = JSON.stringify(name);
      return `const v${index} = module[${text}]; export { v${index} as ${text} };`;
    }),
  ].join('\n');
}
