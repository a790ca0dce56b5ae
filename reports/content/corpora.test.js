import { renderTerminal } from '../document/terminal.js';
import { describeCatalog, describeCorpora } from './corpora.js';

/** @import { CorpusRow } from '../../harness/formats/types.ts' */

const NODE = '26.1.0';

/** @type {(changes: Partial<CorpusRow>) => CorpusRow} */
function makeRow(changes) {
  return {
    name: 'flat',
    group: 'driver-specification',
    siblings: [],
    stresses: 'one wide document',
    digest: `sha256:${'0'.repeat(64)}`,
    documentCount: 2,
    takesCount: false,
    sizeBytes: 12_092,
    sampledDocuments: 2,
    elements: 290,
    levels: 1,
    objects: {
      parsed: { total: 2, dictionary: 2 },
      deserialized: { total: 2, dictionary: 1 },
      literal: { total: 2, dictionary: 0 },
    },
    problems: [],
    ...changes,
  };
}

describe('the catalog', () => {
  it('gives each corpus a line of figures by document, under its group', () => {
    const [titles, group, figures, use] = renderTerminal(
      describeCatalog([makeRow({})], NODE),
    ).split('\n');
    expect(titles).toMatch(/^corpus +documents +size each +fields +levels +dictionary if$/);
    expect(group).toBe('driver specification');
    expect(figures).toMatch(/^ flat +2 +6 046 bytes +145 +1 +parsed, deserialized$/);
    expect(use?.trim()).toBe('one wide document');
  });

  it('names the Node whose objects it counts', () => {
    const text = renderTerminal(describeCatalog([makeRow({})], NODE));
    expect(text.replace(/\s+/g, ' ')).toContain('as hash tables, here under Node 26.1.0.');
  });

  it('has the groups in the order of a reader, the imported ones last', () => {
    const groups = ['adversarial', 'imported', 'mflix', 'zoo', 'driver-specification'];
    const text = renderTerminal(
      describeCatalog(
        groups.map((group) => makeRow({ group })),
        NODE,
      ),
    );
    const headings = [...text.matchAll(/^(\w[\w ]*)\n flat /gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['driver specification', 'mflix', 'adversarial', 'zoo', 'imported']);
  });

  it('shortens the names of siblings to what differs', () => {
    const row = makeRow({ name: 'date', siblings: ['date-array-1', 'date-array-10'] });
    expect(renderTerminal(describeCatalog([row], NODE))).toContain('; also as -array-1, -array-10');
  });

  it('shows a dash where documents could not be made', () => {
    const row = makeRow({ documentCount: 0, sizeBytes: 0, sampledDocuments: 0, elements: 0 });
    const text = renderTerminal(describeCatalog([row], NODE));
    expect(text).not.toMatch(/NaN|Infinity/);
    expect(text).toMatch(/flat +0 +– +–/);
  });
});

describe('one corpus', () => {
  it('has everything about it', () => {
    const text = renderTerminal(describeCorpora([makeRow({ documentCount: 3000 })], NODE));
    expect(text.split('\n')[0]).toBe('flat (driver specification)');
    expect(text.replace(/\s+/g, ' ')).toContain(
      'dictionary mode 2 parsed, 1 deserialized, 0 literal, of 2 objects in the first 2 documents, under Node 26.1.0',
    );
    expect(text).toContain('sha256:');
  });
});
