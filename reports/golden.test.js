/**
 * Whole reports of recorded runs against the texts kept in `golden/`. After an intended change,
 * write them again with `ASSAY_UPDATE_GOLDEN=1` before the test command, and read the diff.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { renderMarkdown, renderTerminal } from './fixtures/render.js';
import { RECORDED_RUN_NAMES, recordedRun } from './fixtures/runs.js';

const MUST_UPDATE = process.env.ASSAY_UPDATE_GOLDEN === '1';

for (const [name, render] of /** @type {const} */ ([
  ['terminal', renderTerminal],
  ['markdown', renderMarkdown],
])) {
  test.each(RECORDED_RUN_NAMES)(`the ${name} report of the run '%s' reads as kept`, (runName) => {
    const text = render(recordedRun(runName));
    const file = new URL(`golden/${runName}.${name}.txt`, import.meta.url);
    if (MUST_UPDATE) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
}
