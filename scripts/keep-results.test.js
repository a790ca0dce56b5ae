import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from '../harness/lib/project.js';
import { makeTestDirectory } from '../harness/testing/support/directories.js';

const SCRIPT = join(PROJECT.projectPath, 'scripts', 'keep-results.sh');
const [ONE, TWO, THREE] = ['1', '2', '3'].map((digit) => `store/${digit.repeat(64)}.json`);
const directory = makeTestDirectory('keep-results');
let count = 0;

/** @returns a remote repository without a branch, and what is done with it */
function openRoom() {
  const path = join(directory, String((count += 1)));
  const remote = join(path, 'remote');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-C', remote, ...args], { encoding: 'utf8' }).trim();
  return {
    path,
    remote,
    git,
    /** @param {string} name of the directory with them  @param {Record<string, string>} files */
    write(name, files) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(join(path, name, dirname(file)), { recursive: true });
        writeFileSync(join(path, name, file), text);
      }
      return join(path, name);
    },
    /** @param {string} fresh  @param {{ results?: string, folder?: string }} [where] */
    keep: (fresh, { results = join(path, 'results'), folder = 'store' } = {}) =>
      execFileSync('sh', [SCRIPT, folder, fresh, results, remote, 'assay-results'], {
        stdio: 'pipe',
      }),
    list: () => git('ls-tree', '-r', '--name-only', 'assay-results').split('\n'),
  };
}

test('the first call makes the branch, later ones add to it, and one without news no commit', () => {
  const { write, keep, list, git, path } = openRoom();
  keep(write('one', { [ONE]: '{}' }));
  const results = join(path, 'elsewhere');
  keep(write('two', { [TWO]: '{}' }), { results });
  keep(write('pages', { 'reports/20260304-a@1.html': '<p>' }), { results, folder: 'reports' });
  keep(write('two', {}));
  expect(list()).toEqual(['reports/20260304-a@1.html', ONE, TWO]);
  expect(git('rev-list', '--count', 'assay-results')).toBe('3');
  expect(existsSync(join(path, 'results', TWO))).toBe(true);
});

test('what is there stays as it is, and nothing but records is added beside them', () => {
  const { write, keep, list, git } = openRoom();
  keep(write('one', { [ONE]: 'first' }));
  keep(
    write('two', {
      [ONE]: 'second',
      [TWO]: '{}',
      'store/other.json': '{}',
      'store/deep/x.json': '{}',
      'reports/20260304-a@1.html': '<script>',
      'index.html': '',
      '.github/workflows/x.yml': '',
    }),
  );
  expect(list()).toEqual([ONE, TWO]);
  expect(git('show', `assay-results:${ONE}`)).toBe('first');
});

test('of reports only those with plain names are added, and no records', () => {
  const { write, keep, list } = openRoom();
  const names = ['reports/.hidden.html', 'reports/a b.html', 'reports/a.html', 'reports/a.js', ONE];
  keep(write('one', Object.fromEntries(names.map((name) => [name, '']))), { folder: 'reports' });
  expect(list()).toEqual(['reports/a.html']);
});

test('of two that push at once the second adds to what the first has pushed', () => {
  const { write, keep, list, git, remote, path } = openRoom();
  keep(write('one', { [ONE]: '{}' }));
  const other = write('other', { [THREE]: '{}' });
  // While the one is pushed, another is: the remote refuses the one as out of date.
  const hook = join(remote, 'hooks', 'update');
  const script = `rm '${hook}'; env -u GIT_DIR -u GIT_QUARANTINE_PATH sh '${SCRIPT}' store '${other}' '${path}/late' '${remote}' assay-results >&2; exit 1`;
  writeFileSync(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  keep(write('two', { [TWO]: '{}' }));
  expect(list()).toEqual([ONE, TWO, THREE]);
  expect(git('rev-list', '--count', 'assay-results')).toBe('3');
  expect(readFileSync(join(path, 'results', THREE), 'utf8')).toBe('{}');
});

test('a remote that cannot be reached is an error', () => {
  const { write, keep, path } = openRoom();
  const fresh = write('one', { [ONE]: '{}' });
  execFileSync('rm', ['-r', join(path, 'remote')]);
  expect(() => keep(fresh)).toThrow(/does not appear to be a git repository/);
});
