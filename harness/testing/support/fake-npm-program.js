/** The npm of `fake-npm.js`: a program of its own, which knows the versions that it is told. */

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Does `npm view PACKAGE versions`, `npm install PACKAGE@VERSION` or `npm ci`.
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
  const [name, version] = what.split('@');
  if (!versions.includes(version)) return fail('ETARGET', 'No matching version');
  install(name, version, says ?? `echo v${version}`);
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
 * @param {string} script of what is installed
 */
function install(name, version, script) {
  const path = `node_modules/${name}`;
  const integrity = `sha512-of-${version}`;
  mkdirSync(`${path}/bin`, { recursive: true });
  writeFileSync(`${path}/bin/node`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  writeFileSync(
    'package-lock.json',
    JSON.stringify({ packages: { [path]: { version, integrity } } }),
  );
}

/**
 * Installs what the lock file in the working directory says, as empty packages.
 *
 * @param {boolean} isCutOff whether it ends before the last of them
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
