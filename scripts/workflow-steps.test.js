/** The commands of the workflows, run here as a runner would: each job in a directory of its own, with artifacts between. */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { useFakeGh } from '../harness/cli/pull-requests/test-support/fake-gh.js';
import { PROJECT } from '../harness/lib/project.js';
import { isLong, testLong } from '../harness/testing/support/gates.js';
import { makeProject } from '../harness/testing/support/project.js';
import { makeTestDirectory } from '../harness/testing/support/directories.js';
import { makeRepository } from '../harness/variants/test-support/make-repository.js';

/**
 * @typedef {object} Step
 * @property {string} [name]
 * @property {string} [run]
 * @property {string} [uses]
 * @property {Record<string, string>} [with]
 * @property {Record<string, string>} [env]
 * @property {string} [working-directory]
 *
 * @typedef {Record<string, string>} Values of expressions, by their text
 *
 * @typedef {object} Room where a workflow runs
 * @property {string} path new
 * @property {string} [repository] what is checked out as the project
 * @property {Record<string, string>} [environment] of every step
 */

const run = promisify(execFile);
const directory = makeTestDirectory('workflow');
const gh = useFakeGh(join(directory, 'gh'), { comments: [] });

/** @param {string} name  @returns {Record<string, { steps: Step[], env?: Record<string, string> }>} */
function readJobs(name) {
  const path = join(PROJECT.projectPath, '.github', 'workflows', `${name}.yml`);
  return parse(readFileSync(path, 'utf8')).jobs;
}

/** @param {unknown} text  @param {Values} values */
function fill(text, values) {
  return String(text).replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression) => {
    if (expression in values) return values[expression];
    throw new Error(`no value for '${expression}'`);
  });
}

/**
 * Runs the steps of a job.
 *
 * @param {Step[]} steps
 * @param {string} name of the job
 * @param {Values} values
 * @param {Room} room
 * @returns {Promise<{ output: string, summary: string }>}
 */
async function runSteps(steps, name, values, room) {
  const workspace = join(room.path, name);
  mkdirSync(join(workspace, 'locks'), { recursive: true });
  const [GITHUB_OUTPUT, GITHUB_STEP_SUMMARY] = ['output', 'summary'].map((name) => {
    writeFileSync(join(workspace, name), '');
    return join(workspace, name);
  });
  const inherited = { ...process.env };
  delete inherited.ASSAY_INVOCATION_DIRECTORY;
  const own = {
    GITHUB_OUTPUT,
    GITHUB_STEP_SUMMARY,
    GITHUB_WORKSPACE: workspace,
    ASSAY_LOCK_DIRECTORY: join(workspace, 'locks'),
  };
  for (const step of steps) {
    if (step.uses !== undefined) useAction(step, workspace, values, room);
    if (step.run === undefined) continue;
    const filled = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, values)]);
    const env = { ...inherited, ...own, ...room.environment, ...Object.fromEntries(filled) };
    const cwd = join(workspace, step['working-directory'] ?? 'assay');
    await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { cwd, env });
  }
  return {
    output: readFileSync(GITHUB_OUTPUT, 'utf8'),
    summary: readFileSync(GITHUB_STEP_SUMMARY, 'utf8'),
  };
}

/** @param {Step} step  @param {string} workspace  @param {Values} values  @param {Room} room */
function useAction(
  { uses = '', with: options = {} },
  workspace,
  values,
  { path: roomPath, repository },
) {
  const artifacts = join(roomPath, 'artifacts');
  const [action] = uses.split('@');
  const { name, path = '', pattern } = options;
  switch (action) {
    case 'actions/setup-node':
      return;
    case 'actions/checkout':
      return checkOut(join(workspace, path), repository);
    case 'actions/upload-artifact': {
      const found = listMatches(workspace, path);
      expect(found).not.toEqual([]);
      const artifact = join(artifacts, fill(name, values));
      for (const file of found) cpSync(join(workspace, file), artifact, { recursive: true });
      return;
    }
    case 'actions/download-artifact':
      for (const artifact of listMatches(artifacts, pattern)) {
        cpSync(join(artifacts, artifact), join(workspace, path, artifact), { recursive: true });
      }
      return;
    default:
      throw new Error(`no such action here: ${action}`);
  }
}

