import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../lib/exit-status.js';
import { parseVariantSpec } from './spec.js';
import { loadText, openRooms, resolveGitSpec } from './test-support/git-rooms.js';
import { makePlainPackage } from './test-support/make-repository.js';

const room = mkdtempSync(join(tmpdir(), 'assay-git-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

const makeRoom = openRooms(room);

describe('a package that needs no build', () => {
  test('is checked out at the commit that a ref stands for', async () => {
    const { repository, workingPath } = makeRoom();
    const first = repository.commit(makePlainPackage('first'), 'say first');
    repository.commit(makePlainPackage('second'));
    const variant = await resolveGitSpec('git:codec@HEAD~1', workingPath);
    expect(await loadText(variant)).toBe('first');
    expect(variant).toMatchObject({
      version: '1.2.3',
      idea: 'a plain package',
      source: `commit ${first.slice(0, 10)} of codec, say first`,
      revision: { commit: first, changes: null },
    });
    expect(variant.build).toBeUndefined();
  });

  test('leaves the checkout and its repository as they were', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makePlainPackage('first'));
    repository.commit(makePlainPackage('second'));
    repository.write({ 'index.js': 'changed' });
    const read = () =>
      readdirSync(repository.path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((file) => [file, readFileSync(file, 'base64')]);
    const before = read();
    await resolveGitSpec('git:codec@HEAD~1', workingPath);
    expect(read()).toEqual(before);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(repository.git('status', '--porcelain')).toBe('M index.js');
  });

  test('may be a commit that is on no branch', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makePlainPackage('kept'));
    const lost = repository.commit(makePlainPackage('lost'));
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    expect(await loadText(await resolveGitSpec(`git:codec@${lost}`, workingPath))).toBe('lost');
  });

  test('may come from a bare repository, a worktree, or a shallow clone', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makePlainPackage('first'));
    repository.commit(makePlainPackage('second'));
    repository.git('clone', '--quiet', '--bare', '.', '../bare.git');
    repository.git('worktree', 'add', '--quiet', '--detach', '../aside');
    repository.git('clone', '--quiet', '--depth=1', `file://${repository.path}`, '../shallow');
    for (const [index, directory] of ['bare.git', 'aside', 'shallow'].entries()) {
      const cachePath = join(workingPath, `cache-${index}`);
      const variant = await resolveGitSpec(`git:${directory}@HEAD`, workingPath, { cachePath });
      expect(await loadText(variant)).toBe('second');
    }
  });

  test('may lie below the root of the checkout', async () => {
    const { repository, workingPath } = makeRoom();
    const files = Object.entries(makePlainPackage('below'));
    repository.commit(
      Object.fromEntries(files.map(([name, content]) => [`packages/a/${name}`, content])),
    );
    expect(await loadText(await resolveGitSpec('git:codec/packages/a@HEAD', workingPath))).toBe(
      'below',
    );
  });

  test.each([`blanks 'and' "quotes" $(touch broken) a@b`, '-C'])(
    'may lie in a directory named %p',
    async (name) => {
      const { repository, workingPath } = makeRoom(name);
      repository.commit(makePlainPackage('found'));
      expect(await loadText(await resolveGitSpec(`git:${name}@main`, workingPath))).toBe('found');
      expect(readdirSync(workingPath).sort()).toEqual([name, 'cache'].sort());
    },
  );

  test('runs no hook of the user', async () => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makePlainPackage('calm'));
    const hook = join(repository.path, '.git', 'hooks', 'post-checkout');
    mkdirSync(join(hook, '..'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch '${workingPath}/hooked'\n`, { mode: 0o755 });
    await resolveGitSpec('git:codec@HEAD', workingPath);
    expect(readdirSync(workingPath).sort()).toEqual(['cache', 'codec']);
  });
});

describe('what there is not', () => {
  test.each([
    ['git:nowhere@main', "'nowhere' ("],
    ['git:plain@main', "'plain' is not a readable git checkout"],
    ['git:codec@nothing', "'codec' has no revision 'nothing'"],
    ['git:codec@main~7', "'codec' has no revision 'main~7'"],
  ])('%s is refused by name', async (spec, message) => {
    const { repository, workingPath } = makeRoom();
    repository.commit(makePlainPackage('here'));
    mkdirSync(join(workingPath, 'plain'));
    await expect(resolveGitSpec(spec, workingPath)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exitStatus: EXIT.usage,
    });
  });

  test('a ref that git would take for an option is no spec', () => {
    expect(() => parseVariantSpec('git:codec@--upload-pack=x')).toThrow(
      'not a revision of a checkout',
    );
  });
});
