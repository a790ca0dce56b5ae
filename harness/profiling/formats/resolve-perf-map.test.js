import { expect, test } from '@jest/globals';
import { FormatError } from '../../lib/errors.js';
import { readFixture } from '../profiles/fixtures/read-fixture.js';
import { resolvePerfMap } from './resolve-perf-map.js';

const MAP = '1000 100 Eval:~ node:stream:1:1\n2000 10 JS:^old x.js:1:1\n1080 40 JS:*run x.js:1:1\n';

/** @param {string} frame */
function resolveFrame(frame) {
  return resolvePerfMap(`node 7 1.000000: \n\t${frame}\n`, MAP).split('\n')[1].trim();
}

test('the latest code at an address names it', () => {
  expect(resolveFrame('1090 Eval:~ node:stream:1:1 (/tmp/perf-7.map)')).toBe(
    '1090 JS:*run x.js:1:1 (/tmp/perf-7.map)',
  );
  expect(resolveFrame('1070 [unknown] (/tmp/perf-7.map)')).toBe(
    '1070 Eval:~ node:stream:1:1 (/tmp/perf-7.map)',
  );
});

test('an address that no code holds is unknown', () => {
  expect(resolveFrame('3000 JS:^old x.js:1:1 (/tmp/perf-7.map)')).toBe(
    '3000 [unknown] (/tmp/perf-7.map)',
  );
  expect(resolveFrame('3000 [unknown] ([unknown])')).toBe('3000 [unknown] ([unknown])');
});

test('code that perf could not place is found in the map', () => {
  expect(resolveFrame('2004 [unknown] ([unknown])')).toBe('2004 JS:^old x.js:1:1 ([unknown])');
});

test('a map whose numbers are written with 0x is read too', () => {
  const script = 'java 7 1.000000: \n\t1090 [unknown] (/tmp/perf-7.map)\n';
  expect(resolvePerfMap(script, '0x00001000 0x00000100 void a.B.c()\n')).toContain(
    '1090 void a.B.c() (/tmp/perf-7.map)',
  );
});

test('symbols of programs and libraries stay', () => {
  expect(resolveFrame('1090 main (/usr/bin/node)')).toBe('1090 main (/usr/bin/node)');
});

test('a recorded script in which perf took the measured loop for a module of node', () => {
  const script = readFixture('perf-linked-list-node-20.txt');
  const run = 'JS:*run file:///project/experiments/js-bson/operations/serialize.js:21:6';
  expect(script).not.toContain(run);
  const resolved = resolvePerfMap(script, readFixture('perf-linked-list-node-20.map'));
  expect(resolved.split(run).length - 1).toBeGreaterThan(10);
  expect(resolved.split('\n')).toHaveLength(script.split('\n').length);
});

test('inlined functions are frames of their own, found by the byte before a return address', () => {
  /** @type {number[][]} */
  const asked = [];
  const script =
    'node 7 1.000000: \n\t1090 [unknown] (/tmp/perf-7.map)\n\t10a0 [unknown] (/tmp/perf-7.map)\n';
  const resolved = resolvePerfMap(script, MAP, (start, offset) => {
    asked.push([start, offset]);
    return offset === 0x10 ? ['mix x.js:3:1', 'add x.js:4:1'] : [];
  });
  expect(asked).toEqual([
    [0x1080, 0x10],
    [0x1080, 0x1f],
  ]);
  expect(resolved.split('\n').map((line) => line.trim())).toEqual([
    'node 7 1.000000:',
    '1090 JS:*mix x.js:3:1 (/tmp/perf-7.map)',
    '1090 JS:*add x.js:4:1 (/tmp/perf-7.map)',
    '1090 JS:*run x.js:1:1 (/tmp/perf-7.map)',
    '10a0 JS:*run x.js:1:1 (/tmp/perf-7.map)',
    '',
  ]);
});

test('a map without code is refused with a remedy', () => {
  expect(() => resolvePerfMap('', 'nothing here')).toThrow(FormatError);
});
