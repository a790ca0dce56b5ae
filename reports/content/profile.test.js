import { renderTerminal } from '../document/terminal.js';
import { describeProfile } from './profile.js';

/** @import { Profile } from '../../harness/formats/profile-types.ts' */
/** @import { ProfileObservationDone } from '../../harness/formats/types.ts' */
/** @import { RecordedJob } from './profile.js' */

/** @type {(job: Partial<RecordedJob>, observed?: Partial<ProfileObservationDone>) => string} */
function print(job, observed = {}) {
  const observation = /** @type {ProfileObservationDone} */ ({
    cellId: 'serialize flat',
    recorder: 'perf',
    outcome: 'done',
    artefacts: [],
    ...observed,
  });
  const recorded = [{ profile: null, functions: [], ...job, observation }];
  return renderTerminal(
    describeProfile({ spec: 'recursive', path: 'reports/runs/x', recorded }),
  ).replaceAll('\u00a0', ' ');
}

/** @type {(name: string, self: number) => RecordedJob['functions'][number]} */
function weigh(name, self) {
  const frame = /** @type {const} */ ({
    name,
    kind: 'js',
    file: 'codec/write.js',
    line: 7,
    column: 1,
  });
  return { frame, self, total: self + 100 };
}

test('the functions that take the most come first', () => {
  const profile = /** @type {Profile} */ ({ unit: 'ns', samples: 3900 });
  const functions = [weigh('writeText', 250), weigh('writeFields', 750)];
  expect(print({ profile, functions })).toMatchInlineSnapshot(`
   "recursive · serialize flat · perf
   1.00 µs per document, 3 900 samples
   function                  self  share   total
   writeFields write.js:7  750 ns   75 %  850 ns
   writeText write.js:7    250 ns   25 %  350 ns

   Files in reports/runs/x
   None.
   "
  `);
});

describe('a recorder without stacks', () => {
  test.each([
    [
      { kind: 'instructions', perDocument: 251_048 },
      '251 048 instructions per document (counted, not timed)',
    ],
    [{ kind: 'whole-process', meanMs: 412 }, '412 ms for a whole process'],
    [
      { kind: 'values', values: { objects: 12, dictionaries: 1, hiddenClasses: 1 } },
      '12 objects, 1 of them in dictionary mode, 1 hidden class',
    ],
    [undefined, 'Done; see the files below.'],
  ])('has its figures %j', (figures, text) => {
    const observed = /** @type {Partial<ProfileObservationDone>} */ (
      figures === undefined ? {} : { figures }
    );
    expect(print({}, observed)).toContain(text);
  });

  test('says why it failed', () => {
    const failed = /** @type {Partial<ProfileObservationDone>} */ (
      /** @type {unknown} */ ({ outcome: 'failed', detail: 'perf was killed' })
    );
    expect(print({}, failed)).toContain('failed: perf was killed');
  });
});

describe('the files', () => {
  test.each([
    ['a.cpuprofile', /Chrome DevTools and speedscope open a \.cpuprofile file/],
    ['a.heapprofile', /Chrome DevTools and speedscope open a \.heapprofile file/],
    ['a.speedscope.json', /speedscope opens a \.speedscope\.json file/],
  ])('%s is listed with what opens it, and nothing else', (file, viewer) => {
    const text = print({}, { artefacts: [file] });
    expect(text).toContain(` – ${file}\n`);
    expect(text).toMatch(viewer);
    expect(text.match(/opens? a /g)).toHaveLength(1);
  });

  test('without profiles name no viewer', () => {
    expect(print({}, { artefacts: ['a.json'] })).not.toMatch(/opens? a /);
  });
});
