import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findTool } from './tools.js';
import { findTwoCores, hasTwoCores, listCores, parseCpuGroups } from './cores.js';

const tools = mkdtempSync(join(tmpdir(), 'assay-tools-'));
writeFileSync(join(tools, 'taskset'), '#!/bin/sh\n', { mode: 0o755 });
afterAll(() => rmSync(tools, { recursive: true }));

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

/** Four cores of two threads each, of which the last one is slower. */
const big = makeHost(
  ['0,4', '1,5', '2,6', '3,7', '0,4', '1,5', '2,6', '3,7'].map((siblings) => [
    siblings,
    siblings === '3,7' ? '2000' : '3000',
  ]),
  '0-7',
);

test.each([
  [
    ['0', '1'],
    [[0], [1]],
  ],
  [
    ['1-2', '0,4'],
    [
      [1, 2],
      [0, 4],
    ],
  ],
  [['5,1,1'], [[1, 5]]],
])('groups of processors are read: %j', (texts, groups) => {
  expect(parseCpuGroups(texts, environment, big)).toEqual(groups);
});

test.each([
  ['a', "'a' is not a list of processors"],
  ['', "'' is not a list of processors"],
  ['2-1', "'2-1' is not a list of processors"],
  ['0,,1', "'0,,1' is not a list of processors"],
  ['8', 'there is no processor 8 for this process'],
  ['0-9999', 'there is no processor 8 for this process'],
  ['0 4', "'0 4' is not a list of processors"],
])('a bad list is refused: %j', (text, message) => {
  expect(() => parseCpuGroups([text], environment, big)).toThrow(message);
});

test('groups must have cores of their own, and of one speed', () => {
  const parse = (/** @type {string[]} */ ...texts) => parseCpuGroups(texts, environment, big);
  expect(() => parse('0', '4')).toThrow('processor 0 and processor 4 share a physical core');
  expect(() => parse('0,1', '2,5')).toThrow(
    'processors 0,1 and processors 2,5 share a physical core',
  );
  expect(() => parse('0', '0')).toThrow('share a physical core');
  expect(() => parse('2', '3')).toThrow('the processors differ in their maximum speed');
  expect(() => parseCpuGroups(['0'], { PATH: '/nowhere' }, big)).toThrow(/taskset/);
});

test('the cores of a group have all their threads', () => {
  expect(listCores([0, 5], big).sort()).toEqual([0, 1, 4, 5]);
});

const testPinned = findTool('taskset', process.env) === null ? test.skip : test;

testPinned('a pinned process pins its threads and what it starts', () => {
  const script = `
    import { execFileSync } from 'node:child_process';
    import { readFileSync, readdirSync } from 'node:fs';
    const { pinThisProcess } = await import(${JSON.stringify(new URL('cores.js', import.meta.url).href)});
    const read = (text) => /^Cpus_allowed_list:\\s*(\\S+)/m.exec(text)[1];
    const [first] = read(readFileSync('/proc/self/status', 'utf8')).split(/[-,]/);
    pinThisProcess([Number(first)], process.env);
    const threads = readdirSync('/proc/self/task')
      .map((thread) => read(readFileSync('/proc/self/task/' + thread + '/status', 'utf8')));
    const child = read(execFileSync('cat', ['/proc/self/status'], { encoding: 'utf8' }));
    console.log(JSON.stringify({ first, threads, child }));`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const { first, threads, child } = JSON.parse(stdout);
  expect(threads.length).toBeGreaterThan(1);
  expect(new Set([...threads, child])).toEqual(new Set([first]));
});
