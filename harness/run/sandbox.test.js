import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { findTool } from '../host/tools.js';
import { EXIT } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { limitResources, runConfined } from './jobs.js';
import { findSandbox, openSandbox, wrapCommand } from './sandbox.js';

/** @import { Job, Sandbox } from '../formats/types.ts' */

const directory = realpathSync(makeTestDirectory('sandbox'));

/**
 * A PATH with fake programs.
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
  test('is not searched for unless it is wanted', async () => {
    expect(await openSandbox(false, makePath('unwanted', {}))).toBeNull();
    expect(await openSandbox(undefined, {})).toBeNull();
  });

  test('is bubblewrap if that works', async () => {
    const environment = makePath('both', { bwrap: 'exit 0', unshare: 'exit 0' });
    const found = await findSandbox(environment);
    expect(found).toMatchObject({ kind: 'bwrap', executable: join(environment.PATH, 'bwrap') });
  });

  test('is unshare if bubblewrap is not permitted to work', async () => {
    const bwrap = 'echo "bwrap: No permissions to create new namespace" >&2; exit 1';
    const found = await findSandbox(makePath('forbidden', { bwrap, unshare: 'exit 0' }));
    expect(found.kind).toBe('unshare');
  });

  test('that does not isolate is refused', async () => {
    const bwrap = 'echo "error: the file system can be written"';
    const environment = makePath('leaking', { bwrap });
    await expect(findSandbox(environment)).rejects.toThrow(
      'no sandbox works here: bwrap does not work: error: the file system can be written; there is no unshare',
    );
  });

  test('that is missing is an error that says what to install', async () => {
    await expect(openSandbox(true, makePath('empty', {}))).rejects.toMatchObject({
      exitStatus: EXIT.failed,
      message: 'no sandbox works here: there is no bwrap; there is no unshare',
      remedy: expect.stringContaining('apt-get install bubblewrap'),
    });
  });
});

test('hides the home and temporary directories that exist, and never the whole file system', async () => {
  const home = join(directory, 'hidden-home');
  mkdirSync(home);
  const works = makePath('hiding', { bwrap: 'exit 0' });
  const { hiddenPaths } = await findSandbox({ ...works, HOME: home, TMPDIR: home });
  expect(hiddenPaths.filter((path) => path === home)).toEqual([home]);
  expect(hiddenPaths).toContain(realpathSync('/tmp'));
  const nowhere = join(directory, 'nowhere');
  const { hiddenPaths: others } = await findSandbox({ ...works, HOME: '/', TMPDIR: nowhere });
  expect(others).not.toContain('/');
  expect(others).not.toContain(nowhere);
});

/** @type {Sandbox} */
const BWRAP = { kind: 'bwrap', executable: '/usr/bin/bwrap', hiddenPaths: ['/tmp', '/home/ann'] };
/** @type {Sandbox} */
const UNSHARE = { ...BWRAP, kind: 'unshare', executable: '/usr/bin/unshare' };
const NONE = { readable: [], writable: [] };

/** @type {(words: string[], option: string) => string[]} the words after each occurrence */
function listAfter(words, option) {
  return words.flatMap((word, index) => (word === option ? [words[index + 1] ?? ''] : []));
}

test.each([
  ['bubblewrap', BWRAP, ['--unshare-all', '--die-with-parent']],
  ['unshare', UNSHARE, ['--net', '--pid', '--mount', '--kill-child']],
])('under %s there is no network, and workers die with the harness', (_, sandbox, options) => {
  const words = wrapCommand(['node'], NONE, sandbox);
  expect(words[0]).toBe(sandbox.executable);
  expect(words).toEqual(expect.arrayContaining(options));
  expect(words).not.toContain('--share-net');
});

describe('with bubblewrap', () => {
  test('the command comes last, unchanged, and has no capabilities', () => {
    const words = wrapCommand(['node', '--flag', 'a b', '--'], NONE, BWRAP);
    expect(words.slice(words.indexOf('--'))).toEqual(['--', 'node', '--flag', 'a b', '--']);
    expect(listAfter(words, '--cap-drop')).toEqual(['ALL']);
  });

  test('everything but the writable paths is read-only', () => {
    const words = wrapCommand(['node'], { readable: [], writable: ['/work/out'] }, BWRAP);
    expect(listAfter(words, '--ro-bind')).toEqual(['/']);
    expect(listAfter(words, '--bind')).toEqual(['/work/out']);
  });

  test.each([
    [
      'hidden paths that must be read, outer directories first',
      ['/home/ann/project/deep', '/home/ann/project', '/tmp/case', '/tmp/case'],
      ['/tmp/case', '/home/ann/project', '/home/ann/project/deep'],
    ],
    ['paths with a name like a parent', ['/tmp/..case'], ['/tmp/..case']],
    ['no path that contains hidden ones', ['/home/ann', '/home', '/', '/tmp'], []],
    ['no path that is visible anyway', ['/opt/tool', '/tmpfiles'], []],
  ])('shows %s', (_, readable, shown) => {
    const words = wrapCommand(['node'], { readable, writable: [] }, BWRAP);
    expect(listAfter(words, '--ro-bind')).toEqual(['/', ...shown]);
    if (shown.length > 0) {
      expect(words.lastIndexOf('--tmpfs')).toBeLessThan(words.indexOf(shown[0]));
    }
  });
});

