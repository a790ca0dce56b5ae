/** Tools of npm that are installed when asked for: `ASSAY_TEST_TOOLS=1` asks, as CI does. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { PROJECT } from '../../lib/project.js';
import { listRecorders } from '../recorder-registry.js';
import { recordCell } from './test-support/record-cell.js';

jest.setTimeout(120_000);

const { toolsPath } = PROJECT;
const recorders = await listRecorders();

describe.each([
  { name: '0x', says: 'writeDocument' },
  { name: 'clinic-doctor', says: 'Doctor' },
  { name: 'clinic-heap-profiler', says: 'writeDocument' },
])('$name', ({ name, says }) => {
  const testWithTool = process.env.ASSAY_TEST_TOOLS === '1' ? test : test.skip;

  testWithTool(
    'leaves one page, which loads nothing and names no path of this machine',
    async () => {
      const recorder = recorders.find((one) => one.name === name);
      if (recorder === undefined) throw new Error(`no recorder ${name}`);
      const cell = { variant: 'generator', operation: 'serialize', corpus: 'flat' };
      const { path, observation, remove } = await recordCell(recorder, cell, toolsPath);
      const [artefact = ''] = observation.artefacts;
      const page = readFileSync(join(path, artefact), 'utf8');
      const left = readdirSync(join(path, 'artefacts', 'profiles'));
      remove();
      expect(artefact.endsWith(`.${name}.html`)).toBe(true);
      expect(left).toHaveLength(1);
      expect(page).toContain(says);
      expect(page).toContain('Content-Security-Policy');
      expect(page).not.toContain(PROJECT.projectPath);
      expect(page).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)="?https?:/);
    },
  );
});
