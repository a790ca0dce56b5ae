import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { findTool } from '../harness/host/tools.js';
import { makeProject, runAssay } from '../harness/testing/support/project.js';

jest.setTimeout(60_000);

const EXPERIMENTS = fileURLToPath(new URL('../experiments/', import.meta.url));
const guide = readFileSync(join(EXPERIMENTS, 'README.md'), 'utf8');

const directory = mkdtempSync(join(tmpdir(), 'assay-guide-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** @returns {string[][]} name and content of each file in the guide */
function listShownFiles() {
  return [...guide.matchAll(/^`([\w/.-]+)`(?:(?!\n\n)[^])*?:\n\n```\w+\n(.*?)^```$/gms)].map(
    ([, name, content]) => [name, content],
  );
}

const links = [...guide.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target);

test.each(links)('the link of the guide has a target: %s', (target) => {
  expect(existsSync(join(EXPERIMENTS, target))).toBe(true);
});

const testPython = findTool('python3', process.env) === null ? test.skip : test;

describe('the example family of the guide', () => {
  testPython('is whole: a comparison of its variants passes the gate and is measured', async () => {
    const familyPath = join(directory, 'byte-order');
    for (const [name, content] of listShownFiles()) {
      mkdirSync(dirname(join(familyPath, name)), { recursive: true });
      writeFileSync(join(familyPath, name), content);
    }
    const projectPath = join(directory, 'project');
    makeProject(projectPath, [familyPath]);
    const sides = ['byte-order:slice', 'byte-order:iterator'];
    const options = ['--budget', '1', '--explain', 'none', '--out', join(directory, 'runs')];
    const { status, stderr } = await runAssay(['compare', ...sides, ...options], { projectPath });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const [run] = readdirSync(join(directory, 'runs'));
    const path = join(directory, 'runs', run, 'observations.ndjson');
    const observations = readFileSync(path, 'utf8').trimEnd().split('\n');
    for (const line of observations) expect(JSON.parse(line)).toMatchObject({ outcome: 'done' });
  });
});
