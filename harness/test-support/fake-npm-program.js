/** The npm of `fake-npm.js`: a program of its own, which knows the versions that it is told. */

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';

/**
 * Does `npm view PACKAGE versions` or `npm install PACKAGE@VERSION`.
 *
 * @param {{ versions?: string[], says?: string, isDown?: boolean, logPath: string }} registry
 */
export function runNpm({ versions, says, isDown, logPath }) {
  const [verb, what] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  appendFileSync(logPath, `${verb}\n`);
  if (isDown === true) return fail('ECONNREFUSED', 'connect ECONNREFUSED');
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
