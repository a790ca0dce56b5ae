/** Runs the commands of a workflow here as a runner would: each job in a directory of its own, with artifacts between. */

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { PROJECT } from '../../harness/lib/project.js';
import { makeProject } from '../../harness/testing/support/project.js';

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
 * @property {string} [branch] of it
 * @property {Record<string, string>} [environment] of every step
 */

const run = promisify(execFile);
/** Scripts that workflows run. What set-up installs is there; what it does is tested with it. */
const SCRIPTS = ['install-project.js', 'keep-results.sh'];
/** Asks nobody. */
export const QUIET = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0', CI: 'true' };

/** @param {string} name of a workflow  @returns {Record<string, { steps: Step[], env?: Record<string, string> }>} */
export function readJobs(name) {
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
export async function runSteps(steps, name, values, room) {
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
  { path: roomPath, repository, branch = 'main' },
) {
  const artifacts = join(roomPath, 'artifacts');
  const [action] = uses.split('@');
  const { name, path = '', pattern } = options;
  switch (action) {
    case 'actions/setup-node':
      return;
    case 'actions/checkout':
      return checkOut(join(workspace, path), repository, branch);
    case 'actions/upload-artifact': {
      const found = listMatches(workspace, path);
      if (found.length === 0) throw new Error(`nothing to upload: ${path}`);
      const artifact = join(artifacts, fill(name, values));
      for (const file of found) cpSync(join(workspace, file), artifact, { recursive: true });
      return;
    }
    case 'actions/download-artifact':
      for (const artifact of listMatches(artifacts, pattern)) {
        cpSync(join(artifacts, artifact), join(workspace, path, artifact), { recursive: true });
      }
      return;
    case 'actions/upload-pages-artifact':
      cpSync(join(workspace, path), join(artifacts, 'github-pages'), { recursive: true });
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

/** @param {string} path  @param {string | undefined} repository  @param {string} branch */
function checkOut(path, repository, branch) {
  if (basename(path) === 'assay') {
    makeProject(path, [], ['program']);
    mkdirSync(join(path, 'scripts'));
    writeFileSync(join(path, 'scripts', 'set-up.sh'), '');
    for (const script of SCRIPTS.map((name) => join('scripts', name))) {
      cpSync(join(PROJECT.projectPath, script), join(path, script));
    }
  } else if (repository === undefined) {
    mkdirSync(path, { recursive: true });
  } else {
    execFileSync('git', ['clone', '--quiet', '--branch', branch, repository, path]);
  }
}
