import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { PROJECT } from '../lib/project.js';
import { makeFileMatcher, readDeoptLog, readProfile, renameLog } from './evidence.js';

/** @import { Located } from './evidence.js' */
/** @import { ProfileObservationDone } from '../formats/types.ts' */

/** @param {string} source  @returns {Located} */
function checkout(source) {
  return { kind: 'path', spec: `path:${source}`, source, modulePath: `${source}/lib/a.js` };
}

/** @param {string} spec  @returns {Located} */
function published(spec) {
  return { kind: 'npm', spec, source: 'npm package', modulePath: '/cache/lib/a.js' };
}

describe('files of the candidate', () => {
  const MAIN = checkout('/a/bson-main');
  const PR = checkout('/b/bson-pr');
  const MODULE = { ...PR, modulePath: PR.source };
  const OPERATION = 'experiments/js-bson/operations/serialize.js';

  test.each([
    ['of two checkouts', MAIN, PR, '…/bson-pr/lib/a.js', '…/bson-main/lib/a.js'],
    [
      'of a package and a checkout',
      published('npm:@x/bson@1.0.0'),
      PR,
      '…/bson-pr/lib/a.js',
      '@x/bson/lib/a.js',
    ],
    [
      'of a checkout in the project',
      checkout('/work/assay/pr'),
      published('npm:bson@1.0.0'),
      'bson/lib/a.js',
      'pr/lib/a.js',
    ],
    ['outside the package', MAIN, PR, OPERATION, OPERATION],
    ['of two packages', published('npm:a@1.0.0'), published('npm:b@1.0.0'), 'b/x.js', 'b/x.js'],
    ['of a module', MAIN, MODULE, '…/bson-pr/lib/a.js', '…/bson-pr/lib/a.js'],
  ])('are named as in the baseline: %s', (_, baseline, candidate, file, expected) => {
    expect(makeFileMatcher({ baseline, candidate }, '/work/assay')(file)).toBe(expected);
  });

  test('are renamed in V8’s log, including sites of inlined code', () => {
    /** @type {import('../formats/types.ts').DeoptLog} */
    const log = {
      functions: [
        {
          name: 'f',
          file: 'b/x.js',
          line: 1,
          column: 1,
          tier: 'optimized',
          deopts: [
            { kind: 'eager', reason: 'r', file: 'b/y.js', line: 1, column: 1, count: 1, late: 0 },
          ],
          sites: [],
        },
      ],
    };
    const [entry] = renameLog(log, (file) => file?.replace('b/', 'a/') ?? null).functions;
    expect([entry.file, entry.deopts[0].file]).toEqual(['a/x.js', 'a/y.js']);
  });
});

const path = mkdtempSync(join(tmpdir(), 'assay-artefacts-'));
afterAll(() => rmSync(path, { recursive: true }));

const cell = { id: 'serialize deep', operation: 'serialize', corpus: 'deep' };
const measured = { familyPath: join(PROJECT.experimentsPath, 'js-bson'), cell, loop: null };

/**
 * @param {string} name
 * @param {unknown} [content] as JSON; undefined writes no file
 * @returns {ProfileObservationDone}
 */
function keep(name, content) {
  if (content !== undefined) writeFileSync(join(path, name), JSON.stringify(content));
  const window = { startMs: 0, endMs: 1 };
  return {
    formatVersion: FORMAT_VERSION,
    id: name,
    recorder: 'cpu-profile',
    cellId: cell.id,
    arm: 'baseline',
    process: 0,
    startedAtMs: 0,
    workerMs: 1,
    outcome: 'done',
    exercise: { documents: 10, wallMs: 1, window, collections: {} },
    artefacts: [name],
  };
}

/**
 * @param {string} projectPath
 * @returns {object} 6 µs in a function that the measured loop calls
 */
function makeCpuProfile(projectPath) {
  const calls = [
    ['(root)', ''],
    ['runFor', `file://${projectPath}/harness/recorders/support/exercise-operation.js`],
    ['run', `file://${projectPath}/experiments/js-bson/operations/serialize.js`],
    ['writeDocument', `file://${projectPath}/experiments/js-bson/codec/x.js`],
  ];
  const nodes = calls.map(([functionName, url], index) => ({
    id: index + 1,
    callFrame: { functionName, url, lineNumber: 4, columnNumber: 0 },
    children: index < calls.length - 1 ? [index + 2] : [],
  }));
  return { nodes, samples: [4, 4], timeDeltas: [0, 3], startTime: 0, endTime: 6 };
}

describe('a profile', () => {
  test('of another checkout has the same files and the same loop', () => {
    const [here, there] = [PROJECT.projectPath, '/home/you/assay'].map((projectPath, index) =>
      readProfile(path, keep(`${index}.cpuprofile`, makeCpuProfile(projectPath)), measured),
    );
    expect(there).toEqual(here);
    expect(there.whole.frames.at(-1)).toMatchObject({
      name: 'writeDocument',
      file: 'experiments/js-bson/codec/x.js',
      line: 5,
    });
    expect(there.whole.nodes.reduce((sum, { self }) => sum + self, 0)).toBeCloseTo(600, 9);
  });

  test('that is missing is refused by name', () => {
    expect(() => readProfile(path, keep('gone.cpuprofile'), measured)).toThrow(
      "'gone.cpuprofile' of the run cannot be read: it no longer exists",
    );
  });
});

describe("a file of V8's log", () => {
  const entry = { name: 'f', file: 'a.js', tier: 'optimized', deopts: [], sites: [] };

  test('is read', () => {
    const log = { functions: [{ ...entry, line: 1, column: 1 }] };
    expect(readDeoptLog(path, keep('a.deopts.json', log))).toEqual(log);
  });

  test.each([[null], [[]], [{ functions: 3 }], [{ functions: [null] }], [{ functions: [{}] }]])(
    'is refused if it is invalid: %j',
    (content) => {
      expect(() => readDeoptLog(path, keep('b.deopts.json', content))).toThrow(/b\.deopts\.json/);
    },
  );
});
