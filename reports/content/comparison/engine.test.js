import { cellsOf, plainText, readCell } from '../../document/inline.js';
import { explainedRun } from '../../fixtures/explained.js';
import { describeAllocation, describeEngine } from './engine.js';

/** @import { CellExplanation } from '../../../harness/formats/types.ts' */
/** @import { Block } from '../../document/model.ts' */

const [explained] = explainedRun().verdict.explanation?.cells ?? [];

/**
 * @param {(cell: CellExplanation, most: number) => Block[]} describeCell
 * @param {Partial<CellExplanation>} [changes]
 * @param {number} [most]
 * @returns {Record<string, string[][]>} rows of the tables by label or caption
 */
function listTables(describeCell, changes = {}, most = 12) {
  if (explained === undefined) throw new Error('the fixture explains a cell');
  const blocks = describeCell({ ...explained, ...changes }, most);
  const tables = blocks.flatMap((block) => (block.kind === 'table' ? [block] : []));
  return Object.fromEntries(
    tables.map(({ label, caption = '', rows }) => [
      label ?? plainText(caption),
      rows.map((row) =>
        cellsOf(row).map((cell) => plainText(readCell(cell).value).replaceAll('\u00a0', ' ')),
      ),
    ]),
  );
}

describe('the engine', () => {
  test('values that differ have a row for each form that an arm has', () => {
    const { baseline } = explained?.values ?? {};
    if (baseline === undefined || baseline === null) throw new Error('the fixture has values');
    const candidate = { ...baseline, dictionaries: baseline.dictionaries + 7, smis: 0 };
    const caption = 'How V8 represents the values that the operation reads or creates';
    const { [caption]: rows = [] } = listTables(describeEngine, {
      values: { baseline, candidate },
    });
    expect(rows).toContainEqual([
      'objects in dictionary mode',
      String(baseline.dictionaries),
      String(baseline.dictionaries + 7),
    ]);
    const { [caption]: alone = [] } = listTables(describeEngine, {
      values: { baseline: null, candidate },
    });
    expect(alone.every(([, first]) => first === '–')).toBe(true);
  });

  test('what a table leaves out is counted', () => {
    if (explained === undefined) throw new Error('the fixture explains a cell');
    const [deopt] = explained.deopts;
    const deopts = deopt === undefined ? [] : [deopt, deopt, deopt];
    const texts = describeEngine({ ...explained, deopts }, 1).map((block) =>
      block.kind === 'paragraph' ? plainText(block.text) : '',
    );
    expect(texts).toContain('2 more deoptimisations in verdict.json.');
  });
});

describe('allocation', () => {
  test('without counted collections has no table of them', () => {
    const collections = { baseline: null, candidate: null };
    expect(listTables(describeAllocation, { collections })['Garbage collections']).toEqual([]);
  });
});
