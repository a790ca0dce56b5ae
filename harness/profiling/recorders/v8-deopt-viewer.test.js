/** With the tool, which is installed when asked for: `ASSAY_TEST_TOOLS=1` asks, as CI does. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { PROJECT } from '../../lib/project.js';
import { recordCell } from './test-support/record-cell.js';
import { recorder } from './v8-deopt-viewer.js';

jest.setTimeout(120_000);

const { toolsPath } = PROJECT;
const testWithTool = process.env.ASSAY_TEST_TOOLS === '1' ? test : test.skip;

testWithTool('the page has all in one file and names no path of this machine', async () => {
  const cell = { variant: 'generator', operation: 'serialize', corpus: 'full' };
  const { path, observation, remove } = await recordCell(recorder, cell, toolsPath);
  const [artefact = ''] = observation.artefacts;
  const page = readFileSync(join(path, artefact), 'utf8');
  remove();
  expect(artefact).toMatch(/\.deopt-viewer\.html$/);
  expect(page).toContain('<title>generator: serialize full');
  expect(page).toContain('experiments/js-bson/traversals/write-generator.js');
  expect(page).not.toContain(PROJECT.projectPath);
  expect(page).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)=/);
});
