import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['.github/workflows', 'reports/examples/workflows'];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => join(folder, name)),
);
const ACTIONLINT = execFileSync('sh', [join(PROJECT, 'scripts/find-actionlint.sh')], {
  encoding: 'utf8',
}).trim();

// Counted as skipped where `just tools` could not install actionlint.
const testWithActionlint = existsSync(ACTIONLINT) ? test : test.skip;

describe.each(FILES)('the workflow %s', (file) => {
  const lines = readFileSync(join(PROJECT, file), 'utf8').split('\n');

  testWithActionlint('passes actionlint', async () => {
    const said = await new Promise((resolve) => {
      execFile(ACTIONLINT, ['-no-color', file], { cwd: PROJECT }, (_, stdout) => resolve(stdout));
    });
    expect(said).toBe('');
  });

  test('pins every action to a commit and states its version', () => {
    const actions = lines.filter((line) => /uses: (?!your-organization\/assay\/)/.test(line));
    const pinned = /uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(actions.filter((line) => !pinned.test(line))).toEqual([]);
  });

  test('uses no expression in a script: external values are passed through the environment', () => {
    const expressions = lines.filter((line) => line.includes('${{'));
    const value = /^ *(?:- )?(?!run:)[\w-]+: (?!\|)/;
    expect(expressions.filter((line) => !value.test(line))).toEqual([]);
  });

  test('requests few permissions, and leaves no token in a checkout', () => {
    const text = lines.join('\n');
    expect(text).toMatch(/^permissions:/m);
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length);
  });
});

test('the workflow that follows a branch runs code of the project only where it may not write', () => {
  const path = join(PROJECT, '.github/workflows/follow.yml');
  const { permissions, jobs } = parse(readFileSync(path, 'utf8'));
  expect(permissions).toEqual({});
  expect(jobs.measure.permissions).toEqual({ contents: 'read' });
  for (const { permissions: own, steps } of [jobs.publish, jobs.deploy]) {
    expect(Object.values(own)).toContain('write');
    const scripts = steps.map((/** @type {{ run?: string }} */ { run = '' }) => run).join('\n');
    expect(scripts).not.toMatch(/install-project|assay\.js (?!changes|report|site)/);
  }
  expect(JSON.stringify(jobs.measure)).not.toMatch(/github\.token|secrets/);
});

test('the measuring workflow has no write permission', () => {
  const text = ['.github/workflows/compare.yml', 'reports/examples/workflows/assay.yml']
    .map((file) => readFileSync(join(PROJECT, file), 'utf8'))
    .join('\n');
  expect(text).not.toMatch(/: write|write-all|pull_request_target|secrets/);
});
