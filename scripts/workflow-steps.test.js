/** The commands of the workflows, run here as a runner would: each job in a directory of its own, with artifacts between. */

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { useFakeGh } from '../harness/cli/pull-requests/test-support/fake-gh.js';
import { PROJECT } from '../harness/lib/project.js';
import { testLong } from '../harness/testing/support/gates.js';
import { makeProject } from '../harness/testing/support/project.js';
import { makeTestDirectory } from '../harness/testing/support/directories.js';

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
 */

const run = promisify(execFile);
const directory = makeTestDirectory('workflow');
const artifacts = join(directory, 'artifacts');
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
 * @param {string} workspace new
 * @param {Values} values
 * @param {Record<string, string>} [environment]
 * @returns {Promise<{ output: string, summary: string }>}
 */
async function runSteps(steps, workspace, values, environment = {}) {
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
    ASSAY_LOCK_DIRECTORY: join(workspace, 'locks'),
  };
  for (const step of steps) {
    if (step.uses !== undefined) useAction(step, workspace, values);
    if (step.run === undefined) continue;
    const filled = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, values)]);
    const env = { ...inherited, ...own, ...environment, ...Object.fromEntries(filled) };
    const cwd = join(workspace, step['working-directory'] ?? 'assay');
    await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { cwd, env });
  }
  return {
    output: readFileSync(GITHUB_OUTPUT, 'utf8'),
    summary: readFileSync(GITHUB_STEP_SUMMARY, 'utf8'),
  };
}

/** @param {Step} step  @param {string} workspace  @param {Values} values */
function useAction({ uses = '', with: options = {} }, workspace, values) {
  const [action] = uses.split('@');
  const { name, path = '', pattern } = options;
  switch (action) {
    case 'actions/setup-node':
      return;
    case 'actions/checkout':
      return checkOut(join(workspace, path));
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

/** @param {string} path */
function checkOut(path) {
  mkdirSync(path, { recursive: true });
  if (basename(path) !== 'assay') return;
  makeProject(path, [], ['program']);
  // Everything is installed; what it does is tested with it.
  mkdirSync(join(path, 'scripts'));
  writeFileSync(join(path, 'scripts', 'set-up.sh'), '');
}

const INPUTS = {
  'inputs.assay-repository': 'owner/assay',
  'inputs.assay-ref': 'main',
  'inputs.node-version': '22',
  'inputs.baseline': 'plain+figures=scripted',
  'inputs.candidate': 'plain+figures=scripted+rounds=2',
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
  const { plan, measure, merge } = readJobs('compare');
  const planned = await runSteps(plan.steps, join(directory, 'plan'), INPUTS);
  const { include } = JSON.parse(planned.output.replace(/^matrix=/, ''));
  expect(include.map((/** @type {{ shard: string }} */ { shard }) => shard)).toEqual([
    '1/2',
    '2/2',
  ]);
  for (const [index, part] of include.entries()) {
    const own = { 'matrix.shard': part.shard, 'matrix.arguments': part.arguments };
    const values = { ...INPUTS, ...own, 'strategy.job-index': String(index) };
    await runSteps(measure.steps, join(directory, `measure-${index}`), values);
  }
  const { summary } = await runSteps(merge.steps, join(directory, 'merge'), INPUTS);
  expect(existsSync(join(artifacts, 'assay-report'))).toBe(true);
  const [name] = readdirSync(join(artifacts, 'assay-run'));
  const verdict = JSON.parse(
    readFileSync(join(artifacts, 'assay-run', name, 'verdict.json'), 'utf8'),
  );
  expect(verdict.cells).toHaveLength(
    include.flatMap((/** @type {any} */ { cells }) => cells).length,
  );

  const { steps } = readJobs('comment').comment;
  // The first step asks GitHub which pull request it is, and downloads the run.
  const [, ...others] = steps;
  const workspace = join(directory, 'comment');
  cpSync(join(artifacts, 'assay-run'), join(workspace, 'run'), { recursive: true });
  const values = { ...INPUTS, 'github.token': 'none', 'steps.find.outputs.number': '7' };
  await runSteps(others, workspace, values, { ...gh.environment, REPOSITORY: 'owner/name' });
  const [{ body }] = gh.readComments();
  const sentence = body.split('\n').find((line) => line.includes('slower'));
  expect(sentence).toBeDefined();
  expect(summary).toContain(sentence);
  expect(gh.listCalls().flatMap(({ args }) => args)).toEqual(
    expect.arrayContaining(['7', 'owner/name']),
  );
});
