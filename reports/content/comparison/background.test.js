import { makeCell, makeEmptyCell, makeVerdict } from '../../fixtures/build.js';
import { recordedRun } from '../../fixtures/runs.js';
import { listOriginFacts, makeRepeatSection, measuredLabel } from './background.js';

test('the toolchain is named, that of each role where they differ', () => {
  const { manifest } = recordedRun('rust');
  expect(listOriginFacts(manifest)).toEqual([['Toolchain', 'cargo 1.95.0, rustc 1.95.0']]);
  const { baseline, reference } = manifest.variants;
  const older = { ...baseline, toolchain: { rustc: '1.90.0' } };
  const unknown = { ...reference, toolchain: {} };
  const mixed = { ...manifest.variants, baseline: older, reference: unknown };
  expect(listOriginFacts({ ...manifest, variants: mixed })).toEqual([
    ['Baseline toolchain', 'rustc 1.90.0'],
    ['Candidate toolchain', 'cargo 1.95.0, rustc 1.95.0'],
  ]);
  expect(listOriginFacts(recordedRun('series').manifest)).toEqual([['Toolchain', 'c++ 12.2.0']]);
});

test('says how much of the time went into workers, and when there was nothing to measure', () => {
  const cell = makeCell({ operation: 'a', corpus: 'b', verdict: 'faster', ratio: [0.8, 0.9, 1] });
  expect(measuredLabel(makeVerdict([cell])).replaceAll('\u00a0', ' ')).toBe(
    '24 processes in 4.44 s, 92 % of it inside workers',
  );
  const once = makeVerdict([cell], { timing: { wallMs: 200, workerMs: 100, observations: 1 } });
  expect(measuredLabel(once)).toMatch(/^1\sprocess in /);
  expect(measuredLabel(makeVerdict([makeEmptyCell('a', 'b', 'inconclusive')]))).toMatch(
    /^nothing in /,
  );
});

test('a range is shown beside the version that it stands for', () => {
  const { manifest, verdict } = recordedRun('rust');
  const { question, variants } = manifest;
  const typed = { [variants.baseline.spec]: 'npm:codec@^1' };
  const section = makeRepeatSection({ ...manifest, question: { ...question, typed } }, verdict);
  expect(JSON.stringify(section)).toContain('"typed: ",{"code":"npm:codec@^1"}');
});
