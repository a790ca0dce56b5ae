import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../lib/exit-status.js';
import { loadText, openRooms, resolveGitSpec } from './test-support/git-rooms.js';

const room = mkdtempSync(join(tmpdir(), 'assay-checkout-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

const makeRoom = openRooms(room);

// npm takes seconds to start on a machine that is busy.
jest.setTimeout(30_000);

/** @param {string} build the script */
function makeBuiltPackage(build) {
  return {
    '.gitignore': 'lib\n',
    'package.json': JSON.stringify({
      name: 'built',
      exports: { import: './lib/index.mjs', require: './lib/index.cjs' },
      scripts: { build },
    }),
    'build.js': `
      const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync('lib');
      writeFileSync('lib/index.mjs', "export const text = 'built';");
      writeFileSync('lib/index.cjs', "exports.text = 'built';");
    `,
  };
}

describe('a package that is built', () => {
  test('is built by the script of its package.json, once', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makeBuiltPackage('node build.js'));
    /** @type {string[]} */
    const notes = [];
    const more = { onNote: (/** @type {string} */ text) => notes.push(text) };
    const variant = await resolveGitSpec('git:codec@main', workingPath, more);
    expect(await loadText(variant)).toBe('built');
    expect(variant.build).toBe('npm run build');
    expect(await resolveGitSpec('git:codec@main', workingPath, more)).toEqual(variant);
    expect(notes).toEqual([expect.stringMatching(/^building commit \w+ of codec: npm run build$/)]);
  });

  test('is built as a whole where its bundle alone does not do', async () => {
    const { repository, workingPath } = makeRoom();
    const { scripts, ...packageJson } = JSON.parse(makeBuiltPackage('')['package.json']);
    scripts.build = 'node build.js && npm run build:bundle';
    scripts['build:bundle'] = 'test -d lib';
    repository.commit({
      ...makeBuiltPackage(''),
      'package.json': JSON.stringify({ ...packageJson, scripts }),
    });
    expect((await resolveGitSpec('git:codec@main', workingPath)).build).toBe('npm run build');
  });

  test('is built by the command that the user gives, apart from the other', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makeBuiltPackage('exit 1'));
    const build = `node build.js && echo "export const text = 'mine';" > lib/index.mjs`;
    const variant = await resolveGitSpec('git:codec@main', workingPath, { build });
    expect(await loadText(variant)).toBe('mine');
    expect(variant.build).toBe(build);
    await expect(resolveGitSpec('git:codec@main', workingPath)).rejects.toThrow(
      'could not be built',
    );
  });

  test('by two runs at once comes to the same', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makeBuiltPackage('exit 1'));
    const more = { build: 'node build.js' };
    const [one, other] = await Promise.all([
      resolveGitSpec('git:codec@main', workingPath, more),
      resolveGitSpec('git:codec@main', workingPath, more),
    ]);
    expect(one).toEqual(other);
    expect(readdirSync(join(workingPath, 'cache', 'git'))).toHaveLength(1);
  });

  test('does not see what the environment says beyond what a build needs', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makeBuiltPackage('exit 1'));
    process.env.ASSAY_TEST_TOKEN = 'secret';
    const build = `node build.js && echo "export const text = '<$ASSAY_TEST_TOKEN>';" > lib/index.mjs`;
    const variant = await resolveGitSpec('git:codec@main', workingPath, { build });
    delete process.env.ASSAY_TEST_TOKEN;
    expect(await loadText(variant)).toBe('<>');
  });
});

describe('a build that fails', () => {
  test('leaves nothing but the last lines of its log in the message', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makeBuiltPackage('exit 1'));
    const build = 'echo one; echo "src/a.ts: it is broken" >&2; exit 3';
    await expect(resolveGitSpec('git:codec@main', workingPath, { build })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^commit \w+ of codec could not be built: '.*' ended with exit status 3\n {2}one\n {2}src\/a\.ts: it is broken$/,
      ),
      remedy: expect.stringContaining('--build'),
      exitStatus: EXIT.failed,
    });
    expect(readdirSync(join(workingPath, 'cache', 'git'))).toEqual([]);
  });

  test('is also one after which there is no module', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makeBuiltPackage('exit 1'));
    await expect(
      resolveGitSpec('git:codec@main', workingPath, { build: 'true' }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('lib/index.mjs'),
      exitStatus: EXIT.failed,
    });
  });

  test('is also one that was interrupted', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makeBuiltPackage('exit 1'));
    const more = { build: 'sleep 60', signal: AbortSignal.abort() };
    await expect(resolveGitSpec('git:codec@main', workingPath, more)).rejects.toThrow(
      'interrupted',
    );
  });
});
