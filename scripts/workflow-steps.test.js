/** The commands of the workflows, run here as a runner would: each job in a directory of its own, with artifacts between. */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { useFakeGh } from '../harness/cli/pull-requests/test-support/fake-gh.js';
import { PROJECT } from '../harness/lib/project.js';
import { isLong, testLong } from '../harness/testing/support/gates.js';
import { makeTestDirectory } from '../harness/testing/support/directories.js';
import { makeRepository } from '../harness/variants/test-support/make-repository.js';
import { QUIET, readJobs, runSteps } from './test-support/run-workflow.js';

/** @import { Room, Values } from './test-support/run-workflow.js' */

const directory = makeTestDirectory('workflow');
const gh = useFakeGh(join(directory, 'gh'), { comments: [] });

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
        branch: 'change',
        environment: environment ?? {},
      });
      const [{ cell, processes }] = verdict.cells;
      expect(cell).toMatchObject({ operation: 'encode', corpus: 'my-codec-orders' });
      expect(processes.candidate).toBeGreaterThan(0);
      expect(summary).toMatch(/git:\.@[0-9a-f]{12}/);
    });
  }
});
