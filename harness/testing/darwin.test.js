import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EXIT } from '../lib/errors.js';
import { makeTestDirectory } from './support/directories.js';
import { testLong } from './support/gates.js';

const run = promisify(execFile);
const directory = makeTestDirectory('darwin');
const path = join(directory, 'bin');
const node = join(path, 'node');
const DARWIN = fileURLToPath(new URL('support/darwin.js', import.meta.url));
const ASSAY = fileURLToPath(new URL('../assay.js', import.meta.url));

const CELL = '--op serialize --corpus small-doc --explain none --placements 0 --seed 1';
const COMPARE = ['compare', 'recursive', 'generator', ...CELL.split(' ')];

beforeAll(() => {
  mkdirSync(path);
  for (const tool of ['git', 'npm']) {
    symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(path, tool));
  }
  writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' --import '${DARWIN}' "$@"\n`);
  chmodSync(node, 0o755);
});

const variables = { PATH: path, HOME: directory, ASSAY_TEST_NODE: node };

/** Runs commands in one process of its own, in which jobs are scripted. */
const SCRIPT = `
const [{ callAssay }, { scriptJobs }] = await Promise.all(
  ['project', 'scripted-jobs'].map((name) => import(process.env.SUPPORT + name + '.js')),
);
const { readdirSync } = await import('node:fs');
const ended = [];
for (const args of JSON.parse(process.env.COMMANDS)) {
  const named = args.map((word) => (word === 'RUN' ? 'runs/' + readdirSync('runs')[0] : word));
  ended.push(await callAssay(named, { workingPath: process.cwd(), runJob: scriptJobs() }));
}
process.stdout.write(JSON.stringify(ended));
`;

/** @type {(commands: string[][]) => Promise<{ status: number, stdout: string, stderr: string }[]>} */
async function runOnDarwin(commands) {
  const env = {
    ...variables,
    SUPPORT: new URL('support/', import.meta.url).href,
    COMMANDS: JSON.stringify(commands),
  };
  const { stdout } = await run(node, ['--input-type=module', '--eval', SCRIPT], {
    env,
    cwd: mkdtempSync(join(directory, 'at-')),
  });
  return JSON.parse(stdout);
}

const DONE = { status: EXIT.done, stderr: '' };

testLong(
  'where there is no Linux, jobs run one at a time, and what needs Linux is refused by name',
  async () => {
    const [init, compared, report, ...refused] = await runOnDarwin([
      ['init', 'my-codec'],
      [...COMPARE, '--out', 'runs'],
      ['report', 'RUN'],
      [...COMPARE, '--schedule', 'paired'],
      [...COMPARE, '--sandbox'],
      [...COMPARE, '--with', 'perf'],
      [...COMPARE, '--runtime', 'chromium'],
    ]);
    expect([init, report]).toMatchObject([DONE, DONE]);
    expect(compared.status).toBe(EXIT.done);
    expect(compared.stderr).not.toMatch(/note:|error/);
    expect(report.stdout).toContain('--schedule sequential');
    expect(refused.map(({ status, stderr }) => [status, stderr.split('\n', 1)[0]])).toEqual([
      [EXIT.failed, 'error: a paired schedule needs Linux, which binds jobs to cores'],
      [EXIT.failed, 'error: workers are sandboxed on Linux only'],
      [EXIT.failed, "error: recorder 'perf' is not available: perf is a part of Linux"],
      [EXIT.failed, expect.stringMatching(/^error: Chromium can be measured on Linux only/)],
    ]);
  },
);

testLong(
  'there, workers measure, and doctor has one note for each thing that it cannot know',
  async () => {
    const [doctor, check] = await runOnDarwin([
      ['doctor', '--full'],
      ['check', 'recursive'],
    ]);
    expect([doctor, check]).toMatchObject([DONE, DONE]);
    const unknown = [...doctor.stdout.matchAll(/^\? (\w+(?: \w+)?) +not known$/gm)];
    expect(unknown.map(([, name]) => name)).toEqual(
      'governor,turbo,SMT,clock source,autogroup,ASLR,steal,runnable,pressure'.split(','),
    );
    expect(doctor.stdout).not.toContain('apt-get');
    const args = [ASSAY, ...COMPARE, '--budget', '4', '--out', 'measured'];
    const measured = await run(node, args, { env: variables, cwd: path });
    expect(measured.stdout).toContain('Same output as ');
    expect(measured.stdout).toContain('--schedule sequential');
    expect(measured.stderr).not.toMatch(/note:|error/);
  },
);