/** @type {(directory: string, pattern: string) => string[]} paths in the directory */
function listMatches(directory, pattern) {
  const wanted = new RegExp(`^${pattern.replaceAll('*', '[^/]*')}$`);
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((path) => wanted.test(path));
}

/** @param {string} path  @param {string} [repository] */
function checkOut(path, repository) {
  if (basename(path) === 'assay') {
    makeProject(path, [], ['program']);
    mkdirSync(join(path, 'scripts'));
    // Everything is installed; what it does is tested with it.
    writeFileSync(join(path, 'scripts', 'set-up.sh'), '');
    const script = join('scripts', 'install-project.js');
    cpSync(join(PROJECT.projectPath, script), join(path, script));
  } else if (repository === undefined) {
    mkdirSync(path, { recursive: true });
  } else {
    execFileSync('git', ['clone', '--quiet', '--branch', 'change', repository, path]);
  }
}

/**
 * Plans, measures the parts and merges them.
 *
 * @param {Values} values
 * @param {Room} room
 * @returns {Promise<{ parts: { shard: string, cells: string[] }[], summary: string, runs: string, verdict: any }>} `runs`:
 *   directory with the merged run
 */
async function compare(values, room) {
  const { plan, measure, merge } = readJobs('compare');
  const planned = await runSteps(plan.steps, 'plan', values, room);
  const { include: parts } = JSON.parse(planned.output.replace(/^matrix=/, ''));
  for (const [index, part] of parts.entries()) {
    const own = { 'matrix.shard': part.shard, 'matrix.arguments': part.arguments };
    const all = { ...values, ...own, 'strategy.job-index': String(index) };
    await runSteps(measure.steps, `measure-${index}`, all, room);
  }
  const { summary } = await runSteps(merge.steps, 'merge', values, room);
  const artifacts = join(room.path, 'artifacts');
  expect(existsSync(join(artifacts, 'assay-report'))).toBe(true);
  const runs = join(artifacts, 'assay-run');
  const [name] = readdirSync(runs);
  const verdict = JSON.parse(readFileSync(join(runs, name, 'verdict.json'), 'utf8'));
  return { parts, summary, runs, verdict };
}

/** Asks nobody. */
const QUIET = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0', CI: 'true' };

const INPUTS = {
  'inputs.assay-repository': 'owner/assay',
  'inputs.assay-ref': 'main',
  'inputs.node-version': '22',
  'inputs.baseline': 'plain+figures=scripted',
  'inputs.candidate': 'plain+figures=scripted+rounds=2',
  'inputs.directory': '.',
  'inputs.install': '',
  'inputs.build': '',
  'inputs.arguments':
    '--family fake-program --op apart,alike --corpus deep --seed 1 --explain none --placements 0 --processes 16',
  'inputs.shards': '2',
  'inputs.marker': 'default',
  "inputs.check && 'yes' || ''": '',
  'github.event.pull_request.head.sha || github.sha': 'main',
  "github.base_ref && format('origin/{0}', github.base_ref)": '',
};

