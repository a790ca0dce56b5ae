/** In the sandboxes that work here; where none does, these tests are skipped. */

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { findTool } from '../../host/tools.js';
import { PROJECT } from '../../lib/project.js';
import { limitResources, runConfined } from './confine.js';
import { findSandbox } from './sandbox.js';

/** @import { Job, Sandbox } from '../../formats/types.ts' */

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'assay-confined-')));
const home = join(directory, 'home');
mkdirSync(home);
writeFileSync(join(home, '.npmrc'), '//registry.example/:_authToken=secret');
const environment = { PATH: process.env.PATH, HOME: home, NPM_TOKEN: 'secret' };
afterAll(() => rmSync(directory, { recursive: true }));

const KINDS = /** @type {const} */ (['bwrap', 'unshare']);
const found = await Promise.all(KINDS.map(tryKind));

/**
 * @param {Sandbox['kind']} kind
 * @returns {Promise<Sandbox | null>} null where it does not work here
 */
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
 * Runs a few lines that may fill `seen`, of which they make a report.
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
    timeoutMs: 20_000,
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

/** Tries everything at once, as each process takes its time to start. */
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
      'reads the project, and nothing of its user, the machine or the network',
      async () => {
        const seen = await look(LOOK_AROUND, sandbox);
        expect(seen).toMatchObject({ project: 'assay', home: [], token: null });
        expect(seen.beside).not.toContain('bwrap');
        expect(seen.processes).toBeLessThan(6);
        expect(seen.effective).toMatch(/^0+$/);
        expect(seen.server).toMatch(/^E(?:CONNREFUSED|NETUNREACH)$/);
      },
    );

    inSandbox('writes its output, into a /tmp of its own, and nowhere else', async () => {
      const seen = await look(WRITE_AROUND, sandbox);
      expect(seen).toMatchObject({ output: 'written', temporary: 'written', inProject: 'EROFS' });
      expect(seen.inRoot).toMatch(/^(?:EROFS|EACCES)$/);
      expect(readFileSync(OUTPUT_PATH, 'utf8')).toBe('written');
      expect(existsSync(`${OUTPUT_PATH}.new`)).toBe(false);
      expect(existsSync('/tmp/assay-own')).toBe(false);
      rmSync(OUTPUT_PATH);
    });

    inSandbox('leaves no empty file where it wrote none, and says how it failed', async () => {
      const failure = await look(`console.error('no more'); process.exit(9);`, sandbox);
      expect(failure).toMatchObject({
        reason: 'exit-status',
        detail: 'ended with exit status 9',
        lastLines: ['no more'],
      });
      expect(existsSync(OUTPUT_PATH)).toBe(false);
    });

    inSandbox('has an outcome although its output was removed by somebody else', async () => {
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

(isLinux ? test : test.skip)('what reserves address space is left as it is', () => {
  const own = /^Max address space.*$/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[0];
  expect(run(['cat', '/proc/self/limits']).stdout).toContain(own);
});

test('the command gets its words as they are and becomes the process', () => {
  const words = ['/bin/sh', '-c', 'echo "$1|$2"; exit 7', 'name', 'a  b', '$HOME'];
  expect(run(words)).toMatchObject({ status: 7, stdout: 'a  b|$HOME\n', stderr: '' });
});

test('a command that is not there fails as in a shell', () => {
  expect(run(['/no/such/command']).status).toBe(127);
});
