/**
 * Imports the corpora of documents that were not made for this project: those of packages of the npm registry, of which
 * `scripts/elsewhere/documents.json` has exact versions, rules and digests.
 *
 *     node scripts/import-elsewhere.js [--held-back | --all] [NAME…]
 *
 * By default those of the half on which variants are developed. `--pin` writes halves, counts and digests into the table
 * instead of comparing them.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { importCorpus } from '../corpora/support/import.js';
import { makeTemporaryDirectory } from '../harness/lib/files.js';
import { formatSize } from '../harness/lib/numbers.js';
import { PROJECT } from '../harness/lib/project.js';
import { INSTALL_TIMEOUT_MS, runNpm } from '../harness/variants/npm.js';
import { extractDocuments } from './elsewhere/extract.js';
import {
  TABLE_PATH,
  assignHalves,
  chooseSources,
  listDifferences,
  table,
} from './elsewhere/table.js';

/** @import { ImportResult } from '../corpora/support/import.js' */
/** @import { PinnedSource } from './elsewhere/table.js' */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'held-back': { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    pin: { type: 'boolean', default: false },
  },
});
const half = values['held-back'] ? 'held back' : 'development';
const sources = chooseSources(table.corpora, {
  names: positionals,
  half: values.all ? 'all' : half,
});

const folder = makeTemporaryDirectory('elsewhere');
const differences = [];
try {
  for (const source of sources) {
    const { documentCount, sizeBytes, digest } = await importSource(source);
    console.log(`${source.name}: ${documentCount} documents, ${formatSize(sizeBytes)}`);
    if (values.pin) {
      Object.assign(source, { documents: documentCount, bytes: sizeBytes, digest });
    } else {
      differences.push(...listDifferences(source, { documentCount, sizeBytes, digest }));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (values.pin) await writeTable();
if (differences.length > 0) {
  console.error(differences.join('\n'));
  console.error('These documents are not those of the table: compare no figures with its figures.');
  process.exitCode = 3;
}
console.log(`--corpus ${sources.map(({ name }) => name).join(',')}`);

/** @type {(source: PinnedSource) => Promise<ImportResult>} */
async function importSource(source) {
  const unpacked = join(folder, source.package.replaceAll('/', '+'));
  await fetchPackage(source.package, unpacked);
  const documents = extractDocuments(join(unpacked, 'package'), source);
  return importCorpus(source.name, source.package, {
    directory: PROJECT.corporaPath,
    replace: true,
    content: Buffer.concat(documents),
  });
}

/**
 * Downloads and unpacks a package, and nothing that it depends on: no script of it runs.
 * @type {(spec: string, unpacked: string) => Promise<void>}
 */
async function fetchPackage(spec, unpacked) {
  if (mkdirSync(unpacked, { recursive: true }) === undefined) return;
  const args = ['pack', spec, '--ignore-scripts', '--pack-destination', unpacked];
  const [{ filename }] = JSON.parse(await runNpm(args, { timeoutMs: INSTALL_TIMEOUT_MS }));
  execFileSync('tar', ['-xzf', join(unpacked, filename), '-C', unpacked]);
}

async function writeTable() {
  const halves = assignHalves(table.corpora, table.known);
  const corpora = table.corpora.map((source) => ({ ...source, half: halves.get(source.name) }));
  const text = JSON.stringify({ ...table, corpora });
  const style = { ...(await resolveConfig(TABLE_PATH)), filepath: TABLE_PATH };
  writeFileSync(TABLE_PATH, await format(text, style));
}
