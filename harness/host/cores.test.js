import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findTwoCores, hasTwoCores } from './cores.js';

const directory = mkdtempSync(join(tmpdir(), 'assay-cores-'));
const environment = { PATH: directory };
beforeAll(() => writeFileSync(join(directory, 'taskset'), '#!/bin/sh\n', { mode: 0o755 }));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * @param {string} allowed
 * @param {string[]} [siblings] of each processor
 */
function makeFiles(allowed, siblings = []) {
  return {
    readText(/** @type {string} */ path) {
      if (path === '/proc/self/status') return `Name:\tnode\nCpus_allowed_list:\t${allowed}\n`;
      return siblings[Number(/cpu(\d+)/.exec(path)?.[1])] ?? null;
    },
    readNumber: () => null,
    readFlag: () => null,
    listNames: () => [],
  };
}

describe('two cores', () => {
  test.each([
    ['of many', '0-7', [], [0, 1]],
    ['that this process may use', '3,5-6', [], [3, 5]],
    ['that are not threads of one', '0-3', ['0-1\n', '0-1\n', '2-3\n', '2-3\n'], [0, 2]],
  ])('%s', (_, allowed, siblings, cores) => {
    expect(findTwoCores(environment, makeFiles(allowed, siblings))).toEqual(cores);
  });

  test.each([
    ['one processor', '2', []],
    ['two threads of a core', '0-1', ['0,1\n', '0,1\n']],
  ])('are not there with %s', (_, allowed, siblings) => {
    const files = makeFiles(allowed, siblings);
    expect(hasTwoCores(environment, files)).toBe(false);
    expect(() => findTwoCores(environment, files)).toThrow(
      expect.objectContaining({
        message: 'a paired schedule needs two physical cores, and this process may use one',
        remedy: 'measure one job at a time: --schedule sequential',
      }),
    );
  });

  test('are of no use without taskset', () => {
    expect(() => findTwoCores({ PATH: '' }, makeFiles('0-3'))).toThrow(/needs taskset/);
  });
});
