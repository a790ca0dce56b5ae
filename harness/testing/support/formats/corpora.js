import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { BSON, EJSON } from 'bson';
import { importCorpus } from '../../../../corpora/support/import.js';
import { prepareCorpus } from '../../../../corpora/support/prepare.js';
import { loadCases } from '../../../../experiments/js-bson/fuzz/cases.js';
import { NO_RESULT, addResults, readJournal } from '../../../studies/fuzz/session.js';

/** @import { FileFormat } from './types.ts' */

const NAME = 'mine';
const DOCUMENTS = [
  { a: 1, text: 'Grüße', list: [1, 2.5, null, true], nested: { deep: { deeper: {} } } },
  {
    id: new BSON.ObjectId('0123456789abcdef01234567'),
    when: new Date(0),
    big: BSON.Long.MAX_VALUE,
  },
  { binary: new BSON.Binary(Buffer.from([1, 2, 3])), pattern: /a|b/i, code: new BSON.Code('x()') },
];
const LINES = DOCUMENTS.map((document) => EJSON.stringify(document, { relaxed: false }));
const BYTES = Buffer.concat(DOCUMENTS.map((document) => BSON.serialize(document)));
const CASE = { name: 'x', hex: BYTES.toString('hex').slice(0, 64), options: { raw: true } };
const ATTEMPT = { document: 7, hex: '0500000000', options: {} };

const store = await storeOnce();

/** @type {FileFormat[]} documents of users, what is kept of them, and what the fuzzer of codecs keeps */
export const formats = [
  {
    name: 'Extended JSON to import',
    fileName: 'documents.json',
    samples: [Buffer.from(`${LINES.join('\n')}\n`), Buffer.from(`[${LINES.join(',\n')}]`)],
    isNamedByCaller: true,
    read: importAndPrepare,
  },
  {
    name: 'BSON to import',
    fileName: 'documents.bson',
    samples: [BYTES],
    isNamedByCaller: true,
    read: importAndPrepare,
  },
  ...Object.entries(store).map(([fileName, bytes]) => ({
    name: `${fileName.replace(/[0-9a-f]{24}/, 'KEY')} of imported corpora`,
    fileName,
    samples: [bytes],
    neighbours: store,
    // What the reference makes of documents is made anew where it is broken.
    isMadeAnew: true,
    isNamedByCaller: true,
    /** @param {string} folder */
    read: (folder) => prepareCorpus(NAME, { directory: folder }),
  })),
  {
    name: 'a case of the fuzzer',
    fileName: 'x.json',
    samples: [Buffer.from(JSON.stringify(CASE))],
    /** @param {string} folder */
    async read(folder) {
      return loadCases(folder);
    },
  },
  {
    name: 'the journal of a fuzz job',
    fileName: 'journal.json',
    samples: [Buffer.from(JSON.stringify({ attempt: ATTEMPT, result: NO_RESULT }))],
    neverRefuses: true,
    async read(_folder, path) {
      const journal = readJournal(path);
      return journal === null ? null : addResults(NO_RESULT, journal.result);
    },
  },
];

/**
 * @param {string} folder
 * @param {string} path
 */
async function importAndPrepare(folder, path) {
  const directory = mkdtempSync(join(folder, 'corpora-'));
  try {
    await importCorpus(NAME, path, { directory });
    return await prepareCorpus(NAME, { directory });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** @returns {Promise<Record<string, Buffer>>} what an import leaves, by path */
async function storeOnce() {
  const directory = mkdtempSync(join(tmpdir(), 'assay-store-'));
  try {
    const file = join(directory, 'documents.json');
    writeFileSync(file, LINES.join('\n'));
    await importCorpus(NAME, file, { directory });
    rmSync(file);
    await prepareCorpus(NAME, { directory });
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    return Object.fromEntries(paths.map((path) => [relative(directory, path), readFileSync(path)]));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
