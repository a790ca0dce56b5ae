/** Runs tools that are installed on first use. Only long tests do so. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../lib/project.js';
import { listRecorders } from '../recorder-registry.js';
import { recordCell } from './test-support/record-cell.js';
import { testLong } from '../../testing/support/gates.js';

const { projectPath, toolsPath } = PROJECT;
const recorders = await listRecorders();
const REMOTE = /<(?:script|link|img)[^>]*(?:src|href)="?https?:/;

testLong.each([
  { name: '0x', corpus: 'flat', texts: ['writeDocument'] },
  { name: 'clinic-doctor', corpus: 'flat', texts: ['Doctor'] },
  { name: 'clinic-heap-profiler', corpus: 'flat', texts: ['writeDocument'] },
  {
    name: 'v8-deopt-viewer',
    corpus: 'full',
    ending: 'deopt-viewer',
    texts: [
      '<title>generator: serialize full',
      'experiments/js-bson/traversals/write-generator.js',
    ],
    loaded: /<(?:script|link|img)[^>]*(?:src|href)=/,
  },
])(
  '$name makes one page, which loads nothing and has no path of this machine',
  async ({ name, corpus, ending = name, texts, loaded = REMOTE }) => {
    const recorder = recorders.find((one) => one.name === name);
    if (recorder === undefined) throw new Error(`no recorder ${name}`);
    const cell = { variant: 'generator', operation: 'serialize', corpus };
    const { path, observation, remove } = await recordCell(recorder, cell, toolsPath);
    const [artefact = ''] = observation.artefacts;
    const page = readFileSync(join(path, artefact), 'utf8');
    const left = readdirSync(join(path, 'artefacts', 'profiles'));
    remove();
    expect(artefact.endsWith(`.${ending}.html`)).toBe(true);
    expect(left).toHaveLength(1);
    for (const text of [...texts, 'Content-Security-Policy']) expect(page).toContain(text);
    expect(page).not.toContain(projectPath);
    expect(page).not.toMatch(loaded);
  },
);
