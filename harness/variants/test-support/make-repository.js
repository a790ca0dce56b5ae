import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pickVariables } from '../../host/processes.js';

const IDENTITY = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid'];

// Neither the settings of whoever runs the tests nor, in a hook, the repository that git names count.
const ENVIRONMENT = {
  ...pickVariables(process.env),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** @typedef {Record<string, string>} Files contents by name */

/**
 * Makes an empty git repository whose branch is `main`.
 *
 * @param {string} path absolute, not there yet
 * @returns {ReturnType<typeof openRepository>}
 */
export function makeRepository(path) {
  mkdirSync(path, { recursive: true });
  const repository = openRepository(path);
  repository.git('init', '--quiet', '--initial-branch=main');
  return repository;
}

/**
 * A git repository that is there, a copy of another for instance.
 *
 * @param {string} path absolute
 * @returns {{ path: string, git: (...args: string[]) => string, commit: (files: Files, subject?: string) => string, write: (files: Files) => void }}
 *   `commit` writes files, commits everything and returns the identity of the commit
 */
export function openRepository(path) {
  /** @param {string[]} args */
  const git = (...args) =>
    execFileSync('git', ['-C', path, ...IDENTITY, ...args], {
      encoding: 'utf8',
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  /** @param {Files} files */
  const write = (files) => {
    for (const [name, content] of Object.entries(files)) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  };
  return {
    path,
    git,
    write,
    commit: (files, subject = 'a commit') => {
      write(files);
      git('add', '--all');
      git('commit', '--quiet', '--message', subject);
      return git('rev-parse', 'HEAD');
    },
  };
}

/**
 * The files of a package with one module and nothing to build.
 *
 * @param {string} text that the module exports as `text`
 * @returns {Files}
 */
export function makePlainPackage(text) {
  return {
    'package.json': JSON.stringify({
      name: 'plain',
      version: '1.2.3',
      description: 'a plain package',
      type: 'module',
      main: './index.js',
    }),
    'index.js': `export const text = ${JSON.stringify(text)};\n`,
  };
}
