import { expect, test } from '@jest/globals';
import { describeEnvironment } from '../host/environment.js';
import { requireSame, requireSameHost } from './identity.js';

const BEGUN = { name: 'the calibration', again: 'a new calibration' };

test('what is the same goes on', () => {
  expect(() => requireSame('Assay', '1.0.0', '1.0.0')).not.toThrow();
  expect(() => requireSameHost(describeEnvironment())).not.toThrow();
});

test.each([
  ['Node', { node: '0.0.1' }],
  ['the processor', { cpuModel: 'another' }],
  ['the kernel', { kernel: 'another' }],
])('%s that is another is named, with what to start', (what, changes) => {
  const before = { ...describeEnvironment(), ...changes };
  expect(() => requireSameHost(before, BEGUN)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`${what} is not what it was when the calibration began (`),
      remedy: 'figures of two different things cannot be mixed; start a new calibration',
    }),
  );
});
