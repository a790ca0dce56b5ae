import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../../reports/support/fixtures.js';
import { compareEnvironments } from './compare-environments.js';

/** @import { Environment, HostNoise } from '../../formats/types.ts' */

const { environment } = makeManifest();
const QUIET = { stealShare: 0.001, othersShare: 0.01, throttledMs: 0 };

/**
 * @param {Partial<Environment>} changes
 * @param {Partial<Parameters<typeof compareEnvironments>[2]>} [circumstances]
 */
function differencesTo(changes, circumstances = {}) {
  const here = { ...environment, ...changes };
  return compareEnvironments(environment, here, {
    isSameNode: true,
    noise: { recorded: QUIET, here: QUIET },
    ...circumstances,
  });
}

describe('two hosts', () => {
  test('of one kind do not differ', () => {
    const memoryBytes = environment.memoryBytes * 0.97;
    expect(differencesTo({ memoryBytes, loadAverage: 0.9, runnableProcesses: 2 })).toEqual([]);
  });

  test('differ in named parts, each as it was and as it is', () => {
    const changes = { cpuModel: 'Intel Xeon', cpuCount: 8, virtualization: null, autogroup: false };
    expect(differencesTo(changes)).toEqual([
      { part: 'processor', recorded: 'AMD EPYC 7B13', here: 'Intel Xeon' },
      { part: 'CPUs', recorded: '2', here: '8' },
      { part: 'virtualization', recorded: 'kvm', here: 'none' },
      { part: 'autogroup', recorded: 'on', here: 'off' },
    ]);
  });

  test('differ in memory by more than their kernels keep', () => {
    expect(differencesTo({ memoryBytes: 16 * 2 ** 30 })).toEqual([
      { part: 'memory', recorded: '8.0 GiB', here: '16.0 GiB' },
    ]);
  });

  test('differ in Node where the figures come from another', () => {
    const other = { node: '24.1.0', v8: '13.6' };
    expect(differencesTo(other, { isSameNode: false }).map(({ part }) => part)).toEqual([
      'Node',
      'V8',
    ]);
    expect(differencesTo(other)).toEqual([]);
  });

  test('differ in load where one was busy', () => {
    expect(differencesTo({ loadAverage: 3 })).toEqual([
      { part: 'load before the first job', recorded: '0.4', here: '3.0' },
    ]);
  });

  test('differ in what disturbed them, as far as the report tells', () => {
    const stolen = { ...QUIET, stealShare: 0.2 };
    const shared = { ...QUIET, othersShare: 0.3 };
    const notKnown = { stealShare: null, othersShare: null, throttledMs: null };
    const compare = (
      /** @type {HostNoise | undefined} */ recorded,
      /** @type {HostNoise} */ here,
    ) => differencesTo({}, { noise: { recorded, here } });
    const [took, ran] = ['a hypervisor took CPU time', 'other processes ran'];
    expect(compare(QUIET, stolen)).toEqual([{ part: 'noise', recorded: 'none', here: took }]);
    expect(compare(shared, stolen)).toEqual([{ part: 'noise', recorded: ran, here: took }]);
    expect(compare(shared, QUIET)).toEqual([{ part: 'noise', recorded: ran, here: 'none' }]);
    expect(compare(undefined, shared)).toEqual([
      { part: 'noise', recorded: 'not known', here: ran },
    ]);
    expect(compare(shared, { ...shared, othersShare: 0.4 })).toEqual([]);
    expect(compare(undefined, QUIET)).toEqual([]);
    expect(compare(QUIET, notKnown)).toEqual([]);
  });
});
