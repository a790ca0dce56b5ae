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

/** @param {Located} baseline  @param {Located} candidate  @param {string} file */
function rename(baseline, candidate, file) {
  return makeFileMatcher({ baseline, candidate }, '/work/assay')(file);
}

describe('files of the candidate', () => {
  test('are renamed as in the other checkout', () => {
    const file = rename(checkout('/a/bson-main'), checkout('/b/bson-pr'), '…/bson-pr/lib/a.js');
    expect(file).toBe('…/bson-main/lib/a.js');
  });

  test('are renamed as in the published package', () => {
    expect(rename(published('npm:@x/bson@1.0.0'), checkout('/b/pr'), '…/pr/lib/a.js')).toBe(
      '@x/bson/lib/a.js',
    );
    expect(rename(checkout('/work/assay/pr'), published('npm:bson@1.0.0'), 'bson/lib/a.js')).toBe(
      'pr/lib/a.js',
    );
  });

  test('keep their names outside of the package', () => {
    const [main, pr] = [checkout('/a/bson-main'), checkout('/b/bson-pr')];
    expect(rename(main, pr, 'experiments/js-bson/operations/serialize.js')).toBe(
      'experiments/js-bson/operations/serialize.js',
    );
    expect(rename(published('npm:a@1.0.0'), published('npm:b@1.0.0'), 'b/x.js')).toBe('b/x.js');
    const module = { ...pr, modulePath: pr.source };
    expect(rename(main, module, '…/bson-pr/lib/a.js')).toBe('…/bson-pr/lib/a.js');
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
const familyPath = join(PROJECT.experimentsPath, 'js-bson');

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
  test('of another checkout gives the same files and the same loop', () => {
    const here = readProfile(path, keep('a.cpuprofile', makeCpuProfile(PROJECT.projectPath)), {
      familyPath,
      cell,
      loop: null,
    });
    const there = readProfile(path, keep('b.cpuprofile', makeCpuProfile('/home/you/assay')), {
      familyPath,
      cell,
      loop: null,
    });
    expect(there).toEqual(here);
    expect(there.whole.frames.at(-1)).toMatchObject({
      name: 'writeDocument',
      file: 'experiments/js-bson/codec/x.js',
      line: 5,
    });
    expect(there.whole.nodes.reduce((sum, { self }) => sum + self, 0)).toBeCloseTo(600, 9);
  });

  test('that is missing is named', () => {
    expect(() =>
      readProfile(path, keep('gone.cpuprofile'), { familyPath, cell, loop: null }),
    ).toThrow("'gone.cpuprofile' of the run cannot be read: it no longer exists");
  });
});

describe("a file of V8's log", () => {
  const entry = { name: 'f', file: 'a.js', tier: 'optimized', deopts: [], sites: [] };

  test('is read', () => {
    const log = { functions: [{ ...entry, line: 1, column: 1 }] };
    expect(readDeoptLog(path, keep('a.deopts.json', log))).toEqual(log);
  });

  test.each([[null], [[]], [{ functions: 3 }], [{ functions: [null] }], [{ functions: [{}] }]])(
    'is refused if it is damaged: %j',
    (content) => {
      expect(() => readDeoptLog(path, keep('b.deopts.json', content))).toThrow(/b\.deopts\.json/);
    },
  );
});
