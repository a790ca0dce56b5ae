/**
 * Makes a process take Linux for macOS, as far as a module can that is loaded before everything else (`--import`): the
 * name of the platform, and no files in `/proc` and `/sys`. Workers do so, too, where `ASSAY_TEST_NODE` names a program
 * that starts Node in this way. The tools of Linux are for the caller to leave out of the PATH.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const HIDDEN = /^\/(?:proc|sys)(?:\/|$)/;

Object.defineProperty(process, 'platform', { value: 'darwin' });
Object.assign(os, { platform: () => 'darwin', type: () => 'Darwin', release: () => '24.6.0' });
const { ASSAY_TEST_NODE: node } = process.env;
if (node !== undefined) process.execPath = node;

/** @type {Record<string, any>} */
const functions = fs;
for (const [name, open] of Object.entries(functions)) {
  if (!name.endsWith('Sync')) continue;
  functions[name] = (/** @type {unknown} */ path, /** @type {any[]} */ ...rest) => {
    if (!HIDDEN.test(String(path))) return open(path, ...rest);
    if (name === 'existsSync') return false;
    if (rest[0]?.throwIfNoEntry === false) return undefined;
    const message = `ENOENT: no such file or directory, '${path}'`;
    throw Object.assign(new Error(message), { code: 'ENOENT', syscall: 'open', path });
  };
}
Object.assign(fs.realpathSync, { native: fs.realpathSync });
syncBuiltinESMExports();
