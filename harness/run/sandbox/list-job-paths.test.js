import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../lib/project.js';
import { listJobPaths } from './sandbox.js';

/** @import { Job } from '../../formats/types.ts' */

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'assay-paths-')));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * @param {object} changes
 * @param {string} [modulePath]
 * @returns {Job} with no more than the paths that count
 */
function makeJob(changes, modulePath = '/elsewhere/lib/index.js') {
  const job = { kind: 'conformance', familyPath: '/family', variant: { modulePath }, ...changes };
  return /** @type {Job} */ (/** @type {unknown} */ (job));
}

const corpus = { files: { text: '/c/text', canonical: '/c/canonical', bytes: '/c/bytes' } };

describe('a worker may read', () => {
  test('the project, the family and the variant', () => {
    const { readable } = listJobPaths(makeJob({}));
    expect(readable).toEqual([PROJECT.projectPath, '/family', '/elsewhere/lib']);
  });

  test('what was built for it, the corpus and the packages of the operation', () => {
    const variant = { modulePath: '/m/index.js', buildPath: '/built' };
    const packages = { express: '/packages/express' };
    const { readable } = listJobPaths(makeJob({ kind: 'measure', variant, corpus, packages }));
    const expected = ['/built', '/c/text', '/c/canonical', '/c/bytes', '/packages/express'];
    expect(readable).toEqual(expect.arrayContaining(expected));
  });

  test('the whole package of a module, past a package.json that only tells the kind', () => {
    const root = join(directory, 'package');
    mkdirSync(join(root, 'dist', 'esm'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "name": "one" }');
    writeFileSync(join(root, 'dist', 'esm', 'package.json'), '{ "type": "module" }');
    const { readable } = listJobPaths(makeJob({}, join(root, 'dist', 'esm', 'index.js')));
    expect(readable).toContain(root);
  });

  test('what the links of a mirrored package lead to', () => {
    const [root, mirror] = ['original', 'mirror'].map((name) => join(directory, name));
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    mkdirSync(mirror);
    writeFileSync(join(root, 'package.json'), '{ "name": "one" }');
    for (const name of ['package.json', 'node_modules']) {
      symlinkSync(join(root, name), join(mirror, name));
    }
    const { readable } = listJobPaths(makeJob({}, join(mirror, 'index.js')));
    expect(readable).toEqual(expect.arrayContaining([mirror, root, join(root, 'node_modules')]));
  });
});

describe('a worker may write', () => {
  test.each([
    ['nothing where it times', { kind: 'measure', corpus }, []],
    ['the output', { kind: 'output', corpus, outputPath: '/run/output' }, ['/run/output']],
    ['what it observes', { kind: 'exercise', corpus, observedPath: '/run/o' }, ['/run/o']],
    ['nothing that is not observed', { kind: 'exercise', corpus, observedPath: null }, []],
    [
      'beside the journal of a fuzz job',
      { kind: 'fuzz', casesPaths: ['/cases'], journalPath: '/session/journal.json' },
      ['/session'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(listJobPaths(makeJob(changes)).writable).toEqual(expected);
  });
});
