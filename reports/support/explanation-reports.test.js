/**
 * The sections that say why against the texts kept in `../golden/`. After a wanted change, write them
 * anew with `ASSAY_UPDATE_GOLDEN=1` before the test command, and read the diff.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { renderMarkdown } from '../markdown.js';
import { displayWidth } from '../../harness/lib/display-width.js';
import { makeManifest, makeVerdict } from './fixtures.js';
import { explainedRun } from './html-fixtures.js';
import { explanationSection } from './markdown-explanation.js';
import { layOutExplanation } from './terminal-explanation.js';

/** @import { CellExplanation } from '../../harness/formats/types.ts' */
/** @import { RenderInput } from '../types.ts' */

const MUST_UPDATE = process.env.ASSAY_UPDATE_GOLDEN === '1';
const run = explainedRun();

/**
 * @param {RenderInput} input
 * @param {number} [width]
 */
function layOut(input, width = 80) {
  return layOutExplanation({ input, width, paint: (text) => text });
}

test.each([
  ['terminal', `${layOut(run).join('\n')}\n`],
  ['markdown', `${explanationSection(run.manifest, run.verdict)}\n`],
])('the %s section reads as kept', (name, text) => {
  const file = new URL(`../golden/explanation-section.${name}.txt`, import.meta.url);
  if (MUST_UPDATE) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

test('a run without profiles has no section', () => {
  const input = { manifest: makeManifest(), verdict: makeVerdict([]) };
  expect(layOut(input)).toEqual([]);
  expect(explanationSection(input.manifest, input.verdict)).toBe('');
});

describe('the section', () => {
  test.each([80, 100, 120])('fits %i columns', (width) => {
    for (const line of layOut(run, width)) {
      expect([line, displayWidth(line) <= width]).toEqual([line, true]);
    }
  });

  test('is its paragraphs alone where a report gets too long', () => {
    const [whole, short] = /** @type {const} */ (['whole', 'short']).map((form) =>
      explanationSection(run.manifest, run.verdict, form),
    );
    expect(whole).toContain('<details>');
    expect(short).not.toContain('<details>');
    expect(short).toContain('Object.entries');
  });

  test('gives way in a report with a hundred cells, which says so', () => {
    const { explanation } = run.verdict;
    if (explanation === undefined) throw new Error('the fixture explains');
    const cells = Array.from({ length: 100 }, () => explanation.cells[0]);
    const text = renderMarkdown({
      ...run,
      verdict: { ...run.verdict, explanation: { ...explanation, cells } },
    });
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/why/i);
  });

  test('lets no name of a function, file or site act as markup', () => {
    const hostile = '|`<img src=x>\n@all';
    const { explanation } = run.verdict;
    if (explanation === undefined) throw new Error('the fixture explains');
    const cells = explanation.cells.map((cell) => spoilNames(cell, hostile));
    const text = explanationSection(run.manifest, {
      ...run.verdict,
      explanation: { ...explanation, cells },
    });
    expect(text).not.toMatch(/(^|[^\\`])<img/m);
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.every((row) => row.endsWith('|'))).toBe(true);
  });
});

describe('files of recorders that were asked for by name', () => {
  const { manifest, verdict } = explainedRun();
  const { explanation } = verdict;
  if (explanation === undefined) throw new Error('the fixture explains');
  const [usual] = explanation.cells;
  const path = 'artefacts/profiles/0x/serialize-flat-candidate-0.html';
  const artefacts = [
    ...usual.artefacts,
    { recorder: '0x', arm: /** @type {const} */ ('candidate'), path },
  ];
  const asked = {
    manifest: { ...manifest, question: { ...manifest.question, recorders: ['0x'] } },
    verdict: { ...verdict, explanation: { ...explanation, cells: [{ ...usual, artefacts }] } },
  };

  test('are named in the terminal', () => {
    const text = layOut(asked).join('\n');
    expect(text).toContain(`  files, below the run's directory\n    0x, candidate: ${path}`);
    expect(text).not.toContain('.cpuprofile');
  });

  test('are named in Markdown', () => {
    const text = explanationSection(asked.manifest, asked.verdict);
    expect(text).toContain(`- 0x, candidate: \`${path}\``);
    expect(text).not.toContain('.cpuprofile');
  });
});

/**
 * @param {CellExplanation} cell
 * @param {string} name
 * @returns {CellExplanation}
 */
function spoilNames(cell, name) {
  return {
    ...cell,
    cell: { ...cell.cell, id: name },
    paragraph: [name],
    functions: cell.functions.map((change) => ({ ...change, name, file: name })),
    causes: cell.causes.map((cause) => ({ ...cause, name })),
    deopts: cell.deopts.map((change) => ({ ...change, function: name, file: name, reason: name })),
    cacheSites: cell.cacheSites.map((change) => ({ ...change, function: name, key: name })),
    allocations: cell.allocations.map((change) => ({ ...change, name, file: name })),
  };
}