test('a hidden directory inside of another is not shown', () => {
  const sandbox = { ...BWRAP, hiddenPaths: ['/home', '/home/ann'] };
  const readable = ['/home/ann', '/home/ann/project'];
  const words = wrapCommand(['node'], { readable, writable: [] }, sandbox);
  expect(listAfter(words, '--ro-bind')).toEqual(['/', '/home/ann/project']);
});

test('with unshare the script gets what to hide, show and make writable, then the command', () => {
  const paths = { readable: ['/tmp/case'], writable: ['/tmp/case/out'] };
  const words = wrapCommand(['node', 'hide'], paths, UNSHARE);
  expect(words.slice(words.indexOf('hide'))).toEqual([
    ...['hide', '/tmp', 'hide', '/home/ann'],
    ...['show', '/tmp/case', 'write', '/tmp/case/out'],
    ...['--', 'node', 'hide'],
  ]);
});

// Workers in the sandboxes that work here; skipped if none does.

const home = join(directory, 'home');
mkdirSync(home);
writeFileSync(join(home, '.npmrc'), '//registry.example/:_authToken=secret');
const environment = { PATH: process.env.PATH, HOME: home, NPM_TOKEN: 'secret' };

const KINDS = /** @type {const} */ (['bwrap', 'unshare']);
const found = await Promise.all(KINDS.map(tryKind));

/** @type {(kind: Sandbox['kind']) => Promise<Sandbox | null>} null if it does not work here */
async function tryKind(kind) {
  const tool = findTool(kind, environment);
  if (tool === null) return null;
  const path = join(directory, kind);
  mkdirSync(path);
  symlinkSync(tool, join(path, kind));
  const sandbox = await findSandbox({ ...environment, PATH: path }).catch(() => null);
  return sandbox === null ? null : { ...sandbox, executable: tool };
}

const OUTPUT_PATH = join(directory, 'a run', 'output');
mkdirSync(join(directory, 'a run'));

/**
 * Runs a few lines, which fill `seen`, and reports it.
 *
 * @param {string} code of an async function
 * @param {Sandbox | null} sandbox
 * @returns {Promise<any>} `seen`, or the failure
 */
async function look(code, sandbox) {
  const job = {
    formatVersion: FORMAT_VERSION,
    id: 'look',
    kind: 'output',
    familyPath: join(PROJECT.experimentsPath, 'js-bson'),
    variant: { modulePath: join(directory, 'variant', 'index.js') },
    corpus: { files: {} },
    outputPath: OUTPUT_PATH,
  };
  const { formatVersion, id: jobId, kind } = job;
  const runtime = { name: 'node', version: process.versions.node, flags: [] };
  const report = JSON.stringify({ formatVersion, jobId, kind, runtime, outputDigest: null });
  const program = `
    const fs = require('node:fs');
    const attempt = (act) => { try { return act(); } catch (error) { return error.code; } };
    (async (seen) => { ${code}
      const thrown = JSON.stringify(seen);
      console.log(JSON.stringify({ ...${report}, thrown })); process.exit(0); })({});`;
  const command = {
    executable: process.execPath,
    args: ['-e', program],
    environment,
    timeoutMs: 100_000,
  };
  const outcome = await runConfined(/** @type {Job} */ (/** @type {unknown} */ (job)), command, {
    sandbox,
  });
  if ('failure' in outcome) return outcome.failure;
  return JSON.parse(/** @type {any} */ (outcome.report).thrown);
}

const server = createServer((socket) => socket.end());
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
afterAll(() => void server.close());
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

