import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCell, makeManifest } from '../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { PROJECT } from '../lib/project.js';
import { readEvidence, readProfile } from './evidence.js';
import { makeTestDirectory } from '../testing/support/directories.js';

/** @import { ProfileObservationDone } from '../formats/types.ts' */

const path = makeTestDirectory('artefacts');

const COMPARISON = makeCell({
  operation: 'serialize',
  corpus: 'deep',
  verdict: 'slower',
  ratio: [1.9, 2, 2.1],
});
const { cell } = COMPARISON;
const measured = { cell, loop: null };

/**
 * @param {string} name
 * @param {unknown} [content] as JSON; undefined writes no file
 * @param {Partial<ProfileObservationDone>} [changes]
 * @returns {ProfileObservationDone}
 */
function keep(name, content, changes) {
  if (content !== undefined) writeFileSync(join(path, name), JSON.stringify(content));
  const window = { startMs: 0, endMs: 1 };
  return {
    formatVersion: FORMAT_VERSION,
    id: name,
    recorder: 'cpu-profile',
    cellId: cell.id,
    arm: 'baseline',
    process: 0,
    attempt: 1,
    startedAtMs: 0,
    workerMs: 1,
    outcome: 'done',
    exercise: { documents: 10, wallMs: 1, window, collections: {} },
    artefacts: [name],
    ...changes,
  };
}

const NO_FUNCTION = { functionName: '(root)', url: '', lineNumber: 4, columnNumber: 0 };

/** @param {string} projectPath @returns {object} 6 µs in a function that the measured loop calls */
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

  test('of awaited calls has what follows an await, and the share of the time in which they wait', () => {
    const awaited = { ...COMPARISON, cell: { ...cell, concurrency: 1 } };
    /** @type {NonNullable<typeof COMPARISON.resources>} */
    const resources = [
      { name: 'elapsed', unit: 'ns', values: { baseline: 1000, candidate: 1000 }, ratio: null },
      { name: 'waiting', unit: 'ns', values: { baseline: 750, candidate: 500 }, ratio: null },
    ];
    const profile = {
      ...makeCpuProfile(PROJECT.projectPath),
      nodes: [
        { id: 1, callFrame: NO_FUNCTION, children: [4] },
        { id: 4, callFrame: { ...NO_FUNCTION, functionName: 'goOn', url: 'file:///x.js' } },
      ],
    };
    const run = {
      ...{ path, manifest: makeManifest(), hosts: [] },
      profileObservations: [keep('goes-on.cpuprofile', profile)],
    };
    const { reads } = readEvidence(/** @type {any} */ (run), { ...awaited, resources }, true);
    const { frames, nodes: kept } = reads[0].profile?.whole ?? { frames: [], nodes: [] };
    expect(kept.map(({ frame, self }) => [frames[frame].name, self])).toEqual([
      ['goOn', expect.closeTo(600, 9)],
      ['waiting for timers and other threads', expect.closeTo(1800, 9)],
    ]);
  });

  test('that is missing is refused by name', () => {
    expect(() => readProfile(path, keep('gone.cpuprofile'), measured)).toThrow(
      "'gone.cpuprofile' of the run cannot be read: it no longer exists",
    );
  });
});

describe("V8's log", () => {
  /** @param {unknown} content */
  function readLog(content) {
    const manifest = makeManifest();
    const profileObservations = [
      keep('x.deopts.json', content, { recorder: 'deopts', arm: 'candidate' }),
    ];
    const run = { path, manifest, profileObservations, hosts: [] };
    return readEvidence(/** @type {any} */ (run), COMPARISON, true).evidence;
  }

  test.each([[null], [[]], [{ functions: 3 }], [{ functions: [null] }], [{ functions: [{}] }]])(
    'is a failure of its recorder if it is invalid: %j',
    (content) => {
      expect(readLog(content)).toMatchObject({
        deopts: { candidate: null },
        failures: [
          {
            recorder: 'deopts',
            arm: 'candidate',
            detail: expect.stringContaining("'x.deopts.json' of the run"),
          },
        ],
      });
    },
  );
});
