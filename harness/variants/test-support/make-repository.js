import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pickVariables } from '../../host/processes.js';
import { resolveVariant } from '../resolve.js';
import { parseVariantSpec } from '../spec.js';
import { writeFiles } from '../../testing/support/directories.js';
import { makeFamily } from './make-family.js';

const SETTINGS = [
  ['user.name', 'Tester'],
  ['user.email', 'tester@example.invalid'],
  // A commit would start another process.
  ['maintenance.auto', 'false'],
];

// Ignores the settings of the user and, in a hook, the repository in git's variables.
const ENVIRONMENT = {
  ...pickVariables(process.env),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: String(SETTINGS.length),
  ...Object.fromEntries(
    SETTINGS.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

/** As `git init` makes it. */
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogallrefupdates = true\n';

/** @typedef {Record<string, string>} Files contents by name */

/**
 * Creates an empty git repository with the branch `main`.
 *
 * @param {string} path absolute, must not exist
 * @returns {ReturnType<typeof openRepository>}
 */
export function makeRepository(path) {
  const repository = openRepository(path);
  for (const name of ['objects', 'refs']) {
    mkdirSync(join(path, '.git', name), { recursive: true });
  }
  repository.write({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': CONFIG });
  return repository;
}

/**
 * @param {string} path absolute, of an existing repository
 * @returns {{ path: string, git: (...args: string[]) => string, run: (script: string, ...args: string[]) => string, commit: (files: Files, subject?: string) => string, write: (files: Files) => void, importCommits: (commits: { files: Files, subject: string }[]) => void }}
 *   `run` runs a shell script of several git commands, because the process of the tests is large, and slow to fork.
 *   `commit` writes files, commits everything and returns the identity of the commit. `importCommits` makes many at
 *   once, on an empty `main`, without writing their files
 */
export function openRepository(path) {
  /** @type {(program: string, args: string[], input?: string) => string} */
  const call = (program, args, input = '') =>
    execFileSync(program, args, {
      cwd: path,
      encoding: 'utf8',
      env: ENVIRONMENT,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim();
  /** @param {string} script  @param {string[]} args */
  const run = (script, ...args) => call('sh', ['-ec', script, 'sh', ...args]);
  /** @param {Files} files */
  const write = (files) => writeFiles(path, files);
  return {
    path,
    git: (...args) => call('git', args),
    run,
    write,
    commit: (files, subject = 'a commit') => {
      write(files);
      return run('git add --all; git commit --quiet --message "$1"; git rev-parse HEAD', subject);
    },
    importCommits(commits) {
      const lines = commits.flatMap(({ files, subject }) => [
        'commit refs/heads/main',
        `committer Tester <tester@example.invalid> 1600000000 +0000`,
        ...dataOf(subject),
        ...Object.entries(files).flatMap(([name, text]) => [
          `M 644 inline ${name}`,
          ...dataOf(text),
        ]),
      ]);
      call('git', ['fast-import', '--quiet'], `${lines.join('\n')}\n`);
    },
  };
}

/** @type {(text: string) => string[]} lines of an import */
const dataOf = (text) => [`data ${Buffer.byteLength(text)}`, text];

/**
 * Files of a package with one module and nothing to build.
 *
 * @param {string} text exported by the module as `text`
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

/**
 * Creates directories that each have an empty repository and room for a cache.
 *
 * @param {string} path absolute path of their parent
 * @returns {(name?: string) => { repository: ReturnType<typeof makeRepository>, workingPath: string }}
 *   takes the name of the repository's directory
 */
export function openRooms(path) {
  let count = 0;
  return (name = 'codec') => {
    const workingPath = join(path, String((count += 1)));
    return { repository: makeRepository(join(workingPath, name)), workingPath };
  };
}

/**
 * Resolves a git spec with a cache in the working directory.
 *
 * @param {string} spec
 * @param {string} workingPath
 * @param {Partial<import('../build-package.js').BuildContext>} [more]
 */
export function resolveGitSpec(spec, workingPath, more = {}) {
  const family = makeFamily('plain-family', { path: workingPath });
  const places = { assayPath: workingPath, cachePath: join(workingPath, 'cache'), workingPath };
  return resolveVariant(parseVariantSpec(spec), { families: [family], family, ...places, ...more });
}

/** @type {(variant: { modulePath: string }) => Promise<string>} `text` as exported by its module */
export async function loadText({ modulePath }) {
  return (await import(pathToFileURL(modulePath).href)).text;
}
