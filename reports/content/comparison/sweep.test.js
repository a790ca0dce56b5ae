import { writeSection } from '../../document/markdown.js';
import { recordedRun } from '../../fixtures/runs.js';
import { makeSweepSection } from './sweep.js';

test('a line says how time grows in each variant, or that it is unknown', () => {
  const { manifest, verdict } = recordedRun('candidates');
  const exponent = { estimate: 1.984, low: 1.9, high: 2.07 };
  const sweep = { operation: 'encode', corpus: 'flat', candidate: 1, sizesBytes: [6046, 24e6] };
  const sweeps = [{ ...sweep, exponents: { baseline: exponent, candidate: null } }];
  const text = writeSection(makeSweepSection(manifest, { ...verdict, sweeps }));
  const { baseline, candidates } = manifest.question;
  expect(text).toContain('`encode flat`, 6\u00a0046\u00a0bytes to 22.9\u00a0MiB: time grows with ');
  expect(text).toMatch(/size\\?\^1\.98 \(1\.90–2\.07\) in /);
  expect(text).toContain(`in \`${baseline}\`, an unknown power of it in \`${candidates[1]}\``);
  expect(makeSweepSection(manifest, verdict).blocks).toEqual([]);
});
