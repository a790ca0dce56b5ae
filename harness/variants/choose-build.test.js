import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseBuild } from './build-checkout.js';

const room = mkdtempSync(join(tmpdir(), 'assay-build-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

const FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';

/**
 * @param {object} packageJson
 * @param {string[]} [otherFiles]
 */
function choose(packageJson, otherFiles = []) {
  const path = mkdtempSync(join(room, 'package-'));
  for (const name of otherFiles) writeFileSync(join(path, name), '{}');
  writeFileSync(join(path, 'package.json'), JSON.stringify(packageJson));
  return chooseBuild(path);
}

test('without scripts and dependencies there is nothing to do', () => {
  const nothing = { install: '', scripts: [''] };
  expect(choose({})).toEqual(nothing);
  expect(choose({ devDependencies: { a: '1' }, scripts: { test: 'x' } })).toEqual(nothing);
});

test('without a build script only what the package needs at run time is installed', () => {
  expect(choose({ dependencies: { a: '1' }, devDependencies: { b: '1' } })).toEqual({
    install: `npm install --omit=dev ${FLAGS}`,
    scripts: [''],
  });
});

test('a build script is run after everything is installed', () => {
  expect(choose({ devDependencies: { b: '1' }, scripts: { build: 'tsc' } })).toEqual({
    install: `npm install --include=dev ${FLAGS}`,
    scripts: ['npm run build'],
  });
});

test.each(['package-lock.json', 'npm-shrinkwrap.json'])('%s is obeyed', (name) => {
  const packageJson = { dependencies: { a: '1' }, scripts: { build: 'tsc' } };
  expect(choose(packageJson, [name]).install).toBe(`npm ci --include=dev ${FLAGS}`);
});

test('a bundle that is the last step of the build is tried alone before the whole', () => {
  const scripts = { 'build:bundle': 'rollup', build: 'npm run build:dts && npm run build:bundle' };
  expect(choose({ scripts }).scripts).toEqual(['npm run build:bundle', 'npm run build']);
});

test('a bundle that something is done to afterwards is not enough', () => {
  const scripts = { 'build:bundle': 'rollup', build: 'npm run build:bundle && terser' };
  expect(choose({ scripts }).scripts).toEqual(['npm run build']);
});
