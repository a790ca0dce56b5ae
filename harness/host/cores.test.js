import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTwoCores, hasTwoCores } from './cores.js';
import { makeTestDirectory } from '../testing/support/directories.js';

const tools = makeTestDirectory('tools');
writeFileSync(join(tools, 'taskset'), '#!/bin/sh\n', { mode: 0o755 });

const environment = { PATH: tools };

/**
 * A host whose processors have the given physical core and speed.
 *
 * @param {[siblings: string, khz: string][]} processors
 * @param {string} [allowed]
 */
function makeHost(processors, allowed = `0-${processors.length - 1}`) {
  const texts = new Map([['/proc/self/status', `Name:\tnode\nCpus_allowed_list:\t${allowed}\n`]]);
  for (const [cpu, [siblings, khz]] of processors.entries()) {
    const path = `/sys/devices/system/cpu/cpu${cpu}`;
    texts.set(`${path}/topology/thread_siblings_list`, siblings);
    texts.set(`${path}/cpufreq/cpuinfo_max_freq`, khz);
  }
  return /** @type {import('./counters.js').HostFiles} */ ({
    readText: (/** @type {string} */ path) => texts.get(path) ?? null,
  });
}

test.each([
  [
    'two cores',
    makeHost([
      ['0', '3000'],
      ['1', '3000'],
    ]),
    [0, 1],
  ],
  [
    'threads of the same core',
    makeHost([
      ['0,2', '3'],
      ['1,3', '3'],
      ['0,2', '3'],
      ['1,3', '3'],
    ]),
    [0, 1],
  ],
  [
    'siblings side by side',
    makeHost([
      ['0-1', '3'],
      ['0-1', '3'],
      ['2-3', '3'],
      ['2-3', '3'],
    ]),
    [0, 2],
  ],
  [
    'cores of two kinds',
    makeHost([
      ['0', '2000'],
      ['1', '3000'],
      ['2', '3000'],
    ]),
    [1, 2],
  ],
  [
    'processors that may be used',
    makeHost(
      [
        ['0', '3'],
        ['1', '3'],
        ['2', '3'],
      ],
      '1-2',
    ),
    [1, 2],
  ],
])('of %s, two are found', (_, host, cores) => {
  expect(findTwoCores(environment, host)).toEqual(cores);
});

test.each([
  [
    'one core with two threads',
    makeHost([
      ['0-1', '3'],
      ['0-1', '3'],
    ]),
  ],
  [
    'one core that may be used',
    makeHost(
      [
        ['0', '3'],
        ['1', '3'],
      ],
      '1',
    ),
  ],
  [
    'cores of different speed',
    makeHost([
      ['0', '2000'],
      ['1', '3000'],
    ]),
  ],
])('%s is refused with the remedy', (_, host) => {
  expect(() => findTwoCores(environment, host)).toThrow(/two physical cores of the same speed/);
  expect(hasTwoCores(environment, host)).toBe(false);
});

test('without taskset nothing can be bound to a core', () => {
  const host = makeHost([
    ['0', '3'],
    ['1', '3'],
  ]);
  expect(() => findTwoCores({ PATH: '/nowhere' }, host)).toThrow(/taskset/);
});