testLong('a pull request is planned, measured in parts, merged and commented on', async () => {
  const room = { path: join(directory, 'assay'), environment: QUIET };
  const { parts, summary, runs, verdict } = await compare(INPUTS, room);
  expect(parts.map(({ shard }) => shard)).toEqual(['1/2', '2/2']);
  expect(verdict.cells).toHaveLength(parts.flatMap(({ cells }) => cells).length);

  const { steps } = readJobs('comment').comment;
  // The first step asks GitHub which pull request it is, and downloads the run.
  const [, ...others] = steps;
  cpSync(runs, join(room.path, 'comment', 'run'), { recursive: true });
  const values = { ...INPUTS, 'github.token': 'none', 'steps.find.outputs.number': '7' };
  const environment = { ...gh.environment, REPOSITORY: 'owner/name' };
  await runSteps(others, 'comment', values, { ...room, environment });
  const [{ body }] = gh.readComments();
  const sentence = body.split('\n').find((line) => line.includes('slower'));
  expect(sentence).toBeDefined();
  expect(summary).toContain(sentence);
  expect(gh.listCalls().flatMap(({ args }) => args)).toEqual(
    expect.arrayContaining(['7', 'owner/name']),
  );
});

/**
 * @typedef {object} Layout of a repository
 * @property {string} name
 * @property {string[]} manager npm packages of the package manager
 * @property {string} member directory of the codec
 * @property {string} dependency of the codec on a package of the repository
 * @property {Record<string, string>} files of the root
 * @property {string} lock command that writes the lock file, without the network
 */

const WORKSPACE = { private: true, workspaces: ['packages/*'] };

/** @type {Layout[]} */
const LAYOUTS = [
  {
    name: 'one package, with npm',
    manager: [],
    member: '.',
    dependency: 'file:./packages/parts',
    files: {},
    lock: 'npm install --package-lock-only --ignore-scripts --offline --no-audit',
  },
  {
    name: 'a member of a workspace of npm',
    manager: [],
    member: 'packages/codec',
    dependency: '*',
    files: { 'package.json': JSON.stringify(WORKSPACE) },
    lock: 'npm install --package-lock-only --ignore-scripts --offline --no-audit',
  },
  {
    name: 'a member of a workspace of pnpm',
    manager: ['pnpm@9.15.9'],
    member: 'packages/codec',
    dependency: 'workspace:*',
    files: {
      'package.json': '{ "private": true }',
      'pnpm-workspace.yaml': 'packages: ["packages/*"]',
    },
    lock: 'pnpm install --lockfile-only --offline',
  },
  {
    name: 'a member of a workspace of yarn 1',
    manager: ['yarn@1.22.22'],
    member: 'packages/codec',
    dependency: '1.0.0',
    files: { 'package.json': JSON.stringify(WORKSPACE) },
    lock: 'yarn install --offline --ignore-scripts',
  },
  {
    name: 'a member of a workspace of yarn 4',
    manager: ['@yarnpkg/cli-dist@4.6.0'],
    member: 'packages/codec',
    dependency: 'workspace:*',
    files: { 'package.json': JSON.stringify(WORKSPACE) },
    lock: 'yarn install --mode=update-lockfile',
  },
];

/**
 * Installs a package manager for the test.
 *
 * @param {Layout} layout
 * @returns {Record<string, string> | null} an environment; null if the registry does not answer
 */
function installManager({ name, manager }) {
  const path = join(directory, 'managers', name.replaceAll(' ', '-'));
  mkdirSync(path, { recursive: true });
  const bin = join(path, 'node_modules', '.bin');
  const flags = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefer-offline',
    '--prefix',
    path,
  ];
  if (manager.length > 0) {
    const { status } = spawnSync('npm', ['install', ...flags, ...manager], { timeout: 120_000 });
    if (status !== 0) return null;
  }
  const PATH = [path, bin, process.env.PATH].join(delimiter);
  return { ...QUIET, PATH, YARN_ENABLE_GLOBAL_CACHE: 'false', YARN_ENABLE_TELEMETRY: '0' };
}

const TSC = join(PROJECT.projectPath, 'node_modules', 'typescript', 'bin', 'tsc');
const TEMPLATE = join(PROJECT.projectPath, 'harness', 'cli', 'new-family');
const TINY =
  'settings: { warmUpMs: 4, warmUpCalls: 20, maxWarmUpMs: 20, batchCount: 3, batchMs: 1 },';
