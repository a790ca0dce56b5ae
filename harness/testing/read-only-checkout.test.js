import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { explainFileError, makeDirectory } from '../lib/files.js';
import { PROJECT } from '../lib/project.js';
import { joinErrorLines, makeProject } from './support/project.js';
import { runReadOnly, testLong, testReadOnly } from './support/gates.js';
import { makeTestDirectory } from './support/directories.js';

const directory = makeTestDirectory('read-only');
const projectPath = join(directory, 'clone');

/**
 * @param {string[]} args
 * @param {Record<string, string>} [variables]
 */
function run(args, variables = {}) {
  const bin = join(projectPath, 'harness', 'assay.js');
  const env = { ...process.env, ...variables };
  const { stderr, ...ended } = runReadOnly(projectPath, [process.execPath, bin, ...args], { env });
  return { ...ended, stderr: joinErrorLines(stderr) };
}

describe('a read-only checkout', () => {
  const families = ['js-bson'].map((name) => join(PROJECT.experimentsPath, name));
  const cachePath = join(directory, 'cache');
  const locks = join(directory, 'locks');
  const compare = ['compare', 'generator', 'linked-list', '--op', 'serialize', '--corpus', 'deep'];
  makeProject(projectPath, families);
  mkdirSync(locks);

  testReadOnly('names the variable that moves the cache', () => {
    const { status, stderr } = run(compare, { ASSAY_LOCK_DIRECTORY: locks });
    expect(stderr).toMatch(
      /^error: cannot create '.*': EROFS: .*\n {2}.*ASSAY_CACHE_DIRECTORY.*\n$/,
    );
    expect(status).toBe(EXIT.failed);
  });

  testReadOnly(
    'names --out for the run',
    () => {
      const variables = { ASSAY_LOCK_DIRECTORY: locks, ASSAY_CACHE_DIRECTORY: cachePath };
      const { status, stderr } = run(compare, variables);
      expect(stderr).toMatch(/^error: cannot create '.*runs.*': EROFS: .*\n {2}.*--out\n$/m);
      expect(status).toBe(EXIT.failed);
    },
    testLong,
  );

  testReadOnly(
    'works with a cache elsewhere',
    () => {
      const { status, stdout } = run(['corpora', 'deep'], { ASSAY_CACHE_DIRECTORY: cachePath });
      expect(stdout).toMatch(/^documents +1, /m);
      expect(status).toBe(EXIT.done);
    },
    testLong,
  );
});

describe('an error of the file system', () => {
  /** @param {string} code  @param {string} path  @param {string} [syscall] */
  const refuse = (code, path, syscall = 'open') =>
    Object.assign(new Error(`${code}: refused, ${syscall} '${path}'`), { code, path, syscall });

  test.each(['EROFS', 'EACCES', 'EPERM', 'ENOSPC'])('is no defect of Assay: %s', (code) => {
    expect(explainFileError(refuse(code, join(PROJECT.cachePath, 'a')))).toMatchObject({
      message: expect.stringMatching(/^cannot write '.*a': /),
      remedy: expect.stringContaining('ASSAY_CACHE_DIRECTORY'),
      exitStatus: EXIT.failed,
    });
    expect(explainFileError(refuse(code, '/elsewhere/a'))?.remedy).toContain('--out');
  });

  test('that comes from a file in the place of a directory is not answered with more space', () => {
    const path = join(PROJECT.projectPath, 'package.json', 'runs');
    expect(() => makeDirectory(path, 'free some space')).toThrow(
      expect.objectContaining({ remedy: 'a file is in its place: name a directory' }),
    );
  });

  test('is a defect if Assay itself errs, or if a program cannot be started', () => {
    expect(explainFileError(refuse('ENOENT', '/a'))).toBeNull();
    expect(explainFileError(refuse('EACCES', '/a', 'spawn /a'))).toBeNull();
    expect(explainFileError(new Error('no'))).toBeNull();
  });
});
