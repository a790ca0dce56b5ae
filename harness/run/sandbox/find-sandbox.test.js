import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { EXIT } from '../../lib/exit-status.js';
import { findSandbox, listHiddenPaths, openSandbox } from './sandbox.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'assay-probe-')));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * A PATH on which programs do as told.
 *
 * @param {string} name of its directory
 * @param {Record<string, string>} programs shell commands by name
 */
function makePath(name, programs) {
  const path = join(directory, name);
  mkdirSync(path);
  for (const [program, command] of Object.entries(programs)) {
    writeFileSync(join(path, program), `#!/bin/sh\n${command}\n`);
    chmodSync(join(path, program), 0o755);
  }
  return { PATH: path };
}

describe('a sandbox', () => {
  test('is not looked for where none is wanted', async () => {
    expect(await openSandbox(false, makePath('unwanted', {}))).toBeNull();
    expect(await openSandbox(undefined, {})).toBeNull();
  });

  test('is bubblewrap where that works', async () => {
    const environment = makePath('both', { bwrap: 'exit 0', unshare: 'exit 0' });
    const found = await findSandbox(environment);
    expect(found).toMatchObject({ kind: 'bwrap', executable: join(environment.PATH, 'bwrap') });
  });

  test('is unshare where bubblewrap is forbidden to work', async () => {
    const bwrap = 'echo "bwrap: No permissions to create new namespace" >&2; exit 1';
    const found = await findSandbox(makePath('forbidden', { bwrap, unshare: 'exit 0' }));
    expect(found.kind).toBe('unshare');
  });

  test('that does not keep what it is for is none', async () => {
    const bwrap = 'echo "error: the file system can be written"';
    const environment = makePath('leaking', { bwrap });
    await expect(findSandbox(environment)).rejects.toThrow(
      'no sandbox works here: bwrap does not work: error: the file system can be written; there is no unshare',
    );
  });

  test('that is missing ends the program, with what to install', async () => {
    await expect(openSandbox(true, makePath('empty', {}))).rejects.toMatchObject({
      exitStatus: EXIT.failed,
      message: 'no sandbox works here: there is no bwrap; there is no unshare',
      remedy: expect.stringContaining('apt-get install bubblewrap'),
    });
  });
});

describe('hidden are', () => {
  test('the home directory and that of temporary files, each once', () => {
    const home = join(directory, 'home');
    mkdirSync(home);
    const hidden = listHiddenPaths({ HOME: home, TMPDIR: home });
    expect(hidden.filter((path) => path === home)).toEqual([home]);
    expect(hidden).toContain(realpathSync('/tmp'));
  });

  test('never all of the file system, nor what is not there', () => {
    const hidden = listHiddenPaths({ HOME: '/', TMPDIR: join(directory, 'nowhere') });
    expect(hidden).not.toContain('/');
    expect(hidden).not.toContain(join(directory, 'nowhere'));
  });
});