const SOURCE = `
import { quote } from 'parts';
export const encode = (value: object): string => quote(value);
export const decode = (text: string): object => JSON.parse(text);
`;

/**
 * Makes a repository with a codec in TypeScript and its family, and a branch that makes the codec slower.
 *
 * @param {Layout} layout
 * @param {Record<string, string>} environment
 * @returns {string} its path
 */
function makeCodecRepository({ name, member, dependency, files, lock }, environment) {
  const path = join(directory, 'repositories', name.replaceAll(' ', '-'));
  const repository = makeRepository(path);
  const inMember = (/** @type {string} */ file) => join(member, file);
  const codec = {
    ...{ name: 'text-codec', version: '1.0.0', type: 'module', exports: './dist/index.js' },
    ...{ scripts: { build: `node ${TSC} -p .` }, dependencies: { parts: dependency } },
  };
  const options = { outDir: 'dist', module: 'nodenext', rootDir: 'src', types: [] };
  const family = inMember('assay/my-codec');
  cpSync(TEMPLATE, join(path, family), { recursive: true });
  const read = (/** @type {string} */ file) => readFileSync(join(path, family, file), 'utf8');
  repository.write({
    ...files,
    '.gitignore': 'node_modules\ndist\n.assay\n.yarn\n',
    'packages/parts/package.json':
      '{ "name": "parts", "version": "1.0.0", "type": "module", "exports": "./index.js", "types": "./index.d.ts" }',
    'packages/parts/index.js': 'export const quote = JSON.stringify;',
    'packages/parts/index.d.ts': 'export declare function quote(value: object): string;',
    [inMember('package.json')]: JSON.stringify(codec),
    [inMember('tsconfig.json')]: JSON.stringify({ compilerOptions: options, include: ['src'] }),
    [inMember('src/index.ts')]: SOURCE,
    [join(family, 'package.json')]: '{ "type": "module" }',
    [join(family, 'family.js')]: read('family.js')
      .replace('packages: []', "packages: ['text-codec']")
      .replace("name: 'my-codec',", `name: 'my-codec', ${TINY}`),
    // The family needs what is installed for the project.
    [join(family, 'variants/json.js')]: `import 'parts';${read('variants/json.js')}`,
  });
  execFileSync('sh', ['-c', lock], {
    cwd: path,
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  });
  repository.commit({});
  repository.git('checkout', '--quiet', '-b', 'change');
  const slower = SOURCE.replace('quote(value)', 'quote(JSON.parse(quote(value)))');
  repository.commit({ [inMember('src/index.ts')]: slower });
  repository.git('checkout', '--quiet', 'main');
  return path;
}

describe('a family of the project is measured in', () => {
  for (const layout of LAYOUTS) {
    const environment = isLong ? installManager(layout) : {};
    const register = environment === null ? test.skip : testLong;
    const reason = environment === null ? ` (npm could not install ${layout.manager})` : '';
    register(`${layout.name}${reason}`, async () => {
      const repository = makeCodecRepository(layout, environment ?? {});
      const path = join(directory, layout.name.replaceAll(' ', '-'));
      const values = {
        ...INPUTS,
        'inputs.baseline': '',
        'inputs.candidate': '',
        'inputs.directory': layout.member,
        'inputs.arguments': '--op encode --explain none --placements 0 --processes 16 --seed 1',
        'inputs.shards': '1',
        "github.base_ref && format('origin/{0}', github.base_ref)": 'origin/main',
      };
      const { summary, verdict } = await compare(values, {
        path,
        repository,
        environment: environment ?? {},
      });
      const [{ cell, processes }] = verdict.cells;
      expect(cell).toMatchObject({ operation: 'encode', corpus: 'my-codec-orders' });
      expect(processes.candidate).toBeGreaterThan(0);
      expect(summary).toMatch(/git:\.@[0-9a-f]{12}/);
    });
  }
});
