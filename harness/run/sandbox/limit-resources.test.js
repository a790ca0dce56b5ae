import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { limitResources } from './limit-resources.js';

const isLinux = process.platform === 'linux';

/** @param {string[]} words */
function run(words) {
  const [executable, ...args] = limitResources(words);
  return spawnSync(executable ?? '', args, { encoding: 'utf8' });
}

(isLinux ? test : test.skip)('limits hold in the command', () => {
  const { stdout } = run(['cat', '/proc/self/limits', '/proc/self/oom_score_adj']);
  expect(stdout).toMatch(/^Max core file size +0 +0 /m);
  expect(stdout).toMatch(/^Max file size +4294967296 +4294967296 /m);
  expect(Number(/^Max open files +(\d+)/m.exec(stdout)?.[1])).toBeLessThanOrEqual(4_096);
  expect(stdout).toMatch(/^1000$/m);
});

(isLinux ? test : test.skip)('what reserves address space is left as it is', () => {
  const own = /^Max address space.*$/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[0];
  expect(run(['cat', '/proc/self/limits']).stdout).toContain(own);
});

test('the command gets its words as they are and becomes the process', () => {
  const words = ['/bin/sh', '-c', 'echo "$1|$2"; exit 7', 'name', 'a  b', '$HOME'];
  expect(run(words)).toMatchObject({ status: 7, stdout: 'a  b|$HOME\n', stderr: '' });
});

test('a command that is not there fails as in a shell', () => {
  expect(run(['/no/such/command']).status).toBe(127);
});
