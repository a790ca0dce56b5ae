/** The corpora: what each stresses, how large it is, and what V8 makes of its objects. */

/** @import { CorpusRow } from '../../harness/formats/types.ts' */
/** @import { Document, Inline, Row, Section } from '../document/model.ts' */

import { group } from 'd3-array';
import { countOf, formatCount, formatSize } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import {
  fact,
  factList,
  figureColumn,
  figureColumns,
  list,
  listCode,
  paragraph,
  section,
  untitled,
} from './build.js';

/** Groups that a reader looks for first; others follow in the order of their names. */
const FIRST_GROUPS = ['driver-specification', 'mflix', 'granular', 'adversarial'];
const LAST_GROUP = 'imported';

/**
 * @param {CorpusRow[]} rows
 * @param {string} node version that examined the objects
 * @returns {Document} one table, with its groups as headings
 */
export function describeCatalog(rows, node) {
  const sorted = rows.toSorted((one, other) => compareGroups(one.group, other.group));
  return {
    ...makeDocument(),
    brief: briefSections(sorted),
    sections: [
      {
        id: 'corpora',
        title: 'Corpora',
        untitled: ['terminal'],
        blocks: [
          {
            kind: 'table',
            label: 'Corpora',
            columns: [
              { title: 'group', kind: 'group' },
              { title: 'corpus', kind: 'name' },
              ...figureColumns('documents', 'size each', 'fields', 'levels'),
              { title: 'dictionary if' },
              { title: 'stresses', kind: 'prose' },
            ],
            rows: sorted.map(corpusRow),
            legend: `Fields: mean number of fields and array items of a document, at all levels. Dictionary if: V8 stores objects that were made in these ways as hash tables, here under Node ${node}.`,
          },
          paragraph(
            'NAME is short for NAME@parsed: documents made by EJSON.parse. NAME@deserialized and NAME@literal are the same documents, made in other ways. A built-in corpus of several documents takes a count: comments:1000, comments:1000@literal.',
          ),
          paragraph(`Your own documents: ${PROGRAM} corpora import NAME FILE`),
        ],
      },
    ],
  };
}

/** @type {(sorted: CorpusRow[]) => Section[]} a line per corpus; those of a series are named below */
function briefSections(sorted) {
  const series = group(
    sorted.filter(({ siblings }) => siblings.length > 0),
    (row) => listEndings(row).join(', '),
  );
  return [
    untitled('corpora', [
      {
        kind: 'table',
        label: 'Corpora',
        columns: [
          { title: 'group', kind: 'group' },
          { title: 'corpus', kind: 'name' },
          figureColumn('size each'),
          { title: 'stresses', kind: 'text' },
        ],
        rows: sorted.map((row) => [
          row.group.replaceAll('-', ' '),
          { code: row.name },
          formatSize(row.sizeBytes / row.documentCount),
          row.problems.at(-1) ?? row.stresses,
        ]),
      },
      list(
        [...series].map(([endings, rows]) => [
          ...listCode(rows.map(({ name }) => name)),
          `: also with ${endings} at the end of the name`,
        ]),
      ),
      {
        kind: 'facts',
        facts: [
          ['All of a corpus', { command: `${PROGRAM} corpora list NAME` }],
          ['Your own', { command: `${PROGRAM} corpora import NAME FILE` }],
          ['All columns', { command: `${PROGRAM} corpora list --full` }],
        ],
        only: ['terminal'],
      },
    ]),
  ];
}

/**
 * @param {CorpusRow[]} rows
 * @param {string} node version that examined the objects
 * @returns {Document} everything about each
 */
export function describeCorpora(rows, node) {
  return { ...makeDocument(), sections: rows.map((row, index) => corpusSection(row, index, node)) };
}

/** @returns {Omit<Document, 'sections'>} */
function makeDocument() {
  return {
    title: 'Corpora',
    eyebrow: 'Assay corpora',
    source: `${PROGRAM} corpora list --format json`,
    footer: `${PROGRAM} compare A B --corpus NAME`,
  };
}

/** @type {(row: CorpusRow) => Row} */
function corpusRow(row) {
  const { group, name, documentCount, sizeBytes, elements, sampledDocuments, levels } = row;
  return [
    group.replaceAll('-', ' '),
    { code: name },
    formatCount(documentCount),
    formatSize(sizeBytes / documentCount),
    formatCount(elements / sampledDocuments),
    String(levels),
    dictionaryProvenances(row),
    describeUse(row),
  ];
}

/** @type {(row: CorpusRow) => Inline} */
function describeUse({ name, stresses, siblings, problems }) {
  const endings = listEndings({ name, siblings });
  return [
    stresses,
    ...(endings.length === 0 ? [] : [`; also as ${endings.join(', ')}`]),
    // An import lists changes before it counts them.
    ...problems.slice(-2).map((problem) => `; ${problem}`),
  ];
}

/** @type {(row: Pick<CorpusRow, 'name' | 'siblings'>) => string[]} of the names in its series, which begin with its own: `-array-10` */
function listEndings({ name, siblings }) {
  return siblings.map((sibling) => sibling.slice(name.length));
}

/** @type {(row: CorpusRow) => string} `parsed, deserialized`, `always` */
function dictionaryProvenances({ objects }) {
  const all = Object.entries(objects);
  const names = all.flatMap(([name, counts]) => ((counts?.dictionary ?? 0) > 0 ? [name] : []));
  return names.length === all.length ? 'always' : names.join(', ');
}

/** @type {(row: CorpusRow, index: number, node: string) => Section} */
function corpusSection(row, index, node) {
  const counts = Object.entries(row.objects).filter(([, found]) => found !== null);
  const dictionary = counts.map(([provenance, found]) => `${found?.dictionary} ${provenance}`);
  const total = counts[0]?.[1]?.total ?? 0;
  const sampled =
    row.sampledDocuments < row.documentCount
      ? ` in the first ${countOf(row.sampledDocuments, 'document')}`
      : '';
  return section(`corpus-${index + 1}`, `${row.name} (${row.group.replaceAll('-', ' ')})`, [
    factList([
      ['stresses', row.stresses],
      ['documents', `${formatCount(row.documentCount)}, ${formatSize(row.sizeBytes)}`],
      [
        'shape',
        `${countOf(row.elements, 'field')} (and array items) on ${countOf(row.levels, 'level')}${sampled}`,
      ],
      ['digest', { code: row.digest }],
      ['count', row.takesCount ? [{ code: `${row.name}:1000` }, ' takes 1000 documents'] : 'fixed'],
      [
        'dictionary mode',
        `${dictionary.join(', ')}, of ${countOf(total, 'object')}${sampled}, under Node ${node}`,
      ],
      ...row.problems.map((problem) => fact('problem', problem)),
    ]),
  ]);
}

/** @param {string} one @param {string} other */
function compareGroups(one, other) {
  return placeOf(one) - placeOf(other) || one.localeCompare(other);
}

/** @param {string} group */
function placeOf(group) {
  const place = FIRST_GROUPS.indexOf(group);
  if (place !== -1) return place;
  return group === LAST_GROUP ? FIRST_GROUPS.length + 1 : FIRST_GROUPS.length;
}