/** Tries everything in one process, because each takes time to start. */
const LOOK_AROUND = `
  seen.token = process.env.NPM_TOKEN ?? null;
  seen.home = fs.readdirSync(process.env.HOME);
  seen.beside = fs.readdirSync(${JSON.stringify(directory)});
  seen.project = JSON.parse(fs.readFileSync(${inProject('package.json')}, 'utf8')).name;
  seen.processes = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length;
  seen.effective = /^CapEff:\\s*(.*)$/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1];
  seen.server = await new Promise((resolve) => {
    const socket = require('node:net').connect(${port}, '127.0.0.1');
    socket.on('connect', () => resolve('connected')).on('error', ({ code }) => resolve(code));
  });`;

const WRITE_AROUND = `
  const write = (path) => attempt(() => fs.writeFileSync(path, 'written') ?? 'written');
  seen.output = write(${JSON.stringify(OUTPUT_PATH)});
  seen.temporary = write('/tmp/assay-own');
  seen.neighbour = write(${JSON.stringify(`${OUTPUT_PATH}.new`)});
  seen.inProject = write(${inProject('trace')});
  seen.inRoot = write('/assay-trace');`;

/** @param {string} name */
function inProject(name) {
  return JSON.stringify(join(PROJECT.projectPath, name));
}

test('without a sandbox a worker sees the home directory, and no token of the environment', async () => {
  const seen = await look(LOOK_AROUND, null);
  expect(seen).toMatchObject({ home: ['.npmrc'], token: null, server: 'connected' });
});

describe.each(KINDS.map((kind, index) => ({ kind, sandbox: found[index] ?? null })))(
  'a worker under $kind',
  ({ sandbox }) => {
    const inSandbox = sandbox === null ? test.skip : test;

    inSandbox(
      'reads the project, and nothing of the user, the machine or the network',
      async () => {
        const seen = await look(LOOK_AROUND, sandbox);
        expect(seen).toMatchObject({ project: 'assay', home: [], token: null });
        expect(seen.beside).not.toContain('bwrap');
        expect(seen.processes).toBeLessThan(6);
        expect(seen.effective).toMatch(/^0+$/);
        expect(seen.server).toMatch(/^E(?:CONNREFUSED|NETUNREACH)$/);
      },
    );

    inSandbox('writes its output, to its own /tmp, and nowhere else', async () => {
      const seen = await look(WRITE_AROUND, sandbox);
      expect(seen).toMatchObject({ output: 'written', temporary: 'written', inProject: 'EROFS' });
      expect(seen.inRoot).toMatch(/^(?:EROFS|EACCES)$/);
      expect(readFileSync(OUTPUT_PATH, 'utf8')).toBe('written');
      expect(existsSync(`${OUTPUT_PATH}.new`)).toBe(false);
      expect(existsSync('/tmp/assay-own')).toBe(false);
      rmSync(OUTPUT_PATH);
    });

    inSandbox('leaves no empty file if it wrote nothing, and says how it failed', async () => {
      const failure = await look(`console.error('no more'); process.exit(9);`, sandbox);
      expect(failure).toMatchObject({
        reason: 'exit-status',
        detail: 'ended with exit status 9',
        lastLines: ['no more'],
      });
      expect(existsSync(OUTPUT_PATH)).toBe(false);
    });

    inSandbox('has an outcome although another process removed its output', async () => {
      const looking = look('', sandbox);
      rmSync(OUTPUT_PATH);
      await expect(looking).resolves.toBeDefined();
    });
  },
);

const isLinux = process.platform === 'linux';

/** @param {string[]} words */
function run(words) {
  const [executable, ...args] = limitResources(words);
  return spawnSync(executable ?? '', args, { encoding: 'utf8' });
}

(isLinux ? test : test.skip)('limits hold in the command', () => {
  const { stdout } = run(['cat', '/proc/self/limits', '/proc/self/oom_score_adj']);
  expect(stdout).toMatch(/^Max core file size +0 +0 /m);
  expect(stdout).toMatch(/^Max file size +4294967296 +4294967296 /m);
  expect(Number(/^Max open files +(\d+)/m.exec(stdout)?.[1])).toBeLessThanOrEqual(4_096);
  expect(stdout).toMatch(/^1000$/m);
});

(isLinux ? test : test.skip)('the address space is not limited', () => {
  const own = /^Max address space.*$/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[0];
  expect(run(['cat', '/proc/self/limits']).stdout).toContain(own);
});

test('the command gets its words unchanged and becomes the process', () => {
  const words = ['/bin/sh', '-c', 'echo "$1|$2"; exit 7', 'name', 'a  b', '$HOME'];
  expect(run(words)).toMatchObject({ status: 7, stdout: 'a  b|$HOME\n', stderr: '' });
});

test('a command that does not exist fails as in a shell', () => {
  expect(run(['/no/such/command']).status).toBe(127);
});
