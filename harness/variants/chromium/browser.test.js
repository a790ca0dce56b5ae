import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownRuntime } from '../runtimes.js';
import { startBrowser } from './browser.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { InstalledRuntime } from '../../formats/types.ts' */

const { PATH, TMPDIR = tmpdir() } = process.env;
const root = makeTestDirectory('browser');
const temporaryPath = mkdtempSync(join(root, 'temporary-'));
const { find } = /** @type {InstalledRuntime} */ (knownRuntime('chromium'));

afterEach(() => void Object.assign(process.env, { PATH, TMPDIR }));

/**
 * Puts a program in the place of Chromium, alone in the PATH.
 * @type {(script: string) => string} its path
 */
function install(script) {
  const directory = mkdtempSync(join(root, 'bin-'));
  const path = join(directory, 'chromium');
  writeFileSync(path, `#!${process.execPath}\n${script}`, { mode: 0o755 });
  Object.assign(process.env, { PATH: directory, TMPDIR: temporaryPath });
  return path;
}

/** Answers in two parts, as a pipe may. */
const ANSWERS = `
  const fs = require('node:fs');
  fs.createReadStream(null, { fd: 3 }).on('data', (data) => {
    const { id, method } = JSON.parse(String(data).slice(0, -1));
    const result = { product: 'Chrome/156.1.2.3', jsVersion: '15.6.7' };
    const text = JSON.stringify(method === 'Browser.getVersion' ? { id, result } : { id, error: { message: 'no such method' } });
    fs.writeSync(4, JSON.stringify({ method: 'Event', params: 1 }) + '\\0' + text.slice(0, 5));
    setTimeout(() => fs.writeSync(4, text.slice(5) + '\\0'), 20);
  });
`;

describe('Chromium', () => {
  test('is refused if it is not installed, with what installs it', async () => {
    install('');
    process.env.PATH = temporaryPath;
    await expect(find(null, { cachePath: root })).rejects.toMatchObject({
      message: 'no Chromium is installed',
      remedy: expect.stringContaining('just tools'),
      exitStatus: 4,
    });
  });

  test('is refused if another version is installed', async () => {
    install(ANSWERS);
    await expect(find('155', { cachePath: root })).rejects.toMatchObject({
      message: 'the Chromium of this host is 156.1.2.3, not 155',
      exitStatus: 2,
    });
  });

  test('that does not start is named, with its reason, and leaves nothing behind', async () => {
    const path = install("console.error('FATAL: no usable sandbox'); process.exit(1);");
    await expect(find(null, { cachePath: root })).rejects.toMatchObject({
      message: `'${path}' does not start: the browser ended: FATAL: no usable sandbox`,
      exitStatus: 4,
    });
    expect(readdirSync(temporaryPath)).toEqual([]);
  });

  test('answers or refuses, and tells what happens', async () => {
    const browser = startBrowser(install(ANSWERS), []);
    const events = new Promise((resolve) => browser.listen('Event', resolve));
    expect(await browser.send('Browser.getVersion')).toMatchObject({ jsVersion: '15.6.7' });
    await expect(browser.send('Other.method')).rejects.toThrow('no such method');
    expect(await events).toBe(1);
    await browser.close();
    expect(await browser.ended).toMatch(/^the browser ended/);
    await expect(browser.send('Browser.getVersion')).rejects.toThrow('the browser ended');
  });
});

describe('what a killed worker left behind', () => {
  /** Larger than any id of a process. */
  const ENDED_PID = 2 ** 30;

  /** @param {string} name @param {string} socketPath */
  function leave(name, socketPath) {
    const profilePath = join(temporaryPath, `assay-chromium-${ENDED_PID}-${name}`);
    mkdirSync(profilePath);
    symlinkSync(join(socketPath, 'SingletonSocket'), join(profilePath, 'SingletonSocket'));
  }

  /** @param {string} path @returns {string} of a directory with a file */
  function fill(path) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'file'), '');
    return path;
  }

  /** In a process of its own, because that of jest keeps its directory of temporary files. */
  function startOther() {
    const script = `
      import { startBrowser } from ${JSON.stringify(new URL('browser.js', import.meta.url).href)};
      await startBrowser(${JSON.stringify(process.execPath)}, []).close();`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { TMPDIR: temporaryPath },
    });
  }

  test('is removed, and nothing that its links lead to besides the directory of the socket', () => {
    const kept = [
      fill(join(root, 'org.chromium.elsewhere')),
      fill(join(temporaryPath, 'other')),
      fill(join(root, 'linked')),
    ];
    leave('elsewhere', kept[0]);
    leave('other', kept[1]);
    leave('usual', fill(join(temporaryPath, 'org.chromium.Chromium.abc')));
    symlinkSync(kept[2], join(temporaryPath, `assay-chromium-${ENDED_PID}-link`));
    startOther();
    expect(readdirSync(temporaryPath).sort()).toEqual([
      `assay-chromium-${ENDED_PID}-link`,
      'other',
    ]);
    expect(kept.filter((path) => existsSync(join(path, 'file')))).toEqual(kept);
  });

  const testAsRoot = process.getuid?.() === 0 ? test : test.skip;
  testAsRoot('stays if it belongs to another user', () => {
    const path = fill(join(temporaryPath, `assay-chromium-${ENDED_PID}-strange`));
    chownSync(path, 12_345, 12_345);
    startOther();
    expect(existsSync(path)).toBe(true);
  });
});
