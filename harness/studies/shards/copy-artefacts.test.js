import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { copyArtefacts } from './copy-artefacts.js';
import { makeWhole } from './test-support/make-shards.js';

const PROFILE = 'artefacts/profiles/serialize-flat-baseline-0.cpuprofile';
const WHOLE = makeWhole();
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-artefacts-'));
  for (const run of ['shard', 'merged']) {
    mkdirSync(join(root, run, 'artefacts', 'profiles'), { recursive: true });
  }
  writeFileSync(join(root, 'shard', PROFILE), 'profile');
});
afterEach(() => rmSync(root, { recursive: true }));

/** @param {string[]} artefacts */
function copy(...artefacts) {
  const profileObservations = [
    {
      formatVersion: FORMAT_VERSION,
      id: 'cpu-profile/serialize flat/0/baseline',
      recorder: 'cpu-profile',
      cellId: 'serialize flat',
      arm: /** @type {const} */ ('baseline'),
      process: 0,
      startedAtMs: 0,
      workerMs: 1,
      outcome: /** @type {const} */ ('done'),
      exercise: null,
      artefacts,
    },
  ];
  copyArtefacts({ ...WHOLE, path: join(root, 'shard'), profileObservations }, join(root, 'merged'));
}

test('files of recorders keep their names, and one that is gone is passed over', () => {
  copy(PROFILE, 'artefacts/profiles/gone.folded');
  expect(readFileSync(join(root, 'merged', PROFILE), 'utf8')).toBe('profile');
});

test('a name that leads out of the run is refused', () => {
  writeFileSync(join(root, 'secret'), 'secret');
  expect(() => copy('artefacts/../../secret')).toThrow(/is not among the files of that run/);
  symlinkSync(join(root, 'secret'), join(root, 'shard', 'artefacts', 'link'));
  expect(() => copy('artefacts/link')).toThrow(/is not among the files of that run/);
});

test('a folder of artefacts that lies elsewhere is refused', () => {
  rmSync(join(root, 'shard', 'artefacts'), { recursive: true });
  mkdirSync(join(root, 'elsewhere'));
  writeFileSync(join(root, 'elsewhere', 'secret'), 'secret');
  symlinkSync(join(root, 'elsewhere'), join(root, 'shard', 'artefacts'));
  expect(() => copy('artefacts/secret')).toThrow(/is not among the files of that run/);
});

test('two shards with a file of one name are refused', () => {
  copy(PROFILE);
  expect(() => copy(PROFILE)).toThrow(/two shards have a file 'artefacts/);
});
