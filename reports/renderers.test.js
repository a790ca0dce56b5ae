/** The contract of every renderer in this folder. */

import { describe, expect, test } from '@jest/globals';
import { RECORDED_RUN_NAMES, recordedRun } from './support/recorded-runs.js';
import { listRendererModules } from './support/renderer-modules.js';

const renderers = await listRendererModules(import.meta.url);

describe.each(renderers)('renderer $moduleName', ({ moduleName, renderer }) => {
  test('is named like its file and says where its text goes', () => {
    expect(renderer.name).toBe(moduleName);
    if (renderer.fileName !== null) expect(renderer.fileName).toMatch(/^[a-z-]+\.[a-z]+$/);
  });

  test.each(RECORDED_RUN_NAMES)('renders the run %s to text of whole lines', (runName) => {
    const text = renderer.render(recordedRun(runName));
    expect(text).toMatch(/\S\n$/);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  test('gives the same text for the same run and leaves the run as it was', () => {
    const run = recordedRun('mixed');
    const first = renderer.render(run);
    expect(renderer.render(run)).toBe(first);
    expect(run).toEqual(recordedRun('mixed'));
  });
});
