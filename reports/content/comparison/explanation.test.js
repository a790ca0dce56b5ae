import { parseHTML } from 'linkedom';
import { displayWidth } from '../../../harness/lib/columns.js';
import { writeSection as writeHtml } from '../../document/html.js';
import { renderMarkdown, writeSection as writeMarkdown } from '../../document/markdown.js';
import { renderTerminal } from '../../document/terminal.js';
import { makeManifest, makeVerdict } from '../../fixtures/build.js';
import { explainedRun } from '../../fixtures/explained.js';
import { recordedRun } from '../../fixtures/runs.js';
import { explainInFull, makeExplanationSection } from './explanation.js';

/** @import { CellExplanation } from '../../../harness/formats/types.ts' */
/** @import { RenderInput } from '../../types.ts' */
/** @import { Document, Section } from '../../document/model.ts' */

const run = explainedRun();
const explained = findCell();

/** @returns {CellExplanation} */
function findCell() {
  const cell = run.verdict.explanation?.cells[0];
  if (cell === undefined) throw new Error('the fixture explains a cell');
  return cell;
}

/** @type {(input: Pick<RenderInput, 'manifest' | 'verdict' | 'runPath'>) => Section} */
function makeSection({ manifest, verdict, runPath }) {
  return makeExplanationSection(manifest, verdict, runPath);
}

/** @param {RenderInput} input @param {number} [width] */
function print(input, width = 80) {
  return renderTerminal({ sections: [makeSection(input)] }, { width });
}

/** @type {(changes: Partial<CellExplanation>) => RenderInput} */
function withCell(changes) {
  const explanation = { cells: [{ ...explained, ...changes }], warnings: [] };
  return { ...run, verdict: { ...run.verdict, explanation } };
}

test('a run without profiles has no section', () => {
  expect(makeExplanationSection(makeManifest(), makeVerdict([])).blocks).toEqual([]);
});

test('functions that the revisions have differently are marked, and the mark is explained', () => {
  const functions = explained.functions.map((change, index) => ({
    ...change,
    edited: index === 0,
  }));
  const text = writeMarkdown(makeSection(withCell({ functions })));
  expect(text).toMatch(/\| .* edited \|/);
  expect(text).toContain('edited: the two revisions have lines of the function differently.');
  expect(writeMarkdown(makeSection(run))).not.toContain('edited');
});

describe('the section', () => {
  test.each([80, 100, 120])('fits %i columns', (width) => {
    for (const line of print(run, width).split('\n')) {
      expect([line, displayWidth(line) <= width]).toEqual([line, true]);
    }
  });

  test('is its sentences alone where a report gets too long', () => {
    const { short = [], ...section } = makeSection(run);
    const text = writeMarkdown({ ...section, blocks: short });
    expect(text).not.toContain('<details>');
    expect(text).toContain('Object.entries');
  });

  test('is abridged in a report with a hundred cells, which says so', () => {
    const cells = Array.from({ length: 100 }, () => explained);
    const verdict = { ...run.verdict, explanation: { cells, warnings: [] } };
    const document = /** @type {Document} */ ({
      sections: [makeSection({ ...run, verdict })],
      source: 'verdict.json',
    });
    const text = renderMarkdown(document);
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/why in short/);
  });

  test('names what the page holds of a program, and of Node', () => {
    const explanation = { cells: [], warnings: [] };
    const tell = (/** @type {Parameters<typeof recordedRun>[0]} */ name) => {
      const { verdict, ...other } = recordedRun(name);
      return print({ ...other, verdict: { ...verdict, explanation } }, 120);
    };
    expect(tell('rust')).toMatch(/^Functions and flamegraphs: just open /m);
    expect(tell('faster')).toMatch(/^Functions, flamegraphs, allocations and deoptimisations:\s/m);
  });
});

describe('files of recorders that were asked for by name', () => {
  const path = 'artefacts/profiles/0x/serialize-flat-candidate-0.html';
  const { manifest, verdict } = withCell({
    artefacts: [...explained.artefacts, { recorder: '0x', arm: 'candidate', path }],
  });
  const asked = {
    manifest: { ...manifest, question: { ...manifest.question, recorders: ['0x'] } },
    verdict,
  };

  test('are named in a terminal and in Markdown', () => {
    expect(print(asked)).toContain(`Files in the run directory\n – 0x, candidate: ${path}`);
    const text = writeMarkdown(makeSection(asked));
    expect(text).toContain(`- 0x, candidate: \`${path}\``);
    for (const one of [text, print(asked)]) expect(one).not.toContain('.cpuprofile');
  });
});

describe('on a page', () => {
  /** @param {Partial<CellExplanation>} changes @param {number} [rows] */
  function openPage(changes, rows = 12) {
    const blocks = explainInFull({ ...explained, ...changes }, rows, []);
    const html = String(writeHtml({ id: 'cells', title: 'Cells', blocks }));
    return parseHTML(`<html><body>${html}</body></html>`).document;
  }

  test('more functions are folded, and what is left out is counted', () => {
    const { functions } = explained;
    const document = openPage({ functions: functions.slice(0, 6) }, 1);
    expect(document.querySelector('summary')?.textContent).toBe('3 more functions');
    expect(document.body.textContent).toContain('2 more functions in verdict.json.');
    expect(document.body.textContent).toContain('more causes in verdict.json.');
  });
});
