import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findServer, listServers } from './servers.js';
import { makeFamily } from './test-support/make-family.js';
import { makeTestDirectory, writeFiles } from '../testing/support/directories.js';

const folder = makeTestDirectory('servers');
const family = makeFamily('made-up', { path: folder });
const serverPath = join(folder, 'servers', 'mongod');
writeFiles(folder, {
  'package.json': { type: 'module' },
  'servers/mongod/worker.js': `export const worker = {
    program: 'mongod',
    addressVariable: 'MONGODB_URI',
    versionArgs: ['--version'],
    toolchain: [],
    sources: [],
  };`,
});
const ASKED = { server: 'mongod' };
const places = { cachePath: join(folder, 'cache') };

/** @type {(script: string) => { PATH: string }} with a mongod that is this script */
function withProgram(script) {
  const path = join(folder, 'mongod');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: folder };
}

test('families have servers', () => {
  expect(listServers([family])).toEqual([{ name: 'mongod', path: serverPath }]);
});

test('operations use their own server if none is asked for', async () => {
  expect(await findServer({}, family, places)).toBeUndefined();
});

test('a server that runs already comes first, and its address is not kept', async () => {
  const environment = { ...withProgram('exit 1'), MONGODB_URI: 'mongodb://me:secret@somewhere' };
  const found = await findServer(ASKED, family, { ...places, environment });
  expect(found).toEqual({ name: 'mongod', addressVariable: 'MONGODB_URI' });
  const asked = { ...ASKED, sandbox: true };
  await expect(findServer(asked, family, { ...places, environment })).rejects.toThrow(
    /a sandbox has no network/,
  );
});

test('then a program in PATH, with its version', async () => {
  const environment = withProgram('echo db version v6.0.5');
  expect(await findServer(ASKED, family, { ...places, environment })).toEqual({
    name: 'mongod',
    path: join(folder, 'mongod'),
    version: '6.0.5',
  });
});

test('one that does not run, and none at all, are errors with a remedy', async () => {
  const environment = withProgram('echo no libcurl >&2; exit 127');
  await expect(findServer(ASKED, family, { ...places, environment })).rejects.toThrow(
    /does not run: no libcurl/,
  );
  await expect(
    findServer(ASKED, family, { ...places, environment: { PATH: '' } }),
  ).rejects.toMatchObject({ remedy: expect.stringContaining('just setup mongod') });
});
