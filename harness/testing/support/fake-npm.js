import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * @typedef {object} FakeNpm
 * @property {string} programPath directory of the program, to be put first on PATH
 * @property {string} cachePath an empty cache
 * @property {() => void} putFirst puts it first on the PATH of this process, until it is removed
 * @property {() => string[]} listCalls the verbs so far: `view`, `install`, `ci`
 * @property {() => void} remove also restores the PATH
 */

/**
 * Makes an npm that knows some versions of every runtime and needs no network. Each runtime it installs is a
 * program that prints its versions.
 *
 * @param {object} registry
 * @param {string[]} [registry.versions] without them there is no package for this platform
 * @param {string} [registry.says] script of every runtime that it installs, instead
 * @param {boolean} [registry.isDown]
 * @param {boolean} [registry.isSilent] whether it hangs
 * @param {boolean} [registry.isCutOff] whether it is killed halfway through `ci`
 * @returns {FakeNpm}
 */
export function makeFakeNpm(registry) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-npm-'));
  const cachePath = join(directory, 'cache');
  const logPath = join(directory, 'calls');
  const { PATH } = process.env;
  const settings = JSON.stringify({ ...registry, logPath });
  const lines = [
    `#!${process.execPath}`,
    `import(${JSON.stringify(import.meta.url)}).then(({ runNpm }) => runNpm(${settings}));`,
  ];
  writeFileSync(join(directory, 'npm'), lines.join('\n'), { mode: 0o755 });
  return {
    programPath: directory,
    cachePath,
    putFirst: () => void (process.env.PATH = `${directory}${delimiter}${PATH}`),
    listCalls: () =>
      existsSync(logPath) ? readFileSync(logPath, 'utf8').trimEnd().split('\n') : [],
    remove() {
      process.env.PATH = PATH;
      rmSync(directory, { recursive: true });
    },
  };
}

/**
 * The program: does `npm view PACKAGE versions`, `npm install PACKAGE@VERSION` or `npm ci`.
 *
 * @param {{ versions?: string[], says?: string, isDown?: boolean, isSilent?: boolean, isCutOff?: boolean, logPath: string }} registry
 */
export function runNpm({ versions, says, isDown, isSilent, isCutOff, logPath }) {
  const [verb, what] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  appendFileSync(logPath, `${verb}\n`);
  if (isSilent === true) return setInterval(() => {}, 60_000);
  if (isDown === true) return fail('ECONNREFUSED', 'connect ECONNREFUSED');
  if (verb === 'ci') return installLocked(isCutOff === true);
  if (versions === undefined) return fail('E404', 'Not Found');
  if (verb === 'view') return process.stdout.write(JSON.stringify(versions));
  const [, name, version] = /** @type {RegExpExecArray} */ (/^(.*)@(.*)$/.exec(what));
  if (!versions.includes(version)) return fail('ETARGET', 'No matching version');
  install(name, version, says ?? sayVersions(version));
}

/**
 * @param {string} version
 * @returns {string} script of a program that is every runtime of this version
 */
export function sayVersions(version) {
  const versions = { node: version, bun: version, deno: version, v8: '1.2.3', webkit: 'c0ffee' };
  return `echo '${JSON.stringify(versions)}'`;
}

/**
 * @param {string} code
 * @param {string} summary
 */
function fail(code, summary) {
  process.stdout.write(JSON.stringify({ error: { code, summary } }));
  process.stderr.write(`npm error code ${code}\nnpm error ${summary}\n`);
  process.stderr.write('npm error A complete log of this run can be found in: /logs/1.log\n');
  process.exitCode = 1;
}

/**
 * @param {string} name
 * @param {string} version
 * @param {string} script of the installed program
 */
function install(name, version, script) {
  const path = `node_modules/${name}`;
  const integrity = `sha512-of-${version}`;
  mkdirSync(`${path}/bin`, { recursive: true });
  for (const program of ['bin/node', 'bin/bun', 'deno']) {
    writeFileSync(`${path}/${program}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  writeFileSync(
    'package-lock.json',
    JSON.stringify({ packages: { [path]: { version, integrity } } }),
  );
}

/**
 * Installs the lock file of the working directory, as empty packages.
 *
 * @param {boolean} isCutOff whether it is killed before the last of them
 */
function installLocked(isCutOff) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const omitsDev = process.argv.includes('--omit=dev');
  const paths = Object.keys(packages).filter(
    (path) => path !== '' && !(omitsDev && packages[path].dev),
  );
  for (const path of isCutOff ? paths.slice(0, -1) : paths) {
    mkdirSync(path, { recursive: true });
    writeFileSync(`${path}/package.json`, '{}');
  }
  if (isCutOff) process.kill(process.pid, 'SIGKILL');
}
