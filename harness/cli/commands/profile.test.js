import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { callAssay } from '../../testing/support/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const workingPath = makeTestDirectory('profile');

test('prints a profile as data, and keeps the text that just report prints', async () => {
  const cell = ['--op', 'serialize', '--corpus', 'flat', '--with', 'cpu-profile'];
  const { status, stdout } = await callAssay(
    ['profile', 'linked-list', ...cell, '--format', 'json', '--out', 'runs'],
    { workingPath },
  );
  expect(status).toBe(EXIT.done);
  const { spec, path, jobs } = JSON.parse(stdout);
  expect({ spec, path }).toEqual({
    spec: 'linked-list',
    path: join('runs', readdirSync(join(workingPath, 'runs'))[0]),
  });
  expect(jobs).toMatchObject([
    { observation: { outcome: 'done', cellId: 'serialize flat' }, unit: 'ns' },
  ]);
  const selfNs = jobs[0].functions.map((/** @type {{ self: number }} */ { self }) => self);
  expect(selfNs).toEqual([...selfNs].sort((a, b) => b - a));

  const again = await callAssay(['report', path], { workingPath });
  expect(again.status).toBe(EXIT.done);
  expect(again.stdout).toContain('linked-list · serialize flat · cpu-profile\n');
});
