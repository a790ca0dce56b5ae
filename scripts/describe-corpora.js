/**
 * Prints a table of what limits a codec on corpora: `node scripts/describe-corpora.js NAME…`, without names those from elsewhere
 * that are imported.
 */

import { streamBsonDocuments } from '../corpora/support/document-files.js';
import { readExactTypes } from '../corpora/support/document-text.js';
import { prepareCorpus } from '../corpora/support/prepare.js';
import { listImportedNames } from '../corpora/support/registry.js';
import { PROJECT } from '../harness/lib/project.js';
import { describeDocuments, writeDescriptions } from './elsewhere/describe.js';
import { table } from './elsewhere/table.js';

/** @import { Description } from './elsewhere/describe.js' */

const PLACE = { directory: PROJECT.corporaPath };

/** @type {(name: string) => Promise<[string, Description]>} */
async function describe(name) {
  const { files } = await prepareCorpus(name, PLACE);
  return [name, describeDocuments(readDocuments(files.canonical))];
}

/** @param {string} file */
function* readDocuments(file) {
  for (const bytes of streamBsonDocuments(file)) yield { bytes, document: readExactTypes(bytes) };
}

const imported = listImportedNames(PLACE);
const elsewhere = table.corpora.map(({ name }) => name).filter((name) => imported.includes(name));
const names = process.argv.length > 2 ? process.argv.slice(2) : elsewhere;
const rows = [];
for (const name of names) rows.push(await describe(name));
console.log(writeDescriptions(rows));
